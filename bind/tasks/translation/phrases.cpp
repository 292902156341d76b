#include "bind.hpp"
#include "guards.hpp"
#include "tasks/translation/phrases/leave_one_out.hpp"

using namespace structron;

namespace {

using Words = Array<uint32_t>;
using Offsets = Array<uint64_t>;

std::span<const uint32_t> part(const Words& all, const Offsets& offsets, size_t i) {
  const uint64_t begin = offsets.data()[i], end = offsets.data()[i + 1];
  if (begin > end || end > all.shape(0)) throw std::invalid_argument("offsets do not rise or point too far");
  return {all.data() + begin, all.data() + end};
}

// Numbers of extracted pairs, different and all; then the arrays of the table.
nb::tuple phrase_table(Words sources, Offsets source_offsets, Words targets, Offsets target_offsets,
                       Offsets link_offsets, Words link_sources, Words link_targets, uint32_t source_words,
                       uint32_t target_words, uint32_t longest, uint32_t least, uint32_t most) {
  const size_t count = source_offsets.shape(0);
  if (count == 0 || target_offsets.shape(0) != count || link_offsets.shape(0) != count)
    throw nb::value_error("sources, targets and links differ in number");
  PhraseArrays t;
  size_t different = 0;
  uint64_t instances = 0;
  {
    nb::gil_scoped_release free;
    PhraseCounts counts(source_words, target_words, longest);
    for (size_t i = 0; i + 1 < count; ++i)
      counts.add(part(sources, source_offsets, i), part(targets, target_offsets, i),
                 part(link_sources, link_offsets, i), part(link_targets, link_offsets, i));
    different = counts.pairs().size();
    instances = counts.instances();
    t = PhraseScorer(counts, least, most).take();
  }
  return nb::make_tuple(
      different, instances,
      nb::make_tuple(numpy_of(std::move(t.source_words)), numpy_of(std::move(t.source_offsets)),
                     numpy_of(std::move(t.source_counts)), numpy_of(std::move(t.first_option)),
                     numpy_of(std::move(t.target_words)), numpy_of(std::move(t.target_offsets)),
                     numpy_of(std::move(t.target_counts)), numpy_of(std::move(t.counts)),
                     numpy_of(std::move(t.scores)), numpy_of(std::move(t.reordering)),
                     numpy_of(std::move(t.link_offsets)), numpy_of(std::move(t.links))));
}

// Every phrase pair of one pair of sentences: five numbers each, first and last positions of source and of
// target, and the two orientations as 3 * before + after.
nb::object phrase_spans(uint32_t sources, uint32_t targets, Words link_sources, Words link_targets,
                        uint32_t longest) {
  if (link_sources.shape(0) != link_targets.shape(0)) throw nb::value_error("a link has two ends");
  std::vector<uint32_t> found;
  Extraction extraction;
  extraction.load(sources, targets, span_of(link_sources), span_of(link_targets));
  extraction.each(longest, [&](const PhraseSpan& s) {
    found.insert(found.end(), {s.i1, s.i2, s.j1, s.j2, 3u * s.before + s.after});
  });
  return numpy_of(std::move(found));
}

template <class T>
std::vector<T> copied(const Array<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

// Several threads may hold one.
struct SharedLeaveOneOut : LeaveOneOut {
  using LeaveOneOut::LeaveOneOut;
  Lock lock;
};

nb::tuple without(SharedLeaveOneOut& self, Words source, Words target, Words link_sources,
                  Words link_targets) {
  if (link_sources.shape(0) != link_targets.shape(0)) throw nb::value_error("a link has two ends");
  const Alone alone(self.lock, "the table");
  std::vector<uint32_t> options, counts;
  std::vector<float> forth, back;
  for (const auto& left :
       self.without(span_of(source), span_of(target), span_of(link_sources), span_of(link_targets))) {
    options.push_back(left.option);
    counts.push_back(left.count);
    forth.push_back(left.target_given_source);
    back.push_back(left.source_given_target);
  }
  return nb::make_tuple(numpy_of(std::move(options)), numpy_of(std::move(counts)), numpy_of(std::move(forth)),
                        numpy_of(std::move(back)));
}

}  // namespace

void bind_phrases(nb::module_& m) {
  m.def("phrase_table", &phrase_table, nb::arg("sources"), nb::arg("source_offsets"), nb::arg("targets"),
        nb::arg("target_offsets"), nb::arg("link_offsets"), nb::arg("link_sources"), nb::arg("link_targets"),
        nb::arg("source_words"), nb::arg("target_words"), nb::arg("longest"), nb::arg("least"),
        nb::arg("most"));
  m.def("phrase_spans", &phrase_spans, nb::arg("sources"), nb::arg("targets"), nb::arg("link_sources"),
        nb::arg("link_targets"), nb::arg("longest"));
  nb::class_<SharedLeaveOneOut>(m, "LeaveOneOut")
      .def(
          "__init__",
          [](SharedLeaveOneOut* self, Words source_words, Words source_offsets, Words source_counts,
             Words first_option, Words target_words, Words target_offsets, Words target_counts, Words counts,
             uint32_t longest, double least) {
            PhraseArrays table;
            table.source_words = copied(source_words);
            table.source_offsets = copied(source_offsets);
            table.source_counts = copied(source_counts);
            table.first_option = copied(first_option);
            table.target_words = copied(target_words);
            table.target_offsets = copied(target_offsets);
            table.target_counts = copied(target_counts);
            table.counts = copied(counts);
            new (self) SharedLeaveOneOut(table, longest, least);
          },
          nb::arg("source_words"), nb::arg("source_offsets"), nb::arg("source_counts"),
          nb::arg("first_option"), nb::arg("target_words"), nb::arg("target_offsets"),
          nb::arg("target_counts"), nb::arg("counts"), nb::arg("longest"), nb::arg("least"))
      .def("without", &without, nb::arg("source"), nb::arg("target"), nb::arg("link_sources"),
           nb::arg("link_targets"));
}
