// Scores from outside, searched by the engine: the best outputs, and what a loss and its gradient are.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bind.hpp"
#include "learn/batch.hpp"
#include "learn/perceptron.hpp"
#include "outside.hpp"
#include "search/beam_search.hpp"
#include "tasks/scores/tagging.hpp"
#include "tasks/scores/transitions.hpp"
#include "tasks/scores/trees.hpp"

using namespace structron;

namespace {

struct Problem {
  Array<float> scores;
  Array<uint64_t> offsets;  // where each input begins, in positions; for trees in scores
  Array<float> after;       // for labels in a row
  uint32_t labels;
  float margin;
  bool crossing;
  std::vector<uint32_t> gold;  // of all inputs, one after the other; empty while only decoding
  std::vector<ScoredArc> arcs;
  std::vector<uint64_t> words;  // where each tree's words begin
  int system = 0;               // for transitions
  uint32_t relations = 0;

  uint32_t size() const { return static_cast<uint32_t>(offsets.shape(0)) - 1; }
  uint64_t begin(uint32_t i) const { return offsets.data()[i]; }
};

struct TaggingWorker {
  using Space = ScoredTagging;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  TaggingWorker(const Problem& given, Weights& weights, const TrainOptions& options, const Learner& learner)
      : problem(given),
        naming(weights, false),
        scored(span_of(given.scores), span_of(given.after), given.labels, given.margin),
        fixer(weights, learner, options) {}

  Space& space() { return scored; }
  uint64_t cost(uint32_t i) const { return problem.begin(i + 1) - problem.begin(i); }
  void open(uint32_t i) {
    const uint64_t from = problem.begin(i), length = cost(i);
    const std::span<const uint32_t> gold(problem.gold);
    scored.input(static_cast<uint32_t>(from), static_cast<uint32_t>(length),
                 gold.empty() ? gold : gold.subspan(from, length));
  }

  const Problem& problem;
  Naming naming;
  Space scored;
  ViolationFixer<Watched> fixer;
};

struct TreeWorker {
  using Space = ScoredTrees;
  using Search = ScoredTreeSearch;
  using Watched = OneBin<Search>;

  TreeWorker(const Problem& given, Weights& weights, const TrainOptions& options, const Learner& learner)
      : problem(given),
        naming(weights, false),
        scored(span_of(given.scores), given.labels, given.margin, given.crossing),
        fixer(weights, learner, options) {}

  Space& space() { return scored; }
  uint64_t cost(uint32_t i) const { return problem.words[i + 1] - problem.words[i]; }
  void open(uint32_t i) {
    const std::span<const ScoredArc> gold(problem.arcs);
    scored.input(problem.begin(i), static_cast<uint32_t>(cost(i)),
                 gold.empty() ? gold : gold.subspan(problem.words[i], cost(i)));
  }

  const Problem& problem;
  Naming naming;
  Space scored;
  ViolationFixer<Watched> fixer;
};

struct TransitionWorker {
  using Space = ScoredTransitions::Space;
  using Search = ScoredTransitions::Search;
  using Watched = structron::Watched<Search>;

  TransitionWorker(const Problem& given, Weights& weights, const TrainOptions& options,
                   const Learner& learner)
      : problem(given),
        naming(weights, false),
        scored(span_of(given.scores), static_cast<System>(given.system), given.relations, given.margin,
               options.search.merge),
        fixer(weights, learner, options) {}

  Space& space() { return scored.space(); }
  uint64_t cost(uint32_t i) const { return problem.words[i + 1] - problem.words[i]; }
  void open(uint32_t i) {
    const std::span<const ScoredArc> gold(problem.arcs);
    scored.input(problem.begin(i), static_cast<uint32_t>(cost(i)),
                 gold.empty() ? gold : gold.subspan(problem.words[i], cost(i)));
  }

  const Problem& problem;
  Naming naming;
  ScoredTransitions scored;
  ViolationFixer<Watched> fixer;
};

void check(const Problem& p, uint64_t rows) {
  if (p.labels == 0 || p.scores.shape(0) % p.labels != 0 || p.offsets.shape(0) == 0)
    throw nb::value_error("scores do not fit the labels");
  for (uint32_t i = 0; i < p.size(); ++i)
    if (p.begin(i) > p.begin(i + 1)) throw nb::value_error("offsets are out of order");
  if (p.begin(p.size()) != rows || rows >= kUnnamed) throw nb::value_error("offsets do not fit the scores");
  if (p.after.shape(0) != 0 && p.after.shape(0) != static_cast<uint64_t>(p.labels + 1) * p.labels)
    throw nb::value_error("transitions do not fit the labels");
}

Problem tagging_problem(Array<float> scores, Array<uint64_t> offsets, Array<float> after, uint32_t labels,
                        Array<uint32_t> gold, float margin) {
  Problem p{std::move(scores), std::move(offsets), std::move(after), labels, margin, false, {}, {}, {}};
  check(p, labels == 0 ? 0 : p.scores.shape(0) / labels);
  const std::span<const uint32_t> given = span_of(gold);
  p.gold.assign(given.begin(), given.end());
  if (!p.gold.empty() && p.gold.size() != p.begin(p.size()))
    throw nb::value_error("gold does not fit the scores");
  for (uint32_t y : p.gold)
    if (y >= labels) throw nb::value_error("gold has a label without scores");
  return p;
}

// `rows`: how many rows of `labels` scores the table of n words has.
template <class Rows>
Problem table_problem(Array<float> scores, Array<uint64_t> words, uint32_t labels, Array<uint32_t> heads,
                      Array<uint32_t> relations, uint32_t known, float margin, bool crossing, Rows&& rows) {
  std::vector<uint64_t> begin{0};
  for (size_t i = 0; i + 1 < words.shape(0); ++i) {
    const uint64_t n = words.data()[i + 1] - words.data()[i];
    if (words.data()[i] > words.data()[i + 1] || n > 10'000) throw nb::value_error("words are out of order");
    begin.push_back(begin.back() + rows(n) * labels);
  }
  const std::span<const uint64_t> given = span_of(words);
  const auto none = nb::cast<Array<float>>(numpy_of<float>({}));
  Problem p{std::move(scores),
            nb::cast<Array<uint64_t>>(numpy_of(std::move(begin))),
            none,
            labels,
            margin,
            crossing,
            {},
            {},
            {given.begin(), given.end()}};
  if (p.words.empty() || p.words[0] != 0) throw nb::value_error("words are out of order");
  check(p, p.scores.shape(0));
  if (heads.shape(0) != relations.shape(0) || (heads.shape(0) != 0 && heads.shape(0) != p.words.back()))
    throw nb::value_error("gold does not fit the scores");
  for (uint32_t i = 0; i < p.size() && heads.shape(0) != 0; ++i)
    for (uint64_t m = p.words[i]; m < p.words[i + 1]; ++m) {
      if (heads.data()[m] > p.words[i + 1] - p.words[i] || heads.data()[m] == m - p.words[i] + 1 ||
          relations.data()[m] >= known)
        throw nb::value_error("gold has an arc without scores");
      p.arcs.push_back({heads.data()[m], relations.data()[m]});
    }
  return p;
}

Problem tree_problem(Array<float> scores, Array<uint64_t> words, uint32_t labels, Array<uint32_t> heads,
                     Array<uint32_t> relations, float margin, bool crossing) {
  return table_problem(std::move(scores), std::move(words), labels, std::move(heads), std::move(relations),
                       labels, margin, crossing, [](uint64_t n) { return n * (n + 1); });
}

Problem transition_problem(Array<float> scores, Array<uint64_t> words, uint32_t relations, int system,
                           Array<uint32_t> heads, Array<uint32_t> names, float margin) {
  if (relations == 0 || relations > 20'000) throw nb::value_error("scores do not fit the relations");
  const auto actions = static_cast<uint32_t>(scored_actions(static_cast<System>(system), relations).size());
  Problem p =
      table_problem(std::move(scores), std::move(words), actions, std::move(heads), std::move(names),
                    relations, margin, false, [](uint64_t n) { return (n + 1) * (n + 1); });
  p.system = system;
  p.relations = relations;
  return p;
}

struct Loss {
  std::vector<float> gradient, after;
  std::vector<double> losses;  // by input: guess minus gold where it was chosen to update, or 0
};

// The gradient of the loss is minus what a violation says of the scores.
template <class Worker>
nb::tuple loss_of(const Problem& p, const SearchOptions& search, int update, const nb::object& ask,
                  uint32_t threads) {
  Loss out{std::vector<float>(p.scores.shape(0)), std::vector<float>(p.after.shape(0)),
           std::vector<double>(p.size())};
  const TrainOptions options{search, static_cast<Update>(update), false};
  std::unique_ptr<PythonChooser> chooser;
  if (!ask.is_none()) chooser = std::make_unique<PythonChooser>(ask);
  const uint32_t rows = static_cast<uint32_t>(p.scores.shape(0) / p.labels);
  Counts counts;
  {
    nb::gil_scoped_release free;
    Weights weights(1);
    const Perceptron learner(p.margin);
    Batches batches(weights, [&] { return worker_of<Worker>(p, weights, options, learner); });
    if (chooser) batches.choose_with(*chooser);
    std::vector<uint32_t> all(p.size());
    std::iota(all.begin(), all.end(), 0u);
    batches.find(all, threads, counts,
                 [&](uint32_t place, std::span<const Violation> found, const std::vector<Key>&) {
                   for (const Violation& v : found) {
                     out.losses[place] += v.excess;
                     for (const Part& part : v.delta) {
                       auto& table = part.feature < rows ? out.gradient : out.after;
                       const size_t row = part.feature < rows ? part.feature : part.feature - rows;
                       table[row * p.labels + part.column] -= part.value;
                     }
                   }
                 });
  }
  return nb::make_tuple(numpy_of(std::move(out.losses)), numpy_of(std::move(out.gradient)),
                        numpy_of(std::move(out.after)), counts.errors);
}

nb::object best_tags(const Problem& p, const SearchOptions& search) {
  std::vector<uint32_t> out;
  {
    nb::gil_scoped_release free;
    ScoredTagging space(span_of(p.scores), span_of(p.after), p.labels, 0);
    BeamSearch<ScoredTagging> found(search);
    std::vector<Move<ScoredTagging::State>> moves;
    Pulse pulse;
    for (uint32_t i = 0; i < p.size(); ++i) {
      pulse();
      space.input(static_cast<uint32_t>(p.begin(i)), static_cast<uint32_t>(p.begin(i + 1) - p.begin(i)), {});
      found.run(space);
      if (found.rows.empty()) continue;
      found.path(space, found.best_index(found.rows.size() - 1), moves);
      for (const auto& move : moves) out.push_back(move.action);
    }
  }
  return numpy_of(std::move(out));
}

nb::tuple best_trees(const Problem& p) {
  std::vector<uint32_t> heads, relations;
  {
    nb::gil_scoped_release free;
    ScoredTrees space(span_of(p.scores), p.labels, 0, p.crossing);
    ScoredTreeSearch search({});
    for (uint32_t i = 0; i < p.size(); ++i) {
      space.input(p.begin(i), static_cast<uint32_t>(p.words[i + 1] - p.words[i]), {});
      search.run(space);
      for (size_t m = 1; m < search.found.size(); ++m) {
        heads.push_back(search.found[m].head);
        relations.push_back(search.found[m].label);
      }
    }
  }
  return nb::make_tuple(numpy_of(std::move(heads)), numpy_of(std::move(relations)));
}

nb::tuple best_transitions(const Problem& p, const SearchOptions& options) {
  std::vector<uint32_t> heads(p.words.back()), relations(p.words.back());
  {
    nb::gil_scoped_release free;
    ScoredTransitions scored(span_of(p.scores), static_cast<System>(p.system), p.relations, 0, options.merge);
    ScoredTransitions::Search search(options);
    std::vector<Move<ParseState>> moves;
    Pulse pulse;
    for (uint32_t i = 0; i < p.size(); ++i) {
      pulse();
      scored.input(p.begin(i), static_cast<uint32_t>(p.words[i + 1] - p.words[i]), {});
      search.run(scored.space());
      if (search.rows.empty()) continue;
      search.path(scored.space(), search.best_index(search.rows.size() - 1), moves);
      for (const auto& move : moves) {
        const Attached arc = scored.system().attached(move.state, move.action);
        if (arc.dependent == 0) continue;
        heads[p.words[i] + arc.dependent - 1] = arc.head;
        relations[p.words[i] + arc.dependent - 1] = arc.label;
      }
    }
  }
  return nb::make_tuple(numpy_of(std::move(heads)), numpy_of(std::move(relations)));
}

// For each step of each gold derivation the word on top, the word in front and the action.
std::vector<uint32_t> gold_steps(const Problem& p) {
  std::vector<uint32_t> steps;
  ScoredTransitions scored({}, static_cast<System>(p.system), p.relations, 0, false);
  for (uint32_t i = 0; i < p.size(); ++i) {
    const uint64_t n = p.words[i + 1] - p.words[i];
    if (n == 0) continue;
    scored.input(0, static_cast<uint32_t>(n), std::span<const ScoredArc>(p.arcs).subspan(p.words[i], n));
    const bool found = scored.follow([&](uint32_t top, uint32_t front, uint32_t action) {
      steps.insert(steps.end(), {top, front, action});
    });
    if (!found)
      throw std::invalid_argument("tree " + std::to_string(i + 1) +
                                  " has no derivation: crossing arcs or not one root");
  }
  return steps;
}

void bind_transitions(nb::module_& m) {
  m.def(
      "scored_transitions_loss",
      [](Array<float> scores, Array<uint64_t> words, uint32_t relations, int system, Array<uint32_t> heads,
         Array<uint32_t> names, float margin, const SearchOptions& search, int update, nb::object ask,
         uint32_t threads) {
        const Problem p = transition_problem(scores, words, relations, system, heads, names, margin);
        gold_steps(p);  // which refuses trees without derivation
        return loss_of<TransitionWorker>(p, search, update, ask, threads);
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("relations"), nb::arg("system"), nb::arg("heads"),
      nb::arg("names"), nb::arg("margin"), nb::arg("search"), nb::arg("update"), nb::arg("ask").none(),
      nb::arg("threads"));
  m.def(
      "scored_transitions",
      [](Array<float> scores, Array<uint64_t> words, uint32_t relations, int system,
         const SearchOptions& search) {
        const auto none = nb::cast<Array<uint32_t>>(numpy_of<uint32_t>({}));
        return best_transitions(transition_problem(scores, words, relations, system, none, none, 0), search);
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("relations"), nb::arg("system"), nb::arg("search"));
  m.def(
      "transition_steps",
      [](Array<uint64_t> words, uint32_t relations, int system, Array<uint32_t> heads,
         Array<uint32_t> names) {
        const auto none = nb::cast<Array<float>>(numpy_of<float>({}));
        Problem p = table_problem(none, words, 1, heads, names, relations, 0, false,
                                  [](uint64_t) { return uint64_t{0}; });
        scored_actions(static_cast<System>(system), relations);
        p.system = system;
        p.relations = relations;
        return numpy_of(gold_steps(p));
      },
      nb::arg("words"), nb::arg("relations"), nb::arg("system"), nb::arg("heads"), nb::arg("names"));
}

}  // namespace

void bind_scores(nb::module_& m) {
  m.def(
      "scored_tags_loss",
      [](Array<float> scores, Array<uint64_t> offsets, Array<float> after, uint32_t labels,
         Array<uint32_t> gold, float margin, const SearchOptions& search, int update, nb::object ask,
         uint32_t threads) {
        const Problem p = tagging_problem(scores, offsets, after, labels, gold, margin);
        return loss_of<TaggingWorker>(p, search, update, ask, threads);
      },
      nb::arg("scores"), nb::arg("offsets"), nb::arg("after"), nb::arg("labels"), nb::arg("gold"),
      nb::arg("margin"), nb::arg("search"), nb::arg("update"), nb::arg("ask").none(), nb::arg("threads"));
  m.def(
      "scored_trees_loss",
      [](Array<float> scores, Array<uint64_t> words, uint32_t labels, Array<uint32_t> heads,
         Array<uint32_t> relations, float margin, bool crossing, int update, nb::object ask,
         uint32_t threads) {
        const Problem p = tree_problem(scores, words, labels, heads, relations, margin, crossing);
        return loss_of<TreeWorker>(p, {}, update, ask, threads);
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("labels"), nb::arg("heads"), nb::arg("relations"),
      nb::arg("margin"), nb::arg("crossing"), nb::arg("update"), nb::arg("ask").none(), nb::arg("threads"));
  m.def(
      "scored_tags",
      [](Array<float> scores, Array<uint64_t> offsets, Array<float> after, uint32_t labels,
         const SearchOptions& search) {
        const Problem p = tagging_problem(scores, offsets, after, labels,
                                          nb::cast<Array<uint32_t>>(numpy_of<uint32_t>({})), 0);
        return best_tags(p, search);
      },
      nb::arg("scores"), nb::arg("offsets"), nb::arg("after"), nb::arg("labels"), nb::arg("search"));
  m.def(
      "scored_trees",
      [](Array<float> scores, Array<uint64_t> words, uint32_t labels, bool crossing) {
        const auto none = nb::cast<Array<uint32_t>>(numpy_of<uint32_t>({}));
        return best_trees(tree_problem(scores, words, labels, none, none, 0, crossing));
      },
      nb::arg("scores"), nb::arg("words"), nb::arg("labels"), nb::arg("crossing"));
  bind_transitions(m);
}
