// Phrase-based translation: an action translates a span of source words; the derivation is latent.
//
// structron/tasks/translation/decoding/space.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "search/search_space.hpp"
#include "tasks/translation/decoding/coverage.hpp"
#include "tasks/translation/decoding/forced_decoding.hpp"
#include "tasks/translation/decoding/scorer.hpp"
#include "tasks/translation/decoding/sentence_bleu.hpp"
#include "weights/signed_keys.hpp"

namespace structron {

template <class Rows>
class TranslationSpace {
 public:
  struct State {
    Coverage covered;
    uint32_t last;     // the option that was taken last; kNone at the beginning
    uint32_t context;  // what was said last
    uint32_t node;     // what was said, as a prefix of the references; kNone once it is none
  };
  using Moves = std::vector<Move<State>>;
  static constexpr Offers kOffers{.grouped = true,
                                  .output_after = true,
                                  .gold_merge_key = true,
                                  .exhaustive_gold = true,
                                  .bin_class = true,
                                  .loss = true};

  // largest: no sparse feature has a greater weight; infinity while they are learned.
  TranslationSpace(const Phrasebook& book, const TranslationSettings& settings, Rows rows, float margin,
                   float largest)
      : scorer_(book, settings, rows, largest), settings_(settings), rows_(rows), margin_(margin) {}

  // gold may be null when nothing is watched; `left` as SentenceOptions takes it.
  void source(std::span<const Key> words, const PhraseGold* gold, std::span<const LeftOption> left = {}) {
    scorer_.read(words, left);
    gold_ = gold;
    bleu_ = nullptr;
    demand_margin();
    is_stale_ = false;
  }

  // Gold for the source that is open, where it had none.
  void aim(const PhraseGold* gold, SentenceBleu* bleu) {
    gold_ = gold;
    bleu_ = bleu;
    demand_margin();
  }

  const SentenceOptions& options() const { return scorer_.options(); }
  uint64_t& evictions() { return evictions_; }

  State initial() {
    refresh();
    return {{}, kNone, scorer_.contexts().begin(), gold_ == nullptr ? kNone : 0};
  }
  int step(const State& s) const { return static_cast<int>(s.covered.words()); }
  bool is_final(const State& s) const { return s.covered.gap >= words(); }

  State advance(const State& s, uint32_t action) {
    const PhraseOption& option = options()[action];
    State to{s.covered.with(option.start, option.end), action, scorer_.context_after(action, s.context),
             kNone};
    if (s.node != kNone) to.node = gold_->after(s.node, options(), action);
    return to;
  }

  // The spans that can come next, with their options.
  std::span<const ActionGroup> groups(const State& s) {
    refresh();
    groups_.clear();
    const uint32_t last_start = start_of(s.last), last_end = end_of(s.last);
    options().each_span(s.covered, last_end, settings_.distortion_limit,
                        [&](uint32_t start, uint32_t end, uint32_t first, uint32_t last) {
                          const Coverage covered = s.covered.with(start, end);
                          const uint32_t turn = orientation(last_start, last_end, start, end);
                          // The end of the sentence adds what no bound knows.
                          const float* bounds = covered.gap < words() ? scorer_.bounds(turn) : nullptr;
                          const double rest = settings_.outlook ? scorer_.future().of(covered) : 0;
                          groups_.push_back({first, last, end - start, rest,
                                             distortion(last_end, start) + scorer_.following(s.last, turn),
                                             bounds == nullptr ? nullptr : bounds + first});
                        });
    return groups_;
  }
  float gain(const State& s, uint32_t action) {
    const PhraseOption& option = options()[action];
    const uint32_t turn = orientation(start_of(s.last), end_of(s.last), option.start, option.end);
    uint32_t context = s.context;
    double sum = distortion(end_of(s.last), option.start) + scorer_.following(s.last, turn) +
                 static_cast<double>(scorer_.base(turn)[action]) + scorer_.say(action, context);
    if (is_last(s, option)) sum += scorer_.following(action, turn_to_end(option)) + scorer_.end(context);
    return static_cast<float>(sum);
  }

  // Paths that have said the same have the same key.
  Key output_after(Key before, uint32_t action) const {
    for (uint32_t token : options().target(action)) before = combine(before, options().tokens()[token].key);
    return before;
  }

  uint64_t merge_key(const State& s) const {
    const Key place = Key{start_of(s.last)} << 32 | end_of(s.last);
    const Key said = Key{scorer_.following_class(s.last)} << 32 | s.context;
    return combine(combine(combine(s.covered.window, s.covered.gap), place), said);
  }
  // What gold can still do depends on how far the reference is, too.
  uint64_t gold_merge_key(const State& s) const { return combine(merge_key(s), s.node); }

  // What is covered.
  uint64_t bin_class(const State& s) const { return combine(s.covered.window, s.covered.gap); }

  bool allows(const State& s, uint32_t action) const {
    if (gold_ == nullptr || s.node == kNone) return false;
    const uint32_t node = gold_->after(s.node, options(), action);
    const PhraseOption& option = options()[action];
    return node != kNone && gold_->passes(s.covered.with(option.start, option.end), option.end, node);
  }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { is_stale_ = true; }

  // Source words that the guess translates by options which gold does not use; where gold is judged by BLEU,
  // what the guess lacks of it if both are whole, else nothing.
  double loss(const Moves& gold, const Moves& guess) const {
    if (bleu_ != nullptr) {
      if (!is_whole(gold) || !is_whole(guess)) return 0;
      const double right = bleu_->gain(output_of(gold));
      return std::max(0.0, right - bleu_->gain(output_of(guess)));
    }
    double wrong = 0;
    for (const Move<State>& move : guess)
      if (std::none_of(gold.begin(), gold.end(), [&](const auto& g) { return g.action == move.action; }))
        wrong += options()[move.action].end - options()[move.action].start;
    return wrong;
  }

  // Phi(gold) - Phi(guess); what both have is left out.
  void difference(const Moves& gold, const Moves& guess, Difference& delta) {
    forget_sparse();
    std::array<double, Dense::kSize> right = features(gold, 1), wrong = features(guess, -1);
    if (!settings_.frozen) add_dense_difference(right, wrong, settings_.scale, delta);
    add_difference(keys_, rows_, delta);
  }
  // The dense features of a path; its sparse ones are put beside the others.
  std::array<double, Dense::kSize> features(const Moves& moves, int sign) {
    std::array<double, Dense::kSize> f{};
    for (const auto& [s, action] : moves) {
      const PhraseOption& option = options()[action];
      const bool last = is_last(s, option);
      const uint32_t turn = orientation(start_of(s.last), end_of(s.last), option.start, option.end);
      scorer_.add_own(action, f);
      scorer_.add_spoken(action, s.context, last, f);
      f[Dense::kDistortion] -= jump(end_of(s.last), option.start);
      f[Dense::kReordering + turn] += options().reordering(action)[turn];
      if (s.last != kNone)
        f[Dense::kReordering + kTurns + turn] += options().reordering(s.last)[kTurns + turn];
      if (last) {
        const uint32_t to_end = kTurns + turn_to_end(option);
        f[Dense::kReordering + to_end] += options().reordering(action)[to_end];
      }
      scorer_.each_key(action, s.context, last, [&](Key key) { keys_.push_back({rows_.folded(key), sign}); });
    }
    return f;
  }
  // What was put beside the others so far.
  void forget_sparse() { keys_.clear(); }

 private:
  uint32_t words() const { return static_cast<uint32_t>(options().source().size()); }
  uint32_t start_of(uint32_t last) const { return last == kNone ? 0 : options()[last].start; }
  uint32_t end_of(uint32_t last) const { return last == kNone ? 0 : options()[last].end; }
  static uint32_t jump(uint32_t from, uint32_t to) { return from < to ? to - from : from - to; }
  double distortion(uint32_t from, uint32_t to) const {
    return -static_cast<double>(scorer_.dense(Dense::kDistortion)) * jump(from, to);
  }
  bool is_last(const State& s, const PhraseOption& option) const {
    return s.covered.words() + (option.end - option.start) == words();
  }
  // As if the next phrase began after the sentence.
  uint32_t turn_to_end(const PhraseOption& option) const {
    return orientation(option.start, option.end, words(), words() + 1);
  }

  bool is_whole(const Moves& moves) const {
    return !moves.empty() && is_last(moves.back().state, options()[moves.back().action]);
  }
  std::vector<Key> output_of(const Moves& moves) const {
    std::vector<Key> words;
    for (const Move<State>& move : moves)
      for (uint32_t token : options().target(move.action)) words.push_back(options().tokens()[token].key);
    return words;
  }

  void refresh() {
    if (!is_stale_) return;
    scorer_.weigh();
    demand_margin();
    is_stale_ = false;
  }
  // An option that no gold derivation takes scores this much more.
  void demand_margin() {
    if (margin_ != 0 && gold_ != nullptr)
      scorer_.raise(margin_, [&](uint32_t option) { return !gold_->takes(option); });
  }

  TranslationScorer<Rows> scorer_;
  const TranslationSettings& settings_;
  Rows rows_;
  float margin_;
  const PhraseGold* gold_ = nullptr;
  SentenceBleu* bleu_ = nullptr;
  bool is_stale_ = false;
  std::vector<ActionGroup> groups_;
  SignedKeys keys_;
  uint64_t evictions_ = 0;
};

}  // namespace structron
