#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <string>

#include "bind.hpp"
#include "predictor.hpp"
#include "restricted.hpp"
#include "row_arrays.hpp"
#include "tasks/segmentation/boundaries.hpp"
#include "tasks/segmentation/habits.hpp"
#include "tasks/segmentation/known_tokens.hpp"
#include "tasks/segmentation/solid.hpp"
#include "tasks/segmentation/text_view.hpp"
#include "tasks/segmentation/units.hpp"
#include "tasks/tagging/decoder.hpp"
#include "tasks/tagging/dictionary.hpp"

using namespace structron;

namespace {

constexpr size_t kColumns = 4;  // of a unit: itself, its known tokens, its habits, its line

// What a segmenter knows besides its weights.
struct Knowledge {
  Cutter cutter;
  KnownTokens known;
  Habits habits;
  uint32_t solid;    // which pieces are never cut
  uint32_t columns;  // how many a unit has
};

// From texts to what the templates read of their units; one at a time.
class Units {
 public:
  using Words = std::array<std::string_view, kColumns>;

  explicit Units(const Knowledge& all)
      : cutter_(all.cutter),
        known_(all.known),
        habits_(all.habits),
        solid_(all.solid),
        columns_(all.columns) {}

  const std::vector<Unit>& cut(const TextView& text) {
    cutter_.cut(text, units_);
    return units_;
  }
  // Those that were cut last.
  const std::vector<Unit>& all() const { return units_; }
  // add(number of a unit, its words by column) for each; `own` are the tokens of a text that is learned from.
  template <class Add>
  void read(const TextView& text, Add&& add, const OwnTokens& own = {}) {
    cut(text);
    read_cut(text, add, own);
  }
  // The same for the text that was cut last.
  template <class Add>
  void read_cut(const TextView& text, Add&& add, const OwnTokens& own = {}) {
    const bool knows = !known_.empty();
    words_.clear();
    ends_.clear();
    values_.clear();
    for (const Unit& unit : units_) {
      const size_t begin = words_.size();
      words_ += ' ';
      append_unit(words_, text, unit);
      ends_.push_back(words_.size());
      if (knows) values_.push_back(hash_bytes(std::string_view(words_).substr(begin + 1)));
    }
    if (knows) known_.look_up(units_, values_, found_, own);
    if (columns_ > 3) lines_.read(text, units_);
    for (size_t i = 0, begin = 0; i < units_.size(); begin = ends_[i++]) {
      const size_t from = begin + (units_[i].white ? 0 : 1);
      Words said{std::string_view(words_.data() + from, ends_[i] - from)};
      if (knows) said[1] = found_.of(i);
      if (columns_ > 2) said[2] = habits_.of(text, units_, i, room_);
      if (columns_ > 3) said[3] = lines_.of(i);
      add(i, std::span<const std::string_view>(said).first(columns_));
    }
  }
  // Cuts a text; what each of its units must do. `spaces`: whether tokens may hold white space.
  const std::vector<uint8_t>& duties(const TextView& text, bool spaces) {
    cut(text);
    duties_.assign(units_.size(), 0);
    if (!spaces)
      for (size_t i = 0; i < units_.size(); ++i) duties_[i] = duty_of(units_, i);
    solid_.find(text, units_, duties_);
    return duties_;
  }

 private:
  const Cutter& cutter_;
  const KnownTokens& known_;
  const Habits& habits_;
  SolidFinder solid_;
  uint32_t columns_;
  LineReader lines_;
  std::string room_;
  std::vector<uint8_t> duties_;
  KnownTokens::Found found_;
  std::vector<Unit> units_;
  std::vector<Key> values_;
  std::string words_;  // one after the other, each after a blank
  std::vector<size_t> ends_;
};

Cutter cutter_of(std::tuple<bool, bool, bool> alone) {
  return Cutter(std::get<0>(alone), std::get<1>(alone), std::get<2>(alone));
}

Knowledge knowledge(std::tuple<bool, bool, bool> alone, Array<Key> known, Array<uint8_t> whole,
                    Array<Key> habits, Array<uint8_t> values, uint32_t solid, uint32_t columns) {
  if (columns < 1 || columns > kColumns) throw nb::value_error("units have one to four columns");
  return {cutter_of(alone), KnownTokens(span_of(known), span_of(whole)),
          Habits(span_of(habits), span_of(values)), solid, columns};
}

// Units as lists of (begin, end, columns), for training and for those who look. Each call has its own room.
class UnitCutter {
 public:
  explicit UnitCutter(Knowledge all) : all_(std::move(all)) {}

  // `lengths`: where tokens of the text itself begin, how many units they have; they count `less` sightings
  // less.
  nb::list units(nb::handle text, const std::vector<uint32_t>& lengths, uint32_t less) const {
    Units units(all_);
    nb::list all;
    const auto add = [&](size_t i, std::span<const std::string_view> words) {
      const Unit& unit = units.all()[i];
      nb::list columns;
      for (const std::string_view word : words) columns.append(nb::str(word.data(), word.size()));
      all.append(nb::make_tuple(unit.begin, unit.end, nb::tuple(columns)));
    };
    units.read(view_of(text), add, {lengths, less});
    return all;
  }
  // Only where they begin and end, and what stands before them.
  nb::tuple places(nb::handle text) const {
    std::vector<Unit> units;
    all_.cutter.cut(view_of(text), units);
    std::vector<uint32_t> begins, ends;
    std::vector<uint8_t> whites;
    for (const Unit& unit : units) {
      begins.push_back(unit.begin);
      ends.push_back(unit.end);
      whites.push_back(unit.white);
    }
    return nb::make_tuple(memory_of(std::move(begins)), memory_of(std::move(ends)),
                          memory_of(std::move(whites)));
  }
  // What each must do.
  nb::bytes duties(nb::handle text, bool spaces) const {
    Units units(all_);
    const std::vector<uint8_t>& found = units.duties(view_of(text), spaces);
    return nb::bytes(reinterpret_cast<const char*>(found.data()), found.size());
  }

 private:
  Knowledge all_;
};

class SegmentationPredictor final : public PredictorWith<TaggingDecoder<ObservedTags>> {
  // Of a text that is restricted, the parts are the labels that each unit may have.
  void load(Decoder& decoder, Units& units, nb::handle given) const {
    const WithParts both(given);
    const nb::handle text = both.input;
    const TextView view = view_of(text);
    const auto& duties = units.duties(view, spaces_);
    units.read_cut(view, [&](size_t i, std::span<const std::string_view> words) {
      for (int column = 0; column < decoder.columns(); ++column)
        decoder.add_word(column, words[static_cast<size_t>(column)]);
      decoder.close_token(both.is_restricted() ? uint8_t{0} : duties[i]);
    });
    decoder.close_sentence();
    if (!both.is_restricted()) return;
    LabelSets sets(static_cast<uint32_t>(boundaries_.size()));
    std::vector<uint16_t> numbers;
    each_of(both.parts.ptr(), "what is given must be a list", [&](PyObject* labels) {
      std::vector<uint8_t> row(boundaries_.size());
      each_of(labels, "labels must be a list", [&](PyObject* label) {
        const long number = PyLong_AsLong(label);
        if (number < 0 || static_cast<size_t>(number) >= row.size()) {
          PyErr_Clear();
          throw nb::value_error("no such label");
        }
        row[static_cast<size_t>(number)] = 1;
      });
      numbers.push_back(sets.number(row));
    });
    decoder.restrict_to(sets, numbers);
  }
  auto inputs(nb::handle texts, Units& units) const {
    return PythonInputs(texts, "X must be a list of texts", "text",
                        [this, &units](Decoder& decoder, nb::handle text) { load(decoder, units, text); });
  }
  nb::object spans(const std::vector<Unit>& cut, const LabelNumbers& labels) const {
    if (cut.size() != labels.size()) throw std::runtime_error("a text changed while read");
    TokenSpans found = tokens_of(std::span<const Unit>(cut), labels, std::span<const Boundary>(boundaries_));
    return nb::make_tuple(memory_of(std::move(found.begins)), memory_of(std::move(found.ends)),
                          memory_of(std::move(found.flags)));
  }

 public:
  using BoundaryTuple = std::tuple<int, bool, std::vector<uint32_t>>;

  SegmentationPredictor(const Program& program, const std::vector<BoundaryTuple>& boundaries,
                        const RowArrays& rows, const nb::object& after, const nb::object& end,
                        Array<uint8_t> allowed, bool spaces, Knowledge all, int bits, size_t room)
      : spaces_(spaces),
        all_(std::move(all)),
        rules_(after.is_none() ? TagRules{}
                               : tag_rules(span_of(nb::cast<Array<uint8_t>>(after)),
                                           span_of(nb::cast<Array<uint8_t>>(end)),
                                           static_cast<uint32_t>(boundaries.size()))),
        weights_(static_cast<uint32_t>(boundaries.size()), bits, spans_of(rows), LongRows::cells, 0,
                 Places::together),
        order_(program.order()) {
    start([this, &program, room] {
      return std::make_unique<Decoder>(program, weights_, dictionary_, rules_, false, room, ObservedTags{});
    });
    if (boundaries.empty() || boundaries.size() >= 0xFFFF)
      throw nb::value_error("there must be 1 to 65534 labels");
    for (const auto& [begins, multiword, inner] : boundaries) {
      if (begins < 0 || begins > 2) throw nb::value_error("a label says what begins by 0, 1 or 2");
      boundaries_.push_back({static_cast<Begins>(begins), multiword, inner});
    }
    if (program.columns() > static_cast<int>(all_.columns))
      throw nb::value_error("the templates read a column that units do not have");
    set_duties(rules_, span_of(allowed), static_cast<uint32_t>(boundaries.size()));
    if (rules_.duty.size() != 16 * boundaries.size()) throw nb::value_error("units have sixteen duties");
  }

  // Per text the begins, ends and flags of its tokens.
  nb::list predict(nb::handle texts, const SearchOptions& how, uint32_t threads) override {
    check_exact(how, weights_.columns(), order_);
    Units units(all_);
    const Sequence all(texts.ptr(), "X must be a list of texts");
    Py_ssize_t next = 0;  // answers come in the order of the texts
    return best_of(decoders(), inputs(texts, units), how, threads,
                   [&](const LabelNumbers& labels) -> nb::object {
                     return spans(units.cut(view_of(WithParts(all[next++]).input)), labels);
                   });
  }
  // The same for the k best that differ in their labels.
  nb::list kbest(nb::handle texts, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    check_exact(how, weights_.columns(), order_);
    Units units(all_);
    const Sequence all(texts.ptr(), "X must be a list of texts");
    nb::list found = kbest_of(decoders(), inputs(texts, units), k, how, threads,
                              [](const LabelNumbers& labels) { return nb::cast(LabelNumbers(labels)); });
    nb::list out;
    for (Py_ssize_t i = 0; i < all.size(); ++i) {
      const std::vector<Unit>& cut = units.cut(view_of(WithParts(all[i]).input));
      nb::list best;
      for (nb::handle each : found[static_cast<size_t>(i)])
        best.append(nb::make_tuple(spans(cut, nb::cast<LabelNumbers>(each[0])), each[1]));
      out.append(best);
    }
    return out;
  }
  // With gold, the numbers of its labels.
  nb::dict trace(nb::handle text, const nb::object& gold, const SearchOptions& how) override {
    check_exact(how, weights_.columns(), order_);
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    Units units(all_);
    load(decoder, units, text);
    LabelNumbers labels;
    if (!gold.is_none()) labels = nb::cast<LabelNumbers>(gold);
    for (const uint16_t label : labels)
      if (label >= boundaries_.size()) throw nb::value_error("no such label");
    if (!gold.is_none() && labels.size() != units.all().size())
      throw nb::value_error("units and labels differ in number");
    decoder.open(0, gold.is_none() ? nullptr : labels.data());
    return traced(decoder, how, !gold.is_none());
  }

 private:
  bool spaces_;  // whether tokens may hold white space
  Knowledge all_;
  std::vector<Boundary> boundaries_;
  TagRules rules_;
  TagDictionary dictionary_;
  Frozen weights_;
  int order_;
};

// The tokens of paragraphs, which begin at these offsets, as those of the whole text: where they begin and
// end, and the numbers of those that begin a sentence and of those that are several words.
nb::tuple joined(nb::list paragraphs, const std::vector<uint64_t>& offsets) {
  if (paragraphs.size() != offsets.size()) throw nb::value_error("each paragraph needs an offset");
  nb::list begun, ended, first, several;
  size_t before = 0;
  for (size_t p = 0; p < offsets.size(); ++p) {
    const auto begins = nb::cast<Array<uint32_t>>(paragraphs[p][0]);
    const auto ends = nb::cast<Array<uint32_t>>(paragraphs[p][1]);
    const auto flags = nb::cast<Array<uint8_t>>(paragraphs[p][2]);
    const size_t size = begins.shape(0);
    if (ends.shape(0) != size || flags.shape(0) != size) throw nb::value_error("tokens need as many flags");
    for (size_t i = 0; i < size; ++i) {
      begun.append(offsets[p] + begins.data()[i]);
      ended.append(offsets[p] + ends.data()[i]);
      if (flags.data()[i] & kSentence) first.append(before + i);
      if (flags.data()[i] & kMultiword) several.append(before + i);
    }
    before += size;
  }
  return nb::make_tuple(begun, ended, first, several);
}

}  // namespace

void bind_segmentation(nb::module_& m) {
  using Single = std::tuple<bool, bool, bool>;
  nb::class_<UnitCutter>(m, "UnitCutter")
      .def(
          "__init__",
          [](UnitCutter* self, const Single& alone, Array<Key> known, Array<uint8_t> whole, Array<Key> habits,
             Array<uint8_t> values, uint32_t solid, uint32_t columns) {
            new (self) UnitCutter(knowledge(alone, known, whole, habits, values, solid, columns));
          },
          nb::arg("alone"), nb::arg("known"), nb::arg("whole"), nb::arg("habits"), nb::arg("values"),
          nb::arg("solid"), nb::arg("columns"))
      .def("units", &UnitCutter::units, nb::arg("text"), nb::arg("lengths") = std::vector<uint32_t>(),
           nb::arg("less") = 0)
      .def("places", &UnitCutter::places, nb::arg("text"))
      .def("duties", &UnitCutter::duties, nb::arg("text"), nb::arg("spaces"));
  m.def("joined", &joined, nb::arg("paragraphs"), nb::arg("offsets"),
        "The tokens of paragraphs as those of a text, and which begin sentences or are several words.");
  m.def(
      "segmentation_predictor",
      [](const Program& program, const std::vector<SegmentationPredictor::BoundaryTuple>& boundaries,
         const RowArrays& rows, const nb::object& after, const nb::object& end, Array<uint8_t> allowed,
         bool spaces, const Single& alone, Array<Key> known, Array<uint8_t> whole, Array<Key> habits,
         Array<uint8_t> values, uint32_t solid, uint32_t columns, int bits, size_t room) -> Predictor* {
        return new SegmentationPredictor(program, boundaries, rows, after, end, allowed, spaces,
                                         knowledge(alone, known, whole, habits, values, solid, columns), bits,
                                         room);
      },
      nb::arg("program"), nb::arg("boundaries"), nb::arg("rows"), nb::arg("after").none(),
      nb::arg("end").none(), nb::arg("allowed"), nb::arg("spaces"), nb::arg("alone"), nb::arg("known"),
      nb::arg("whole"), nb::arg("habits"), nb::arg("values"), nb::arg("solid"), nb::arg("columns"),
      nb::arg("bits") = 0, nb::arg("room") = size_t{64} << 20, nb::keep_alive<0, 1>());
}
