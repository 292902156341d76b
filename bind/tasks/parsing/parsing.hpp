// What all parsers' bindings share: systems, trees and sentences from Python, treebanks.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "labels.hpp"
#include "predictor.hpp"
#include "restricted.hpp"
#include "shared.hpp"
#include "tasks/parsing/corpus.hpp"
#include "tasks/parsing/decoder.hpp"
#include "tasks/parsing/worker.hpp"
#include "text.hpp"
#include "trainer.hpp"

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

// A head, or None where nobody knows it.
inline uint16_t head_of(PyObject* o, Py_ssize_t n) {
  if (o == Py_None) return kUnknown;
  if (!PyLong_Check(o)) bad_token("a head must be an int", o);
  const long h = PyLong_AsLong(o);
  if (h == -1 && PyErr_Occurred()) PyErr_Clear();
  if (h < 0 || h > n)
    throw nb::value_error(
        ("head " + nb::cast<std::string>(nb::str(nb::handle(o))) + " is not from 0 to " + std::to_string(n))
            .c_str());
  return static_cast<uint16_t>(h);
}

// A tree: heads and labels, as many as there are tokens; None where nobody knows, if that may be.
template <class Put>
void read_tree(nb::handle tree, Py_ssize_t n, const Labels& labels, bool partial, Put&& put) {
  const Sequence both(tree.ptr(), "a tree must be a pair of heads and labels");
  if (both.size() != 2) throw nb::value_error("a tree must be a pair of heads and labels");
  const Sequence heads(both[0], "the heads of a tree must be a list of int");
  const Sequence names(both[1], "the labels of a tree must be a list of str");
  if (heads.size() != n || names.size() != n)
    throw nb::value_error((std::to_string(n) + " tokens but " + std::to_string(heads.size()) + " heads and " +
                           std::to_string(names.size()) + " labels")
                              .c_str());
  for (Py_ssize_t i = 0; i < n && !partial; ++i)
    if (heads[i] == Py_None || names[i] == Py_None) throw nb::value_error("a part of the tree is not known");
  for (Py_ssize_t i = 0; i < n; ++i)
    put(i, head_of(heads[i], n), names[i] == Py_None ? kUnknown : labels.id(names[i]));
}

inline void check_length(Py_ssize_t n) {
  if (n > static_cast<Py_ssize_t>(kMostWords))
    throw nb::value_error(
        ("a sentence has " + std::to_string(n) + " tokens, more than " + std::to_string(kMostWords)).c_str());
}

// One more sentence of a treebank; one that turns out bad half-way is forgotten.
template <class PackedTrees>
void add_tree(PackedTrees& packed, int columns, const Labels& labels, Packing& packing, nb::handle sentence,
              nb::handle tree) {
  const Sequence x(sentence.ptr(), "a sentence must be a list of tokens");
  check_length(x.size());
  const Packing::Change change(packing);
  try {
    packed.open_sentence();
    read_tree(tree, x.size(), labels, true, [&](Py_ssize_t i, uint16_t head, uint16_t label) {
      read_words(x[i], columns, [&](int c, std::string_view w) { packed.lexicons().read(c, w); });
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

struct Treebank {
  const ParseProgram& program;
  SystemChoice choice;
  ParseCorpus packed;
  Packing packing;

  Treebank(const ParseProgram& p, const std::vector<std::string>& names, int system, bool single_root,
           const std::vector<std::pair<int, int>>& actions, uint32_t swaps, int bits)
      : program(p), choice(names, system, single_root, actions, swaps), packed(p, choice.system, bits) {}

  void add(nb::handle sentence, nb::handle tree) {
    add_tree(packed, program.columns(), choice.labels, packing, sentence, tree);
  }
  void keep(Array<Key> keys) {
    const Packing::Change change(packing);
    packed.keep({keys.data(), keys.shape(0)});
  }
};

// A worker on this treebank; see core/tasks/parsing/worker.hpp.
template <class Worker>
auto make_worker(const Treebank& corpus, SharedWeights& weights, const TrainOptions& options,
                 const Learner& learner, bool dynamic = false) {
  return [&corpus, &weights, options, &learner, dynamic] {
    return worker_of<Worker>(corpus.program, corpus.choice.system, corpus.packed, weights, options, learner,
                             dynamic);
  };
}

// The weights, if they are of this treebank, which from now on stays as it is.
inline SharedWeights& checked_weights(SharedWeights& weights, Treebank& corpus) {
  if (weights.columns() != corpus.choice.system.size())
    throw nb::value_error("weights and transitions differ in number");
  corpus.packing.close();
  return weights;
}

inline GoldTree gold_of(nb::handle gold, uint32_t length, const Labels& names, bool with_order) {
  std::vector<uint16_t> heads, labels;
  read_tree(gold, length, names, true, [&](Py_ssize_t, uint16_t head, uint16_t label) {
    heads.push_back(head);
    labels.push_back(label);
  });
  GoldTree tree;
  tree.set(heads.data(), labels.data(), length, with_order);
  return tree;
}

// A sentence of which parts of the tree may be given, as a tree that is not all known; without names of
// relations they are passed over.
inline void load(LoadedSentences& loaded, nb::handle given, const Labels* names = nullptr) {
  const WithParts both(given);
  const nb::handle sentence = both.input;
  loaded.begin_sentence();
  const Py_ssize_t n = each_token(
      sentence, loaded.columns(), [&](int c, std::string_view w) { loaded.add_word(c, w); },
      [&] { loaded.close_token(); });
  check_length(n);
  loaded.close_sentence();
  if (!both.is_restricted() || names == nullptr) return;
  GoldTree tree = gold_of(both.parts, static_cast<uint32_t>(n), *names, false);
  check_tree(tree.head.data() + 1, static_cast<uint32_t>(n));
  loaded.give(std::move(tree));
}

inline nb::object pair_of(const Tree& tree, const Labels& names) {
  const Py_ssize_t n = static_cast<Py_ssize_t>(tree.heads.size());
  nb::object heads = nb::steal<nb::object>(PyList_New(n));
  if (!heads.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < n; ++i) NB_LIST_SET_ITEM(heads.ptr(), i, PyLong_FromLong(tree.heads[i]));
  return nb::make_tuple(heads, list_of(names.objects(), tree.labels));
}

// Sentences to be parsed, as Python has them.
template <class Decoder>
auto parser_inputs(nb::handle sentences, const Labels& names) {
  return PythonInputs(
      sentences, "X must be a list of sentences", "sentence",
      [&names](Decoder& decoder, nb::handle sentence) { load(decoder.loaded(), sentence, &names); });
}

// One sentence is loaded and open; with gold, if there is any.
template <class Decoder>
void open_one(Decoder& decoder, nb::handle sentence, const nb::object& gold, const Labels& names,
              bool with_order, GoldTree& tree) {
  decoder.begin_batch();
  load(decoder.loaded(), sentence, &names);
  decoder.open(0);
  if (gold.is_none()) return;
  tree = gold_of(gold, decoder.length(), names, with_order);
  decoder.open(0, &tree);
}
