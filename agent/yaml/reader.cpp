// SPDX-License-Identifier: Apache-2.0
// Flow: record() reads each entry of a map into the field of its name, and reports the fields that are missing. value()
// and read_into() read one node by its type: fits() checks that it is a scalar, list or map as the type wants it. path_
// is the path of what is being read.
#include "yaml/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/path.hpp"

namespace rdmastate::yaml {
namespace {

std::string_view name_of(NodeType type) {
  switch (type) {
    case NodeType::scalar:
      return "a single value";
    case NodeType::list:
      return "a list";
    case NodeType::map:
      return "a map";
    case NodeType::broken:
      break;
  }
  return "nothing";
}

NodeType node_type_for(Shape shape) {
  switch (shape) {
    case Shape::scalar:
      return NodeType::scalar;
    case Shape::list:
      return NodeType::list;
    case Shape::map:
    case Shape::record:
      break;
  }
  return NodeType::map;
}

// Restores a path, when it is destroyed, to what it was before a step down.
class Deeper {
 public:
  explicit Deeper(std::string& path) : path_(path), length_(path.size()) {}
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  ~Deeper() { path_.resize(length_); }

 private:
  std::string& path_;
  std::size_t length_;
};

class Reader {
 public:
  Reader(std::string path, Report& report) : path_(std::move(path)), report_(report) {}

  // `at` is where a mistake about the record as a whole is shown.
  void record(const Node& node, const Record& record, void* out, const Place& at) {
    std::vector<std::string_view> misspelt;  // fields that a misspelt key probably means: not reported as missing too
    for (const Entry& entry : node.entries()) {
      const FieldInfo* field = record.find(entry.key.as_scalar().text);
      if (field == nullptr) {
        misspelt.push_back(report_unknown(entry, record));
        continue;
      }
      const Deeper deeper(path_);
      append_key(path_, field->name);
      if (fits(entry.value, *field->type, place_of(entry)))
        read_into(entry.value, *field->type, field->make(out), place_of(entry), field->rules.wanted);
    }
    for (const auto& field : record.fields) {
      if (!field.rules.required || node.find(field.name) != nullptr) continue;
      note_missing(field);
      if (std::find(misspelt.begin(), misspelt.end(), field.name) == misspelt.end()) report_missing(field, at);
    }
  }

  void value(const Node& node, const ValueType& type, void* out, const Place& at) {
    if (fits(node, type, at)) read_into(node, type, out, at, {});
  }

 private:
  // Whether the node has the shape of the type; false, and reported, when it has not.
  bool fits(const Node& node, const ValueType& type, const Place& at) {
    if (node.type() == NodeType::broken) return false;
    if (node.is_null()) return report_null(node, at), false;
    if (node.type() == node_type_for(type.shape)) return true;
    report_wrong_shape(node, type, at);
    return false;
  }

  // Reads a node of the right shape. `wanted` is what the field says that it takes; empty: what the type says.
  void read_into(const Node& node, const ValueType& type, void* out, const Place& at, std::string_view wanted) {
    switch (type.shape) {
      case Shape::scalar:
        return scalar(node, type, out, wanted);
      case Shape::list:
        return list(node, type, out);
      case Shape::map:
        return map(node, type, out);
      case Shape::record:
        return record(node, type.record(), out, at);
    }
  }

  void scalar(const Node& node, const ValueType& type, void* out, std::string_view wanted) {
    auto complaint = type.read(node.as_scalar(), out);
    if (!complaint) return;
    if (!wanted.empty()) complaint->expected = wanted;
    add(node.place(), std::move(*complaint));
  }

  void list(const Node& node, const ValueType& type, void* out) {
    type.clear(out);
    for (std::size_t i = 0; i < node.items().size(); ++i) {
      const Deeper deeper(path_);
      append_index(path_, i);
      value(node.items()[i], *type.element, type.append(out), node.items()[i].place());
    }
  }

  void map(const Node& node, const ValueType& type, void* out) {
    type.clear(out);
    for (const Entry& entry : node.entries()) {
      const std::size_t size = type.size(out);
      std::optional<Complaint> complaint;
      void* slot = type.insert(out, entry.key.as_scalar(), complaint);
      const bool again = slot != nullptr && type.size(out) == size;
      if (again) complaint = unexpected(type.key->wanted, entry.key.as_scalar(), "means the same as a key above it");
      if (complaint) add(entry.key.place(), std::move(*complaint));
      if (slot == nullptr || again) continue;
      const Deeper deeper(path_);
      append_key(path_, entry.key.as_scalar().text);
      value(entry.value, *type.element, slot, place_of(entry));
    }
  }

  // Returns the field that the key probably means; empty when there is none.
  std::string_view report_unknown(const Entry& entry, const Record& record) {
    const std::string_view key = entry.key.as_scalar().text;
    if (std::find(record.later.begin(), record.later.end(), key) != record.later.end())
      return report_not_yet(entry, key);
    for (const NeverKey& never : record.never)
      if (never.key == key) return report_never(entry, never);
    const auto names = record.names();
    const std::string_view meant = nearest(key, names);
    add(entry.key.place(),
        {fmt::format("unknown key '{}'", printable(key)), "one of " + fmt::format("{}", fmt::join(names, ", ")),
         meant.empty() ? "" : fmt::format("did you mean {}?", meant), Severity::error});
    return meant;
  }

  std::string_view report_not_yet(const Entry& entry, std::string_view key) {
    add(entry.key.place(), {fmt::format("'{}' is not in this version of rdmastate", key),
                            {},
                            "remove it, or use a version that has it",
                            Severity::error});
    return {};
  }

  std::string_view report_never(const Entry& entry, const NeverKey& never) {
    add(entry.key.place(), {std::string(never.why), {}, fmt::format("take {} out", never.key), Severity::error});
    return {};
  }

  // The field holds a default that nobody wrote: no rule is to judge it.
  void note_missing(const FieldInfo& field) {
    const Deeper deeper(path_);
    append_key(path_, field.name);
    report_.note_unread(path_);
  }

  void report_missing(const FieldInfo& field, const Place& at) {
    const std::string hint =
        field.rules.example.empty() ? "" : fmt::format("for example {}: {}", field.name, field.rules.example);
    add(at, {fmt::format("'{}' is missing", field.name), std::string(field.wanted()), hint, Severity::error});
  }

  void report_null(const Node& node, const Place& at) {
    const bool written = !node.as_scalar().text.empty();
    add(at, {written ? fmt::format("{} is no value", node.as_scalar().text) : "has no value",
             {},
             "leave it out instead",
             Severity::error});
  }

  void report_wrong_shape(const Node& node, const ValueType& type, const Place& at) {
    const std::string_view wanted = type.shape == Shape::scalar ? type.wanted : name_of(node_type_for(type.shape));
    std::string hint;
    const bool one_for_many = type.shape == Shape::list && node.type() == NodeType::scalar;
    if (one_for_many) hint = fmt::format("write [{}]", printable(node.as_scalar().text));
    add(at, {fmt::format("expected {}, got {}", wanted, name_of(node.type())), {}, hint, Severity::error});
  }

  void add(const Place& place, Complaint complaint) { report_.add(place, path_, std::move(complaint)); }

  std::string path_;
  Report& report_;
};

}  // namespace

void read(const Node& node, const Record& record, void* out, const std::string& path, Report& report) {
  static constexpr ValueType any_record{Shape::record};
  Reader reader(path, report);
  if (node.type() == NodeType::map) return reader.record(node, record, out, node.place());
  reader.value(node, any_record, out, node.place());  // reports that it is no map, and reads nothing
}

void read_value(const Node& node, const ValueType& type, void* out, const std::string& path, Report& report) {
  Reader(path, report).value(node, type, out, node.place());
}

}  // namespace rdmastate::yaml
