// What finished parsers think of trees that others have found.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

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
      read_tree(nb::handle(all[t]), n, labels, false, [&](Py_ssize_t i, uint16_t head, uint16_t label) {
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

// What a finished parser thinks of the trees of a sentence.
class TreeScorer {
 public:
  virtual ~TreeScorer() = default;
  virtual std::vector<double> scores(nb::handle sentence, nb::handle trees) = 0;
};

class GraphScores final : public TreeScorer {
 public:
  GraphScores(const GraphProgram& program, const std::vector<std::string>& names, const RowArrays& rows,
              int bits)
      : labels_(names),
        weights_(labels_.size() + 1, bits, spans_of(rows), LongRows::whole),
        scorer_(program, weights_, labels_.size()),
        given_(program) {}

  std::vector<double> scores(nb::handle sentence, nb::handle trees) override {
    return given_.scores(scorer_, labels_, sentence, trees);
  }

 private:
  Labels labels_;
  Frozen weights_;
  GraphTreeScorer scorer_;
  GivenTrees given_;
};

class TransitionScores final : public TreeScorer {
 public:
  TransitionScores(const ParseProgram& program, const std::vector<std::string>& names, int system,
                   bool single_root, const std::vector<std::pair<int, int>>& transitions, uint32_t swaps,
                   const RowArrays& rows, int bits)
      : choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, spans_of(rows), LongRows::whole),
        scorer_(program, choice_.system, weights_),
        given_(program) {}

  std::vector<double> scores(nb::handle sentence, nb::handle trees) override {
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
  nb::class_<TreeScorer>(m, "TreeScorer")
      .def("scores", &TreeScorer::scores, nb::arg("sentence"), nb::arg("trees"));
  m.def(
      "graph_tree_scorer",
      [](const GraphProgram& program, const std::vector<std::string>& labels, const RowArrays& rows,
         int bits) -> TreeScorer* { return new GraphScores(program, labels, rows, bits); },
      nb::arg("program"), nb::arg("labels"), nb::arg("rows"), nb::arg("bits") = 0, nb::keep_alive<0, 1>());
  m.def(
      "transition_tree_scorer",
      [](const ParseProgram& program, const std::vector<std::string>& labels, int system, bool single_root,
         const std::vector<std::pair<int, int>>& transitions, uint32_t swaps, const RowArrays& rows,
         int bits) -> TreeScorer* {
        return new TransitionScores(program, labels, system, single_root, transitions, swaps, rows, bits);
      },
      nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
      nb::arg("transitions"), nb::arg("swaps"), nb::arg("rows"), nb::arg("bits") = 0, nb::keep_alive<0, 1>());
}
