// SPDX-License-Identifier: Apache-2.0
// Flow: record() merges two maps entry by entry; value() decides by the field's type how an entry that both have is
// merged: record(), map(), list(), or `high` replaces `low`. list() finds the record of `low` that a record of `high`
// means by the values of the fields of a Choice. Values are read into `scratch`, a struct that is thrown away, to
// compare and check them.
#include "yaml/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/path.hpp"
#include "yaml/reader.hpp"

namespace rdmastate::yaml {
namespace {

// Fields whose values together say which record of a list is meant (FieldRules::merge_key).
using Choice = std::vector<const FieldInfo*>;

// By the numbers in FieldRules::merge_key: all fields with 1 are one Choice, all with 2 the next.
std::vector<Choice> numbered_choices(const Record& record) {
  std::vector<Choice> choices;
  for (unsigned number = 1; number <= 2; ++number) {
    Choice choice;
    for (const auto& field : record.fields)
      if (field.rules.merge_key == number) choice.push_back(&field);
    if (!choice.empty()) choices.push_back(std::move(choice));
  }
  return choices;
}

// The choices to try, in this order; empty when no fields tell records of this type apart.
std::vector<Choice> choices_of(const Record& record) {
  if (auto choices = numbered_choices(record); !choices.empty()) return choices;
  if (const FieldInfo* name = record.find("name")) return {{name}};
  Choice identities;
  for (const auto& field : record.fields)
    if (field.rules.identity) identities.push_back(&field);
  return identities.empty() ? std::vector<Choice>{} : std::vector<Choice>{identities};
}

bool is_list_of_records(const ValueType& type) {
  return type.shape == Shape::list && type.element->shape == Shape::record &&
         !choices_of(type.element->record()).empty();
}

// "parent mlx4_ib0, pkey 0x8002"; empty where the record lacks one of the fields, or it cannot be read.
std::string key_text(const Node& node, const Choice& choice, void* scratch) {
  std::string text;
  for (const FieldInfo* field : choice) {
    const Node* value = node.value(field->name);
    if (value == nullptr || value->is_null()) return {};
    Report ignored;
    read_value(*value, *field->type, field->make(scratch), {}, ignored);
    const std::string printed = brief(*field->type, field->look(scratch));
    if (ignored.failed() || printed.empty() || printed == "{}") return {};
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field->name, printed);
  }
  return text;
}

class Merger {
 public:
  Merger(NodeStore& store, Report& report) : store_(store), report_(report) {}

  Node record(const Node& low, const Node& high, const Record& record, void* scratch) {
    std::vector<Entry> entries;
    for (const Entry& entry : low.entries()) {
      const FieldInfo* field = record.find(entry.key.as_scalar().text);
      const Entry* over = field == nullptr ? nullptr : high.find(field->name);
      entries.push_back(over == nullptr ? entry : merged(entry, *over, *field, scratch));
    }
    for (const Entry& entry : high.entries()) {
      const std::string_view key = entry.key.as_scalar().text;
      if (record.find(key) == nullptr || low.find(key) == nullptr) entries.push_back(entry);
    }
    return Node::map(store_.keep(std::span<const Entry>(entries)), high.place());
  }

 private:
  Entry merged(const Entry& low, const Entry& high, const FieldInfo& field, void* scratch) {
    const std::size_t length = path_.size();
    append_key(path_, field.name);
    const Node node = value(low.value, high.value, *field.type, field.make(scratch));
    path_.resize(length);
    return {high.key, node};
  }

  Node value(const Node& low, const Node& high, const ValueType& type, void* scratch) {
    const bool maps = low.type() == NodeType::map && high.type() == NodeType::map;
    if (maps && type.shape == Shape::record) return record(low, high, type.record(), scratch);
    if (maps && type.shape == Shape::map) return map(low, high, type, scratch);
    const bool lists = low.type() == NodeType::list && high.type() == NodeType::list && !high.items().empty();
    if (lists && is_list_of_records(type)) return list(low, high, type, scratch);
    read_value(low, type, scratch, path_, report_);  // `high` replaces it; its mistakes are reported
    return high;
  }

  Node map(const Node& low, const Node& high, const ValueType& type, void* scratch) {
    std::vector<Entry> entries(low.entries().begin(), low.entries().end());
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < entries.size(); ++i) known.emplace(canonical(entries[i].key, type, scratch), i);
    for (const Entry& entry : high.entries()) {
      const auto found = known.find(canonical(entry.key, type, scratch));
      if (found == known.end())
        entries.push_back(entry);
      else
        entries[found->second] = {entry.key, map_value(entries[found->second].value, entry, type, scratch)};
    }
    return Node::map(store_.keep(std::span<const Entry>(entries)), high.place());
  }

  Node map_value(const Node& low, const Entry& high, const ValueType& type, void* scratch) {
    type.clear(scratch);
    std::optional<Complaint> complaint;
    void* slot = type.insert(scratch, high.key.as_scalar(), complaint);
    if (slot == nullptr) return high.value;  // no key of this type, which the reader reports
    const std::size_t length = path_.size();
    append_key(path_, high.key.as_scalar().text);
    const Node node = value(low, high.value, *type.element, slot);
    path_.resize(length);
    return node;
  }

  // A key as its type prints it; as it is written when it cannot be read, which the reader reports.
  static std::string canonical(const Node& key, const ValueType& type, void* scratch) {
    type.clear(scratch);
    std::optional<Complaint> complaint;
    std::string text(key.as_scalar().text);
    if (type.insert(scratch, key.as_scalar(), complaint) != nullptr)
      type.each(scratch, [&](const void* read, const void*) { text = type.key->print(read); });
    return text;
  }

  // The included records by their key_text() for each choice: indices into the merged list.
  using Known = std::unordered_map<std::string, std::vector<std::size_t>>;

  // An element that nothing was read into: the only one of the list `scratch`.
  static void* fresh_element(const ValueType& type, void* scratch) {
    type.clear(scratch);
    return type.append(scratch);
  }

  static Known known_records(const std::vector<Node>& items, const std::vector<Choice>& choices, const ValueType& type,
                             void* scratch) {
    Known known;
    for (std::size_t i = 0; i < items.size(); ++i)
      for (const auto& choice : choices) {
        std::string key = key_text(items[i], choice, fresh_element(type, scratch));
        if (!key.empty()) known[std::move(key)].push_back(i);
      }
    return known;
  }

  Node list(const Node& low, const Node& high, const ValueType& type, void* scratch) {
    const Record& element = type.element->record();
    const auto choices = choices_of(element);
    std::vector<Node> items(low.items().begin(), low.items().end());
    const Known known = known_records(items, choices, type, scratch);
    std::unordered_map<std::size_t, Place> meant_already;  // by index in `items`
    for (const Node& item : high.items()) {
      const auto index = index_meant_by(item, choices, known, meant_already, fresh_element(type, scratch));
      if (!index) {
        items.push_back(item);
        continue;
      }
      const std::size_t length = path_.size();
      append_index(path_, *index);
      items[*index] = record(items[*index], item, element, fresh_element(type, scratch));
      path_.resize(length);
    }
    return Node::list(store_.keep(std::span<const Node>(items)), high.place());
  }

  // The index of the included record that `item` means; nullopt when it is a new one, or when this cannot be told,
  // which is reported.
  std::optional<std::size_t> index_meant_by(const Node& item, const std::vector<Choice>& choices, const Known& known,
                                            std::unordered_map<std::size_t, Place>& meant_already, void* scratch) {
    for (const auto& choice : choices) {
      const std::string key = key_text(item, choice, scratch);
      const auto found = key.empty() ? known.end() : known.find(key);
      if (found == known.end()) continue;
      const std::size_t index = found->second.front();
      const bool is_first = meant_already.emplace(index, item.place()).second;
      if (found->second.size() == 1 && is_first) return index;
      const char* which =
          is_first ? "several included records have it" : "a record above means the included one already";
      report_.add(item.place(), path_,
                  {fmt::format("it is not clear which included record {} means: {}", key, which),
                   {},
                   "let one record of each file say all of it",
                   Severity::error});
      return std::nullopt;
    }
    return std::nullopt;
  }

  NodeStore& store_;
  Report& report_;
  std::string path_;
};

}  // namespace

Node laid_over(const Node& low, const Node& high, const Record& record, void* scratch, NodeStore& store,
               Report& report) {
  if (low.type() == NodeType::map && high.type() == NodeType::map)
    return Merger(store, report).record(low, high, record, scratch);
  read(low, record, scratch, {}, report);
  return high;
}

}  // namespace rdmastate::yaml
