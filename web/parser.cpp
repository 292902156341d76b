// The engine's parser for a page without a server: a model in memory, a sentence in, the trace of its beam
// out.
//
// web/model.py writes the model. What goes in and out are numbers in arrays that the page reads where they
// are: web/parser.js is the other side.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "learn/violations.hpp"
#include "search/trace.hpp"
#include "tasks/parsing/decoder.hpp"

using namespace structron;

namespace {

// Reads a file whose every length is checked.
class File {
 public:
  File(const uint8_t* bytes, size_t size) : at_(bytes), end_(bytes + size) {}
  template <class T>
  T one() {
    T value{};
    if (static_cast<size_t>(end_ - at_) < sizeof(T)) return ok_ = false, value;
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  template <class T>
  std::vector<T> many(size_t count) {
    std::vector<T> values;
    if (count > static_cast<size_t>(end_ - at_) / sizeof(T)) return ok_ = false, values;
    values.resize(count);
    std::memcpy(values.data(), at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return values;
  }
  bool ok() const { return ok_; }
  bool is_whole() const { return ok_ && at_ == end_; }

 private:
  const uint8_t *at_, *end_;
  bool ok_ = true;
};

constexpr uint32_t kMagic = 0x31575453;  // "STW1"
constexpr uint32_t kLongest = 60, kWidest = 64;

struct Model {
  std::unique_ptr<ParseProgram> program;
  std::unique_ptr<Transitions> system;
  std::unique_ptr<Frozen> weights;
  std::unique_ptr<ParsingDecoder> decoder;
  uint32_t labels = 0;
  bool is_swap = false;
};

Model model;
std::vector<uint8_t> room;
std::vector<double> found;

// Templates as bind/tasks/parsing/parsing.cpp has them: ten numbers and a multiplier for each atom.
bool read_templates(File& file, std::vector<ParseTemplate>& templates) {
  const uint32_t count = file.one<uint32_t>();
  for (uint32_t t = 0; t < count && file.ok(); ++t) {
    ParseTemplate read{file.one<Key>(), {}};
    const uint32_t atoms = file.one<uint32_t>();
    for (uint32_t a = 0; a < atoms && file.ok(); ++a) {
      const auto n = file.many<int32_t>(10);
      const Key multiplier = file.one<Key>();
      if (!file.ok() || n[0] < 0 || n[0] > static_cast<int>(Sight::distance)) return false;
      read.atoms.push_back({static_cast<Sight>(n[0]),
                            {n[1], {n[2], n[3]}},
                            {n[4], {n[5], n[6]}},
                            static_cast<Aspect>(n[7]),
                            n[8],
                            n[9],
                            multiplier});
    }
    templates.push_back(std::move(read));
  }
  return file.ok();
}

bool read_model(File& file) {
  if (file.one<uint32_t>() != kMagic) return false;
  const uint32_t columns = file.one<uint32_t>(), system = file.one<uint32_t>();
  const uint32_t single = file.one<uint32_t>(), labels = file.one<uint32_t>(), actions = file.one<uint32_t>();
  if (!file.ok() || columns < 1 || columns > 8 || system > 3 || labels < 1 || labels > 500) return false;
  std::vector<Transition> transitions;
  for (uint32_t a = 0; a < actions && file.ok(); ++a) {
    const int32_t kind = file.one<int32_t>(), label = file.one<int32_t>();
    if (kind < 0 || kind >= kKinds || label < -1 || label >= static_cast<int32_t>(labels)) return false;
    transitions.push_back({static_cast<Kind>(kind), label < 0 ? kNoLabel : static_cast<uint16_t>(label)});
  }
  std::vector<ParseTemplate> templates;
  if (!read_templates(file, templates)) return false;
  // Rows: keys, how many cells each has, the column of each cell, its weight in steps of `scale`.
  const uint32_t rows = file.one<uint32_t>(), cells = file.one<uint32_t>();
  const float scale = file.one<float>();
  const auto keys = file.many<Key>(rows);
  const auto lengths = file.many<uint8_t>(rows);
  const auto column = file.many<uint8_t>(cells);
  const auto steps = file.many<int8_t>(cells);
  if (!file.is_whole()) return false;
  std::vector<uint32_t> offsets{0}, wide(column.begin(), column.end());
  for (const uint8_t length : lengths) offsets.push_back(offsets.back() + length);
  std::vector<float> values;
  for (const int8_t step : steps) values.push_back(scale * static_cast<float>(step));
  if (offsets.back() != cells) return false;
  for (const uint32_t c : wide)
    if (c >= actions) return false;

  Model read;
  read.labels = labels;
  read.is_swap = static_cast<System>(system) == System::swap;
  read.program = std::make_unique<ParseProgram>(templates, static_cast<int>(columns));
  read.system =
      std::make_unique<Transitions>(static_cast<System>(system), single != 0, labels, transitions, 1);
  read.weights = std::make_unique<Frozen>(read.system->size(), 0,
                                          PackedSpans{keys, offsets, wide, values, {}}, LongRows::whole);
  read.decoder = std::make_unique<ParsingDecoder>(*read.program, *read.system, *read.weights, false, 1 << 16);
  model = std::move(read);
  return true;
}

// Bins, then each step's items, then the gold path; lengths stand before what they count.
void put(const Trace& trace, bool has_gold) {
  const Bins& bins = trace.bins;
  const SequenceTrace& all = *trace.sequence;
  const int steps = static_cast<int>(all.begin.size());
  found.assign({static_cast<double>(steps), has_gold ? 1.0 : 0.0});
  for (const Update method :
       {Update::standard, Update::early, Update::hybrid, Update::latest, Update::max_violation})
    found.push_back(has_gold ? choose(method, bins) : kNoViolation);
  std::vector<double> rank(all.score.size(), -1), step(all.score.size(), -1);
  for (int bin = 0; bin < steps; ++bin) {
    const bool is_gold = has_gold && bin < bins.size();  // bins are kept only where gold is watched
    found.push_back(is_gold && bins.has_gold(bin) ? bins.gold_score[bin] : std::nan(""));
    found.push_back(is_gold && bins.gold_in_beam[bin]);
    found.push_back(all.end[bin] - all.begin[bin]);
    for (uint32_t i = all.begin[bin]; i < all.end[bin]; ++i) {
      rank[i] = i - all.begin[bin];
      step[i] = bin;
      const uint32_t parent = all.parent[i];
      for (const double value : {all.score[i], static_cast<double>(all.action[i]), rank[parent], step[parent],
                                 has_gold && all.good[i] ? 1.0 : 0.0})
        found.push_back(value);
    }
  }
  const auto& gold = all.gold_paths.empty() ? std::nullopt : all.gold_paths.back();
  found.push_back(gold ? static_cast<double>(gold->size()) : 0.0);
  if (gold) found.insert(found.end(), gold->begin(), gold->end());
}

}  // namespace

extern "C" {

// Memory for what is given next.
uint8_t* take(uint32_t size) {
  room.assign(size, 0);
  return room.data();
}

// Read the model that lies there; 0 if it is none.
int load() {
  File file(room.data(), room.size());
  const bool is_good = read_model(file);
  room = {};
  return is_good;
}

// Parse the sentence that lies there: the number of words, each column of each word with its length before
// it, and, with gold, head and label of each word. Returns how many numbers were found, 0 if it is no
// sentence.
uint32_t parse(uint32_t width, int with_gold) {
  File file(room.data(), room.size());
  const uint32_t n = file.one<uint32_t>();
  if (!model.decoder || !file.ok() || n < 1 || n > kLongest || width < 1 || width > kWidest) return 0;
  ParsingDecoder& decoder = *model.decoder;
  decoder.begin_batch();
  LoadedSentences& loaded = decoder.loaded();
  loaded.begin_sentence();
  for (uint32_t i = 0; i < n; ++i) {
    for (int c = 0; c < loaded.columns(); ++c) {
      const auto word = file.many<char>(file.one<uint32_t>());
      if (!file.ok()) return 0;
      loaded.add_word(c, std::string_view(word.data(), word.size()));
    }
    loaded.close_token();
  }
  loaded.close_sentence();
  GoldTree tree;
  if (with_gold) {
    const auto heads = file.many<uint16_t>(n), labels = file.many<uint16_t>(n);
    if (!file.ok()) return 0;
    for (uint32_t i = 0; i < n; ++i)
      if (heads[i] > n || labels[i] >= model.labels) return 0;
    tree.set(heads.data(), labels.data(), n, model.is_swap);
  }
  SearchOptions how;
  how.width = width;
  decoder.prepare(how);
  decoder.open(0, with_gold ? &tree : nullptr);
  put(traced<ParsingDecoder::Watched>(decoder.space(), how, with_gold), with_gold);
  return static_cast<uint32_t>(found.size());
}

const double* numbers() {
  return found.data();
}
}
