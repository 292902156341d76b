// Finished parsers that look for a tree together, and what one of them thinks of trees that others have
// found.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "tasks/parsing/experts/combined.hpp"
#include "tasks/parsing/parsing.hpp"
#include "tasks/parsing/tree_predictor.hpp"

namespace {

// Any predictor comes from Python; few are of trees.
const TreePredictor& of_trees(nb::handle predictor) {
  const auto* found = dynamic_cast<const TreePredictor*>(nb::cast<const Predictor*>(predictor));
  if (found == nullptr) throw nb::value_error("this parser cannot be asked beside others");
  return *found;
}

// What one parser thinks of the trees of a sentence.
class TreeScorer {
 public:
  explicit TreeScorer(nb::object predictor)
      : predictor_(std::move(predictor)), parser_(of_trees(predictor_)), expert_(parser_.expert()) {}

  std::vector<double> scores(nb::handle sentence, nb::handle trees) {
    expert_->begin_batch();
    load(expert_->loaded(), sentence);
    expert_->open(0);
    const uint32_t n = expert_->length();
    const Sequence all(trees.ptr(), "trees must be a list of pairs of heads and labels");
    std::vector<Tree> given(static_cast<size_t>(all.size()), Tree(n));
    for (Py_ssize_t t = 0; t < all.size(); ++t) {
      Tree& tree = given[static_cast<size_t>(t)];
      read_tree(nb::handle(all[t]), n, parser_.relations(), false,
                [&](Py_ssize_t i, uint16_t head, uint16_t label) {
                  tree.put({head, static_cast<uint32_t>(i) + 1, label});
                });
      check_tree(tree.heads.data(), n);
    }
    std::vector<double> found;
    expert_->score(given, found);
    return found;
  }

 private:
  nb::object predictor_;
  const TreePredictor& parser_;
  std::unique_ptr<TreeExpert> expert_;
};

// An expert: its predictor, weight and search, whether it reads backward, and how many candidates it gives.
using Asked = std::tuple<nb::object, double, SearchOptions, bool, uint32_t>;

class CombinedPredictor final : public PredictorWith<CombinedDecoder> {
 public:
  // `turned` gives a sentence from its end, with what is given of its tree.
  CombinedPredictor(nb::object own, std::vector<Asked> experts, uint32_t least, nb::object turned)
      : own_(std::move(own)), experts_(std::move(experts)), turned_(std::move(turned)), least_(least) {
    const Labels& ours = of_trees(own_).relations();
    const uint32_t n = ours.size();
    for (const Asked& each : experts_) {
      const Labels& its = of_trees(std::get<0>(each)).relations();
      std::vector<uint16_t> to_ours, to_its(n);
      for (const nb::object& name : its.objects()) to_ours.push_back(ours.id(name.ptr()));
      for (uint32_t i = 0; i < n; ++i) to_its[i] = its.id(ours.objects()[i].ptr());
      numbers_.emplace_back(std::move(to_ours), std::move(to_its));
    }
    start([this] { return std::make_unique<Decoder>(members()); });
  }

  auto inputs(nb::handle sentences) {
    return PythonInputs(sentences, "X must be a list of sentences", "sentence",
                        [this](Decoder& decoder, nb::handle sentence) {
                          nb::object from_its_end;
                          for (size_t m = 0; m < decoder.members().size(); ++m) {
                            TreeMember& each = decoder.members()[m];
                            if (each.is_backward && !from_its_end.is_valid())
                              from_its_end = turned_(sentence);
                            const nb::object& parser = m == 0 ? own_ : std::get<0>(experts_[m - 1]);
                            load(each.parser->loaded(),
                                 each.is_backward ? nb::handle(from_its_end) : sentence,
                                 &of_trees(parser).relations());
                          }
                        });
  }

  nb::list predict(nb::handle sentences, const SearchOptions& how, uint32_t threads) override {
    return answers_to(
        decoders(), inputs(sentences), Decoder::Search::kbest_options(widened(how, 1), least_), threads,
        [](Decoder& decoder, const CombinedSearch& search) { return decoder.best(search); },
        [&](const Tree& tree) { return pair_of(tree, relations()); });
  }
  // All candidates are ranked, whatever k is: some may be equal once their lifted arcs are back.
  nb::list kbest(nb::handle sentences, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), inputs(sentences), std::max(k, least_), widened(how, k), threads,
                    [&](const Tree& tree) { return pair_of(tree, relations()); });
  }
  // Of the first parser alone.
  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) override {
    return nb::cast<Predictor*>(own_)->trace(sentence, gold, how);
  }

 private:
  const Labels& relations() const { return of_trees(own_).relations(); }
  SearchOptions widened(SearchOptions how, uint32_t k) const {
    how.width = std::max({how.width, k, least_});
    return how;
  }
  std::vector<TreeMember> members() const {
    std::vector<TreeMember> made(1 + experts_.size());
    made[0].parser = of_trees(own_).expert();
    for (size_t i = 0; i < experts_.size(); ++i) {
      const auto& [predictor, weight, how, is_backward, trees] = experts_[i];
      made[i + 1] = {of_trees(predictor).expert(),
                     weight,
                     how,
                     trees,
                     is_backward,
                     numbers_[i].first,
                     numbers_[i].second};
    }
    return made;
  }
  nb::object own_;
  std::vector<Asked> experts_;
  std::vector<std::pair<std::vector<uint16_t>, std::vector<uint16_t>>> numbers_;
  nb::object turned_;
  uint32_t least_;
};

}  // namespace

void bind_combined(nb::module_& m) {
  nb::class_<TreeScorer>(m, "TreeScorer")
      .def(nb::init<nb::object>(), nb::arg("predictor"))
      .def("scores", &TreeScorer::scores, nb::arg("sentence"), nb::arg("trees"));
  m.def(
      "combined_predictor",
      [](nb::object own, std::vector<Asked> experts, uint32_t least, nb::object turned) -> Predictor* {
        return new CombinedPredictor(std::move(own), std::move(experts), least, std::move(turned));
      },
      nb::arg("own"), nb::arg("experts"), nb::arg("least"), nb::arg("turned"));
}
