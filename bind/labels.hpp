#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "bind.hpp"
#include "tasks/tagging/label_sets.hpp"
#include "text.hpp"

// Label names to numbers.
class Labels {
 public:
  explicit Labels(const std::vector<std::string>& names) : names_(names) {
    if (names.empty() || names.size() >= 0xFFFF) throw nb::value_error("there must be 1 to 65534 labels");
    for (size_t i = 0; i < names.size(); ++i) {
      at_[names[i]] = static_cast<uint16_t>(i);
      objects_.push_back(nb::str(names[i].c_str(), names[i].size()));
    }
  }
  uint16_t id(PyObject* s) const {
    if (!PyUnicode_Check(s)) bad_token("a label must be a str", s);
    const auto it = at_.find(std::string(utf8(s)));
    if (it == at_.end()) throw nb::value_error(("unknown label " + std::string(utf8(s))).c_str());
    return it->second;
  }
  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  // The names as Python has them, by number.
  const std::vector<nb::object>& objects() const { return objects_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint16_t> at_;
  std::vector<nb::object> objects_;
};

// What is known of a token's label, as a number of `sets`: a name, None for nothing, or a set of names.
inline uint16_t known_label(const Labels& labels, structron::LabelSets& sets, PyObject* known) {
  if (known == Py_None) return sets.any();
  if (!PyAnySet_Check(known)) return labels.id(known);
  std::vector<uint8_t> row(labels.size());
  for (nb::handle name : items_of(known)) row[labels.id(name.ptr())] = 1;
  return sets.number(row);
}
