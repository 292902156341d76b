#include "bind.hpp"
#include "tasks/translation/hiero/rule_counts.hpp"

using namespace structron;

namespace {

using Words = Array<uint32_t>;
using Offsets = Array<uint64_t>;

// Pairs of sentences with their links, as arrays one after the other.
class LinkedTexts {
 public:
  LinkedTexts(Words sources, Offsets source_offsets, Words targets, Offsets target_offsets,
              Offsets link_offsets, Words link_sources, Words link_targets)
      : words_{sources, targets, link_sources, link_targets},
        offsets_{source_offsets, target_offsets, link_offsets, link_offsets} {
    for (int k = 0; k < 4; ++k) {
      if (offsets_[k].shape(0) == 0 || offsets_[k].shape(0) != offsets_[0].shape(0))
        throw nb::value_error("sources, targets and links differ in number");
      for (size_t i = 0; i + 1 < offsets_[k].shape(0); ++i)
        if (offsets_[k].data()[i] > offsets_[k].data()[i + 1]) throw nb::value_error("offsets do not rise");
      if (offsets_[k].data()[size()] > words_[k].shape(0)) throw nb::value_error("offsets point too far");
    }
  }
  size_t size() const { return offsets_[0].shape(0) - 1; }
  std::span<const uint32_t> source(size_t i) const { return part(0, i); }
  std::span<const uint32_t> target(size_t i) const { return part(1, i); }
  std::span<const uint32_t> source_links(size_t i) const { return part(2, i); }
  std::span<const uint32_t> target_links(size_t i) const { return part(3, i); }

 private:
  std::span<const uint32_t> part(int k, size_t i) const {
    return {words_[k].data() + offsets_[k].data()[i], words_[k].data() + offsets_[k].data()[i + 1]};
  }
  Words words_[4];
  Offsets offsets_[4];
};

// Numbers of extracted rules, different and all; then the arrays of the table.
nb::tuple rule_table(Words sources, Offsets source_offsets, Words targets, Offsets target_offsets,
                     Offsets link_offsets, Words link_sources, Words link_targets, uint32_t source_words,
                     uint32_t target_words, uint32_t words, uint32_t symbols, uint32_t least, uint32_t most) {
  const LinkedTexts texts(sources, source_offsets, targets, target_offsets, link_offsets, link_sources,
                          link_targets);
  RuleArrays t;
  uint64_t different = 0, instances = 0;
  {
    nb::gil_scoped_release free;
    RuleCounts counts(texts, source_words, target_words, {words, symbols}, least, most);
    different = counts.different();
    instances = counts.instances();
    t = counts.take();
  }
  return nb::make_tuple(
      different, instances,
      nb::make_tuple(numpy_of(std::move(t.source_words)), numpy_of(std::move(t.source_offsets)),
                     numpy_of(std::move(t.source_counts)), numpy_of(std::move(t.first_option)),
                     numpy_of(std::move(t.target_words)), numpy_of(std::move(t.target_offsets)),
                     numpy_of(std::move(t.target_counts)), numpy_of(std::move(t.counts)),
                     numpy_of(std::move(t.scores)), numpy_of(std::move(t.link_offsets)),
                     numpy_of(std::move(t.links))));
}

}  // namespace

void bind_rules(nb::module_& m) {
  m.def("rule_table", &rule_table, nb::arg("sources"), nb::arg("source_offsets"), nb::arg("targets"),
        nb::arg("target_offsets"), nb::arg("link_offsets"), nb::arg("link_sources"), nb::arg("link_targets"),
        nb::arg("source_words"), nb::arg("target_words"), nb::arg("words"), nb::arg("symbols"),
        nb::arg("least"), nb::arg("most"));
}
