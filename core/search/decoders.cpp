#include "search/decoders.hpp"

#include "util/clocks.hpp"
#include "util/interrupt.hpp"

namespace structron {

double predict_in_batches(size_t inputs, size_t batch, Pool& pool, BatchWork& work) {
  const size_t used = pool.threads();
  std::vector<std::vector<uint32_t>> dealt(used);
  std::vector<double> busy(used);
  Pulse pulse;
  for (size_t from = 0; from < inputs; from += batch) {
    const size_t n = std::min(batch, inputs - from);
    std::vector<uint64_t> costs(n, 0);
    if (used > 1)
      for (size_t i = 0; i < n; ++i) costs[i] = work.cost(from + i);
    deal(costs, dealt);
    for (size_t d = 0; d < used; ++d) {
      work.begin_batch(d);
      for (uint32_t place : dealt[d]) {
        pulse();
        work.load(d, from + place);
      }
    }
    work.search([&] {
      pool.run([&](uint32_t d) {
        const double began = cpu_seconds();
        Pulse own;
        for (uint32_t k = 0; k < dealt[d].size(); ++k) {
          own();
          work.decode(d, k, dealt[d][k]);
        }
        busy[d] += cpu_seconds() - began;
      });
    });
    for (size_t i = 0; i < n; ++i) work.give(i);
  }
  double spent = 0;
  for (double b : busy) spent += b;
  return spent;
}

}  // namespace structron
