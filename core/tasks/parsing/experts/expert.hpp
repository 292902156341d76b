// One of several finished parsers that look for a tree together.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "search/search_options.hpp"
#include "tasks/parsing/decoder.hpp"
#include "tasks/parsing/tree.hpp"

namespace structron {

// What one thread asks of it. Relations have the expert's own numbers.
class TreeExpert {
 public:
  virtual ~TreeExpert() = default;

  // How it will search, and how many of its best trees are wanted.
  virtual void prepare(SearchOptions how, uint32_t trees) = 0;
  virtual LoadedSentences& loaded() = 0;
  virtual void begin_batch() = 0;
  // Makes the k-th sentence of the batch the current one.
  virtual void open(uint32_t k) = 0;
  virtual uint32_t length() const = 0;
  // Its best trees of the current sentence, best first, all different.
  virtual void best(std::vector<Tree>& trees) = 0;
  // What it thinks of trees of that sentence: minus infinity if it cannot build one.
  virtual void score(std::span<const Tree> trees, std::vector<double>& scores) = 0;
};

// An expert with a decoder; Scoring is made with that decoder, and has open(k) and score(trees, scores).
template <class Decoder, class Scoring>
class ExpertOf final : public TreeExpert {
 public:
  template <class... More>
  explicit ExpertOf(std::unique_ptr<Decoder> decoder, More&&... more)
      : decoder_(std::move(decoder)), scoring_(*decoder_, std::forward<More>(more)...) {}

  void prepare(SearchOptions how, uint32_t trees) override {
    if (trees == 1)
      how.scores = false;
    else
      how = Decoder::Search::kbest_options(how, trees);
    wanted_ = trees;
    decoder_->prepare(how);
    search_.emplace(how);
  }
  LoadedSentences& loaded() override { return decoder_->loaded(); }
  void begin_batch() override { decoder_->begin_batch(); }
  void open(uint32_t k) override {
    decoder_->open(k);
    scoring_.open(k);
  }
  uint32_t length() const override { return decoder_->length(); }
  void best(std::vector<Tree>& trees) override {
    search_->run(decoder_->space());
    trees.clear();
    if (wanted_ == 1)
      trees.push_back(decoder_->best(*search_));
    else
      for (auto& [tree, score] : decoder_->kbest(*search_, wanted_)) trees.push_back(std::move(tree));
  }
  void score(std::span<const Tree> trees, std::vector<double>& scores) override {
    scoring_.score(trees, scores);
  }

 private:
  std::unique_ptr<Decoder> decoder_;
  Scoring scoring_;
  std::optional<typename Decoder::Search> search_;
  uint32_t wanted_ = 1;
};

}  // namespace structron
