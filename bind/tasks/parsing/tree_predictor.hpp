// A predictor of trees that others may ask: see core/tasks/parsing/experts/expert.hpp.
#pragma once
#include <memory>

#include "labels.hpp"
#include "predictor.hpp"
#include "tasks/parsing/experts/expert.hpp"

class TreePredictor : public Predictor {
 public:
  // For one thread.
  virtual std::unique_ptr<structron::TreeExpert> expert() const = 0;
  virtual const Labels& relations() const = 0;
};
