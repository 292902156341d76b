// What finished parsers think of trees that others have found.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "row_arrays.hpp"
#include "tasks/graph_parsing/tree_scorer.hpp"
#include "tasks/parsing/parsing.hpp"
#include "tasks/parsing/tree_scorer.hpp"

namespace {

// One sentence and its trees, from Python.
class GivenTrees {
 public:
  template <class Program>
  explicit GivenTrees(const Program& program) : loaded_(program, size_t{1} << 20) {}

  template <class Scorer>
  std::vector<double> scores(Scorer& scorer, const Labels& labels, nb::handle sentence, nb::handle trees) {
    loaded_.begin_batch();
    load(loaded_, sentence);
    const uint32_t n = loaded_.length(0);
    const Sequence all(trees.ptr(), "trees must be a list of pairs of heads and labels");
    trees_.assign(static_cast<size_t>(all.size()), Tree(n));
    for (Py_ssize_t t = 0; t < all.size(); ++t) {
      Tree& tree = trees_[static_cast<size_t>(t)];
      read_tree(nb::handle(all[t]), n, labels, [&](Py_ssize_t i, uint16_t head, uint16_t label) {
        tree.put({head, static_cast<uint32_t>(i) + 1, label});
      });
      check_tree(tree.heads.data(), n);
    }
    std::vector<double> found;
    scorer.score(loaded_.words(0), n, trees_, found);
    return found;
  }

 private:
  LoadedSentences loaded_;
  std::vector<Tree> trees_;
};

class FrozenGraphScorer {
 public:
  FrozenGraphScorer(const GraphProgram& program, const std::vector<std::string>& names, const RowArrays& rows,
                    int bits)
      : labels_(names),
        weights_(labels_.size() + 1, bits, spans_of(rows), LongRows::whole),
        scorer_(program, weights_, labels_.size()),
        given_(program) {}

  std::vector<double> scores(nb::handle sentence, nb::handle trees) {
    return given_.scores(scorer_, labels_, sentence, trees);
  }

 private:
  Labels labels_;
  Frozen weights_;
  GraphTreeScorer scorer_;
  GivenTrees given_;
};

class FrozenTransitionScorer {
 public:
  FrozenTransitionScorer(const ParseProgram& program, const std::vector<std::string>& names, int system,
                         bool single_root, const std::vector<std::pair<int, int>>& transitions,
                         uint32_t swaps, const RowArrays& rows, int bits)
      : choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, spans_of(rows), LongRows::whole),
        scorer_(program, choice_.system, weights_),
        given_(program) {}

  std::vector<double> scores(nb::handle sentence, nb::handle trees) {
    return given_.scores(scorer_, choice_.labels, sentence, trees);
  }

 private:
  SystemChoice choice_;
  Frozen weights_;
  TransitionTreeScorer scorer_;
  GivenTrees given_;
};

}  // namespace

void bind_tree_scores(nb::module_& m) {
  nb::class_<FrozenGraphScorer>(m, "FrozenGraphScorer")
      .def(nb::init<const GraphProgram&, const std::vector<std::string>&, const RowArrays&, int>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("rows"), nb::arg("bits") = 0,
           nb::keep_alive<1, 2>())
      .def("scores", &FrozenGraphScorer::scores, nb::arg("sentence"), nb::arg("trees"));
  nb::class_<FrozenTransitionScorer>(m, "FrozenTransitionScorer")
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, const RowArrays&, int>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("rows"), nb::arg("bits") = 0,
           nb::keep_alive<1, 2>())
      .def("scores", &FrozenTransitionScorer::scores, nb::arg("sentence"), nb::arg("trees"));
}
