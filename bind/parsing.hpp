// What all parsers' bindings share: systems and trees from Python, treebanks, trainers, sentences laid down.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "labels.hpp"
#include "live.hpp"
#include "shared.hpp"
#include "tasks/parsing/corpus.hpp"
#include "tasks/parsing/space.hpp"
#include "text.hpp"
#include "training.hpp"

using namespace structron;

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

inline uint16_t head_of(PyObject* o, Py_ssize_t n) {
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

inline void check_length(Py_ssize_t n) {
  if (n > static_cast<Py_ssize_t>(kMostWords))
    throw nb::value_error(
        ("a sentence has " + std::to_string(n) + " tokens, more than " + std::to_string(kMostWords)).c_str());
}

struct Treebank {
  const ParseProgram& program;
  SystemChoice choice;
  ParseCorpus packed;
  Packing packing;

  Treebank(const ParseProgram& p, const std::vector<std::string>& names, int system, bool single_root,
           const std::vector<std::pair<int, int>>& actions, uint32_t swaps, int bits)
      : program(p), choice(names, system, single_root, actions, swaps), packed(p, choice.system, bits) {}

  void add(nb::handle sentence, nb::handle tree) {
    const Sequence x(sentence.ptr(), "a sentence must be a list of tokens");
    check_length(x.size());
    const Packing::Change change(packing);
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
  void keep(Array<Key> keys) {
    const Packing::Change change(packing);
    packed.keep({keys.data(), keys.shape(0)});
  }
};

// What one thread needs to train on its own: gold is one derivation or many, as the space has it.
template <class AnySearch>
struct ParsingWorker {
  using Search = AnySearch;
  using Space = typename Search::Space;

  ParsingWorker(const Treebank& treebank, Weights& weights, const TrainOptions& options,
                const Learner& learner)
      : packed(treebank.packed),
        naming(weights, false),
        system(treebank.choice.system),
        oracle(system, !Space::kOffers.single_gold),
        scorer(treebank.program, LiveRows(weights, naming, packed.open()), options.search.width != 1),
        parsing(system, oracle, scorer, learner.margin()),
        trainer(weights, learner, options) {
    system.keep_signatures(options.search.merge);
  }

  Space& space() { return parsing; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    packed.gold(sentence, gold);
    scorer.sentence(packed.words(sentence));
    parsing.sentence(packed.words(sentence), packed.length(sentence), &gold);
  }

  const ParseCorpus& packed;
  Naming naming;
  Transitions system;
  ParseOracle oracle;
  ParseScorer<LiveRows> scorer;
  Space parsing;
  Trainer<Watched<Search>> trainer;
  GoldTree gold;
};

// Sentences to be parsed, as values; the current one is chosen by its place.
class LaidSentences {
 public:
  LaidSentences(const ParseProgram& program, size_t room)
      : program_(program), lexicons_(program), room_(room) {}

  void begin_batch() {
    values_.clear();
    begin_.assign(1, 0);
    if (lexicons_.words() <= room_) return;
    ++evictions_;
    lexicons_.clear();
  }
  // How often the words kept from earlier sentences were let go.
  uint64_t& evictions() { return evictions_; }
  void lay_down(nb::handle sentence) {
    lexicons_.put_boundary(values_);
    const Py_ssize_t n = each_of(sentence.ptr(), "a sentence must be a list of tokens", [&](PyObject* token) {
      read_words(token, program_.columns(), [&](int c, std::string_view w) { lexicons_.read(c, w); });
      lexicons_.put(values_);
    });
    check_length(n);
    begin_.push_back(begin_.back() + static_cast<uint32_t>(n) + 1);  // the root is one of them
  }
  uint32_t length(uint32_t k) const { return begin_[k + 1] - begin_[k] - 1; }
  ParseWords words(uint32_t k) const {
    return {values_.data() + static_cast<size_t>(begin_[k]) * lexicons_.slots(), lexicons_.slots()};
  }

 private:
  const ParseProgram& program_;
  ParseLexicons lexicons_;
  size_t room_;
  uint64_t evictions_ = 0;
  std::vector<Key> values_;
  std::vector<uint32_t> begin_{0};
};

inline GoldTree gold_of(nb::handle gold, uint32_t length, const SystemChoice& choice) {
  std::vector<uint16_t> heads, labels;
  read_tree(gold, length, choice.labels, [&](Py_ssize_t, uint16_t head, uint16_t label) {
    heads.push_back(head);
    labels.push_back(label);
  });
  GoldTree tree;
  tree.set(heads.data(), labels.data(), length, choice.system.system() == System::swap);
  return tree;
}

// A tree that was found.
struct Tree {
  std::vector<uint16_t> heads, labels;

  explicit Tree(uint32_t length = 0) : heads(length), labels(length) {}
  auto operator<=>(const Tree&) const = default;
  void put(const Attached& arc) {
    if (arc.dependent == 0) return;
    heads[arc.dependent - 1] = static_cast<uint16_t>(arc.head);
    labels[arc.dependent - 1] = arc.label;
  }

  nb::object pair(const Labels& names) const {
    const Py_ssize_t n = static_cast<Py_ssize_t>(heads.size());
    nb::object first = nb::steal<nb::object>(PyList_New(n)), second = nb::steal<nb::object>(PyList_New(n));
    if (!first.is_valid() || !second.is_valid()) throw nb::python_error();
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* label = names.object(labels[i]);
      Py_INCREF(label);
      PyList_SET_ITEM(first.ptr(), i, PyLong_FromLong(heads[i]));
      PyList_SET_ITEM(second.ptr(), i, label);
    }
    return nb::make_tuple(first, second);
  }
};
