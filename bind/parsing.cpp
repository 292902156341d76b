#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <ctime>
#include <memory>
#include <string>

#include "bind.hpp"
#include "guards.hpp"
#include "labels.hpp"
#include "tasks/parsing.hpp"
#include "tasks/parsing_corpus.hpp"
#include "text.hpp"
#include "trace_out.hpp"
#include "training.hpp"

using namespace structron;

namespace {

using Live = ParseScorer<LiveRows>;
using Ready = ParseScorer<FrozenRows>;

// System, whether there is one root, (kind, label) of each action, swaps per word.
struct SystemChoice {
  Transitions system;
  Labels labels;

  SystemChoice(const std::vector<std::string>& names, int which, bool single_root,
               const std::vector<std::pair<int, int>>& actions, uint32_t swaps)
      : system(static_cast<System>(which), single_root, static_cast<uint32_t>(names.size()), listed(actions),
               swaps),
        labels(names) {}

  static std::vector<Transition> listed(const std::vector<std::pair<int, int>>& actions) {
    std::vector<Transition> out;
    for (const auto& [kind, label] : actions) {
      if (kind < 0 || kind >= kKinds || label < -1 || label >= 0xFFFF)
        throw nb::value_error("there is no such transition");
      out.push_back({static_cast<Kind>(kind), label < 0 ? kNoLabel : static_cast<uint16_t>(label)});
    }
    return out;
  }
};

uint16_t head_of(PyObject* o, Py_ssize_t n) {
  if (!PyLong_Check(o)) bad_token("a head must be an int", o);
  const long h = PyLong_AsLong(o);
  if (h == -1 && PyErr_Occurred()) PyErr_Clear();
  if (h < 0 || h > n)
    throw nb::value_error(
        ("head " + nb::cast<std::string>(nb::str(nb::handle(o))) + " is not from 0 to " + std::to_string(n))
            .c_str());
  return static_cast<uint16_t>(h);
}

// A tree: heads and labels, as many as there are tokens.
template <class Put>
void read_tree(nb::handle tree, Py_ssize_t n, const Labels& labels, Put&& put) {
  const Sequence both(tree.ptr(), "a tree must be a pair of heads and labels");
  if (both.size() != 2) throw nb::value_error("a tree must be a pair of heads and labels");
  const Sequence heads(both[0], "the heads of a tree must be a list of int");
  const Sequence names(both[1], "the labels of a tree must be a list of str");
  if (heads.size() != n || names.size() != n)
    throw nb::value_error((std::to_string(n) + " tokens but " + std::to_string(heads.size()) + " heads and " +
                           std::to_string(names.size()) + " labels")
                              .c_str());
  for (Py_ssize_t i = 0; i < n; ++i) put(i, head_of(heads[i], n), labels.id(names[i]));
}

void check_length(Py_ssize_t n) {
  if (n > static_cast<Py_ssize_t>(kMostWords))
    throw nb::value_error(
        ("a sentence has " + std::to_string(n) + " tokens, more than " + std::to_string(kMostWords)).c_str());
}

struct Treebank {
  const ParseProgram& program;
  SystemChoice choice;
  ParseCorpus packed;

  Treebank(const ParseProgram& p, const std::vector<std::string>& names, int system, bool single_root,
           const std::vector<std::pair<int, int>>& actions, uint32_t swaps, int bits)
      : program(p), choice(names, system, single_root, actions, swaps), packed(p, choice.system, bits) {}

  void add(nb::handle sentence, nb::handle tree) {
    const Sequence x(sentence.ptr(), "a sentence must be a list of tokens");
    check_length(x.size());
    try {
      packed.open_sentence();
      read_tree(tree, x.size(), choice.labels, [&](Py_ssize_t i, uint16_t head, uint16_t label) {
        read_words(x[i], program.columns(), [&](int c, std::string_view w) { packed.lexicons().read(c, w); });
        packed.close_token(head, label);
      });
      packed.close_sentence();
    } catch (const std::invalid_argument& e) {
      packed.drop_sentence();
      throw nb::value_error(e.what());
    } catch (...) {
      packed.drop_sentence();
      throw;
    }
  }
};

// Training with gold as one derivation or as many.
template <bool Single>
class Training {
 public:
  using Space = ParseSpace<Live, Single>;

  Training(Treebank& corpus, Weights& weights, TrainOptions options, const Learner& learner)
      : corpus_(corpus),
        system_(corpus.choice.system),
        oracle_(system_, !Single),
        scorer_(corpus.program, LiveRows(weights, corpus.packed.open()), options.search.width != 1),
        space_(system_, oracle_, scorer_, learner.margin()),
        options_(options),
        trainer_(weights, learner, options) {
    system_.keep_signatures(options.search.merge);
  }

  void run(Array<uint32_t> order, Counts& counts) {
    for (size_t i = 0; i < order.shape(0); ++i) {
      open(order.data()[i]);
      trainer_.example(space_, counts);
    }
  }

  nb::dict trace(uint32_t sentence) {
    open(sentence);
    Watched<Space> w(options_.search);
    w.start(space_);
    while (w.advance(space_, true)) {
    }
    return trace_out(w);
  }

 private:
  void open(uint32_t s) {
    if (s >= corpus_.packed.sentences()) throw nb::index_error("no such sentence");
    corpus_.packed.gold(s, gold_);
    scorer_.sentence(corpus_.packed.words(s));
    space_.sentence(corpus_.packed.length(s), &gold_);
  }

  Treebank& corpus_;
  Transitions system_;
  ParseOracle oracle_;
  Live scorer_;
  Space space_;
  TrainOptions options_;
  Trainer<Space> trainer_;
  GoldTree gold_;
};

class LiveParser {
 public:
  LiveParser(Treebank& corpus, Weights& weights, bool dynamic, uint32_t width, bool merge, int update,
             bool skip_correct, const Learner& learner) {
    if (update < 0 || update > 5) throw nb::value_error("no such update method");
    if (weights.actions() != corpus.choice.system.size())
      throw nb::value_error("weights and transitions differ in number");
    const TrainOptions options{{width, merge, 1}, static_cast<Update>(update), skip_correct};
    if (dynamic) {
      many_ = std::make_unique<Training<false>>(corpus, weights, options, learner);
    } else {
      single_ = std::make_unique<Training<true>>(corpus, weights, options, learner);
    }
  }

  nb::tuple run(Array<uint32_t> order) {
    Counts c;
    {
      nb::gil_scoped_release free;
      many_ ? many_->run(order, c) : single_->run(order, c);
    }
    return nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early);
  }

  nb::dict trace(uint32_t sentence) { return many_ ? many_->trace(sentence) : single_->trace(sentence); }

 private:
  std::unique_ptr<Training<true>> single_;
  std::unique_ptr<Training<false>> many_;
};

struct Tree {
  std::vector<uint16_t> heads, labels;
};

class FrozenParser {
 public:
  using Space = ParseSpace<Ready, false>;

  FrozenParser(const ParseProgram& program, const std::vector<std::string>& names, int system,
               bool single_root, const std::vector<std::pair<int, int>>& transitions, uint32_t swaps,
               bool dynamic, Array<Key> keys, Array<uint32_t> offsets, Array<uint16_t> actions,
               Array<float> weights, int bits, size_t room)
      : program_(program),
        choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, {keys.data(), keys.shape(0)},
                 {offsets.data(), offsets.shape(0)}, {actions.data(), actions.shape(0)},
                 {weights.data(), weights.shape(0)}),
        oracle_(choice_.system, dynamic),
        lexicons_(program),
        room_(room),
        greedy_(program, FrozenRows(weights_), false),
        beam_(program, FrozenRows(weights_), true) {}

  nb::list predict(nb::handle sentences, uint32_t width, bool merge) {
    nb::list out;
    std::vector<Tree> trees;
    in_batches(
        sentences, {width, merge, 1},
        [&](const Search<Space>& search, const Space& space, uint32_t n) {
          trees.push_back(search.rows.empty() ? Tree{} : tree_of(search, space, search.rows.back().begin, n));
        },
        [&] {
          for (const Tree& t : trees) out.append(pair_of(t));
          trees.clear();
        });
    return out;
  }

  // Per sentence a list of (tree, score), best first.
  nb::list kbest(nb::handle sentences, uint32_t k, uint32_t width, bool merge) {
    nb::list out;
    std::vector<std::vector<std::pair<Tree, double>>> found;
    in_batches(
        sentences, {width, merge, width == 0 ? k : 1},
        [&](const Search<Space>& search, const Space& space, uint32_t n) {
          auto& best = found.emplace_back();
          if (search.rows.empty()) {
            best.push_back({Tree{}, 0.0});
            return;
          }
          const auto row = search.rows.back();
          for (uint32_t i = row.begin; i < row.end && best.size() < k; ++i)
            best.push_back({tree_of(search, space, i, n), search.items[i].score});
        },
        [&] {
          for (const auto& best : found) {
            nb::list one;
            for (const auto& [tree, score] : best) one.append(nb::make_tuple(pair_of(tree), score));
            out.append(one);
          }
          found.clear();
        });
    return out;
  }

  // CPU time spent searching, from integers to integers, since the model was loaded.
  double decode_seconds() const { return decode_seconds_; }

  nb::dict trace(nb::handle sentence, const nb::object& gold, uint32_t width, bool merge) {
    const Alone alone(mutex_);
    begin_batch();
    lay_down(sentence);
    const uint32_t n = lengths_[0];
    GoldTree tree;
    if (!gold.is_none()) {
      std::vector<uint16_t> heads, labels;
      read_tree(gold, n, choice_.labels, [&](Py_ssize_t, uint16_t head, uint16_t label) {
        heads.push_back(head);
        labels.push_back(label);
      });
      tree.set(heads.data(), labels.data(), n, choice_.system.system() == System::swap);
    }
    Ready& scorer = scorer_for(width);
    Space space(choice_.system, oracle_, scorer);
    choice_.system.keep_signatures(merge);
    scorer.sentence({values_.data(), lexicons_.slots()});
    space.sentence(n, gold.is_none() ? nullptr : &tree);
    Watched<Space> w({width, merge, 1});
    w.start(space);
    while (w.advance(space, !gold.is_none())) {
    }
    return trace_out(w);
  }

 private:
  Ready& scorer_for(uint32_t width) { return width == 1 ? greedy_ : beam_; }

  // decoded(search, space, length) is called without the interpreter's lock, flush() with it.
  template <class Decoded, class Flush>
  void in_batches(nb::handle sentences, SearchOptions options, Decoded&& decoded, Flush&& flush) {
    const Alone alone(mutex_);
    const WithoutCollector paused;
    const Sequence all(sentences.ptr(), "X must be a list of sentences");
    constexpr Py_ssize_t kBatch = 64;
    Search<Space> search(options);
    Ready& scorer = scorer_for(options.width);
    Space space(choice_.system, oracle_, scorer);
    choice_.system.keep_signatures(options.merge);
    for (Py_ssize_t from = 0; from < all.size(); from += kBatch) {
      begin_batch();
      const Py_ssize_t to = std::min(all.size(), from + kBatch);
      for (Py_ssize_t s = from; s < to; ++s) {
        try {
          lay_down(all[s]);
        } catch (const nb::builtin_exception& e) {
          const std::string message = "sentence " + std::to_string(s + 1) + ": " + e.what();
          throw nb::builtin_exception(e.type(), message.c_str());
        }
      }
      {
        nb::gil_scoped_release free;
        const std::clock_t began = std::clock();
        const Key* values = values_.data();
        for (uint32_t n : lengths_) {
          scorer.sentence({values, lexicons_.slots()});
          space.sentence(n, nullptr);
          search.start({0.0, space.initial(), kRoot, 0, false});
          while (search.advance(space)) {
          }
          decoded(search, space, n);
          values += static_cast<size_t>(n + 1) * lexicons_.slots();
        }
        decode_seconds_ += static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
      }
      flush();
    }
  }

  void begin_batch() {
    values_.clear();
    lengths_.clear();
    if (lexicons_.words() > room_) lexicons_.clear();
  }
  void lay_down(nb::handle sentence) {
    const Sequence tokens(sentence.ptr(), "a sentence must be a list of tokens");
    check_length(tokens.size());
    lexicons_.put_boundary(values_);
    for (Py_ssize_t i = 0; i < tokens.size(); ++i) {
      read_words(tokens[i], program_.columns(), [&](int c, std::string_view w) { lexicons_.read(c, w); });
      lexicons_.put(values_);
    }
    lengths_.push_back(static_cast<uint32_t>(tokens.size()));
  }

  static Tree tree_of(const Search<Space>& search, const Space& space, uint32_t at, uint32_t n) {
    Tree t{std::vector<uint16_t>(n), std::vector<uint16_t>(n)};
    for (; search.items[at].parent != kRoot; at = search.items[at].parent) {
      const auto& item = search.items[at];
      const Attached arc = space.system().attached(search.items[item.parent].state, item.action);
      if (arc.dependent == 0) continue;
      t.heads[arc.dependent - 1] = static_cast<uint16_t>(arc.head);
      t.labels[arc.dependent - 1] = arc.label;
    }
    return t;
  }

  nb::object pair_of(const Tree& t) const {
    const Py_ssize_t n = static_cast<Py_ssize_t>(t.heads.size());
    nb::object heads = nb::steal<nb::object>(PyList_New(n)), labels = nb::steal<nb::object>(PyList_New(n));
    if (!heads.is_valid() || !labels.is_valid()) throw nb::python_error();
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* label = choice_.labels.object(t.labels[i]);
      Py_INCREF(label);
      PyList_SET_ITEM(heads.ptr(), i, PyLong_FromLong(t.heads[i]));
      PyList_SET_ITEM(labels.ptr(), i, label);
    }
    return nb::make_tuple(heads, labels);
  }

  const ParseProgram& program_;
  SystemChoice choice_;
  Frozen weights_;
  ParseOracle oracle_;
  ParseLexicons lexicons_;
  size_t room_;
  Ready greedy_, beam_;
  std::vector<Key> values_;
  std::vector<uint32_t> lengths_;
  double decode_seconds_ = 0;
  std::mutex mutex_;
};

bool projective(nb::handle heads) {
  const Sequence all(heads.ptr(), "heads must be a list of int");
  check_length(all.size());
  std::vector<uint16_t> h;
  for (Py_ssize_t i = 0; i < all.size(); ++i) h.push_back(head_of(all[i], all.size()));
  return is_projective(h.data(), static_cast<uint32_t>(h.size()));
}

using PlaceTuple = std::tuple<int, int, int>;
using SightTuple = std::tuple<int, PlaceTuple, PlaceTuple, int, int, int, Key>;

ParseTemplate template_of(Key base, const std::vector<SightTuple>& atoms) {
  ParseTemplate t{base, {}};
  for (const auto& [sight, place, other, look, length, column, multiplier] : atoms) {
    if (sight < 0 || sight > static_cast<int>(Sight::distance))
      throw nb::value_error("there is no such atom");
    const auto [p, p1, p2] = place;
    const auto [q, q1, q2] = other;
    t.atoms.push_back({static_cast<Sight>(sight),
                       {p, {p1, p2}},
                       {q, {q1, q2}},
                       static_cast<Look>(look),
                       length,
                       column,
                       multiplier});
  }
  return t;
}

}  // namespace

void bind_parsing(nb::module_& m) {
  m.def("projective", &projective, nb::arg("heads"), "Whether no arcs cross, the root standing first.");

  nb::class_<ParseProgram>(m, "ParsingProgram")
      .def(
          "__init__",
          [](ParseProgram* self, const std::vector<std::pair<Key, std::vector<SightTuple>>>& templates,
             int columns) {
            std::vector<ParseTemplate> read;
            for (const auto& [base, atoms] : templates) read.push_back(template_of(base, atoms));
            new (self) ParseProgram(read, columns);
          },
          nb::arg("templates"), nb::arg("columns"))
      .def_prop_ro("columns", &ParseProgram::columns);

  nb::class_<Treebank>(m, "ParsingCorpus")
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, int>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("bits") = 0, nb::keep_alive<1, 2>())
      .def("add", &Treebank::add)
      .def("cut", [](Treebank& t, uint32_t times) { t.packed.cut(times); })
      .def_prop_ro("sentences", [](const Treebank& c) { return c.packed.sentences(); })
      .def_prop_ro("tokens", [](const Treebank& c) { return c.packed.tokens(); });

  nb::class_<LiveParser>(m, "LiveParser")
      .def(nb::init<Treebank&, Weights&, bool, uint32_t, bool, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("dynamic"), nb::arg("width"), nb::arg("merge"),
           nb::arg("update"), nb::arg("skip_correct"), nb::arg("learner"), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>(), nb::keep_alive<1, 9>())
      .def("run", &LiveParser::run)
      .def("trace", &LiveParser::trace);

  nb::class_<FrozenParser>(m, "FrozenParser")
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, bool, Array<Key>, Array<uint32_t>,
                    Array<uint16_t>, Array<float>, int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("dynamic"), nb::arg("keys"), nb::arg("offsets"),
           nb::arg("actions"), nb::arg("weights"), nb::arg("bits") = 0, nb::arg("room") = size_t{1} << 20,
           nb::keep_alive<1, 2>())
      .def("predict", &FrozenParser::predict, nb::arg("sentences"), nb::arg("width"), nb::arg("merge"))
      .def("kbest", &FrozenParser::kbest, nb::arg("sentences"), nb::arg("k"), nb::arg("width"),
           nb::arg("merge"))
      .def("trace", &FrozenParser::trace, nb::arg("sentence"), nb::arg("gold").none(), nb::arg("width"),
           nb::arg("merge"))
      .def_prop_ro("decode_seconds", &FrozenParser::decode_seconds);
}
