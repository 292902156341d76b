"""Compilers without vectors or 128-bit products get the same numbers: both ways are compiled and compared."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[3] / "core"
PROGRAM = r"""
#include <cstdio>
#include <cstring>
#include "util/vectors.hpp"

using namespace structron;

static uint64_t state = 88172645463325252ull;
static uint64_t next() {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static float score() {
  const int kind = static_cast<int>(next() % 16);
  if (kind == 0) return -std::numeric_limits<float>::infinity();
  if (kind < 4) return static_cast<float>(next() % 3);  // equal ones
  return static_cast<float>(static_cast<int64_t>(next() % 2000001) - 1000000) / 7919.0f;
}
static uint64_t digest = 1469598103934665603ull;
template <class T>
static void tell(const T* values, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    T value = values[i] + T{0};  // -0 is 0
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char byte : bytes) digest = (digest ^ byte) * 1099511628211ull;
  }
}
template <uint32_t many>
static void peaks(const std::vector<float>& x, std::vector<float>& blocks) {
  const uint32_t n = static_cast<uint32_t>(x.size());
  const Peaks one = peaks_of<many>(x.data(), n);
  std::fill(blocks.begin(), blocks.end(), 0.0f);
  const Peaks two = peaks_of_blocks<many>(x.data(), n, blocks.data());
  const float all[4] = {one.highest, one.of_many, two.highest, two.of_many};
  tell(all, 4);
  tell(blocks.data(), blocks.size());
}

int main() {
  for (int round = 0; round < 400; ++round) {
    const uint32_t n = static_cast<uint32_t>(next() % 140), fours = n / 4 * 4;
    std::vector<float> x(n + 4), y(n + 4), z(n + 4), to(n + 4, 0.5f);
    for (uint32_t i = 0; i < n + 4; ++i) x[i] = score(), y[i] = score() , z[i] = score();
    std::vector<const float*> many = {x.data(), y.data(), z.data()};
    add_vectors(x.data(), to.data(), fours);
    tell(to.data(), n);
    sum_vectors(x.data(), y.data(), to.data(), fours);
    tell(to.data(), n);
    sum_all(many, to.data(), fours);
    tell(to.data(), n);
    std::fill(to.begin(), to.end(), 0.25f);
    add_all(many, to.data(), fours);
    tell(to.data(), n);
    std::vector<double> best(n + 1, 3.0);
    std::vector<uint64_t> who(n + 1, 9);
    take_better(x.data(), 1.25, 7, best.data(), who.data(), n);
    take_better(y.data(), 0.75, 8, best.data(), who.data(), n);
    tell(best.data(), n);
    tell(who.data(), n);
    const float least = score();
    const uint64_t found[3] = {next_from(x.data(), n / 3, n, least),
                               at_least(x.data(), std::min(n, 32u), least),
                               static_cast<uint64_t>(n < 4 ? 0 : reaches(x.data(), least))};
    tell(found, 3);
    x.resize(n);
    std::vector<float> blocks(4 * (n / kBlock + 1));
    peaks<4>(x, blocks);
    peaks<16>(x, blocks);
    alignas(16) double ranks[8];
    for (double& rank : ranks) rank = score();
    const uint64_t counted[2] = {how_many_above(ranks, 8, ranks[3]), high_product(next(), next())};
    tell(counted, 2);
  }
  std::printf("%llx\n", static_cast<unsigned long long>(digest));
}
"""


def test_plain_loops_give_the_same_numbers(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no compiler of C++ here")
    source = tmp_path / "compare.cpp"
    source.write_text(PROGRAM)
    found = []
    for more in ([], ["-DSTRUCTRON_PLAIN"]):
        program = tmp_path / f"compare{len(more)}"
        options = ["-std=c++20", "-O1", "-ffp-contract=off", f"-I{CORE}", *more]
        subprocess.run([compiler, *options, source, "-o", program], check=True, timeout=300)
        found.append(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    assert found[0] == found[1] and len(found[0]) > 8
