// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/asked.hpp"

#include <algorithm>

#include "platform/layout.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/link_id.hpp"
#include "sections/adopt.hpp"
#include "sections/boot_file.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

/// A field of interfaces: its name in a spec, and its value in a resource and in a record.
template <class Value>
struct AskedField {
  std::string_view name;
  std::optional<Value> (*of_link)(const IpoibLink&);
  std::optional<Value> (*of_record)(const IpoibRecord&);
};

// Adds it, unless `asked` has one for this interface already: the first file counts.
template <class Value>
void add(std::vector<Asked<Value>>& asked, Asked<Value> one) {
  if (std::none_of(asked.begin(), asked.end(), [&](const auto& other) { return other.interface == one.interface; }))
    asked.push_back(std::move(one));
}

// Of the links of boot.json, those too that rdmastate only awaits from their owner.
template <class Value>
void add_of_boot_file(const Snapshot& snapshot, const AskedField<Value>& field, std::vector<Asked<Value>>& asked) {
  constexpr std::size_t first_line = 2;  // line 1 is the file's head
  const std::string path(common_layout().boot_file);
  const auto text = snapshot.read(path);
  if (!text) return;
  const auto wanted = desired_from_boot_file(*text).wanted;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].kind != &ipoib_link_kind || !wanted[i].state) continue;
    const auto value = field.of_link(wanted[i].state->template as<IpoibLink>());
    const Link* link = value ? find_link(snapshot, link_id_from(wanted[i].key)) : nullptr;
    if (link != nullptr) add(asked, {link->name, *value, place_of(path, i + first_line)});
  }
}

// Makes the spec of this host (adopt()), and of it takes the values whose source is a file: the others are those that
// the interfaces have now.
template <class Value>
void add_of_others(const Snapshot& snapshot, const Facts& facts, const AskedField<Value>& field,
                   std::vector<Asked<Value>>& asked) {
  const Adopted adopted = adopt(snapshot, facts);
  const auto& records = adopted.spec.ipoib;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto value = field.of_record(records[i]);
    const auto source =
        std::find_if(adopted.sources.begin(), adopted.sources.end(),
                     [path = ipoib_path(i, field.name)](const FieldSource& one) { return one.path == path; });
    if (!value || source == adopted.sources.end() || !source->source.starts_with('/')) continue;
    add(asked, {records[i].interface_name(), *value, source->source});
  }
}

template <class Value>
std::vector<Asked<Value>> asked_of(const Snapshot& snapshot, const Facts& facts, const AskedField<Value>& field) {
  std::vector<Asked<Value>> asked;
  add_of_boot_file(snapshot, field, asked);
  add_of_others(snapshot, facts, field, asked);
  return asked;
}

}  // namespace

std::vector<Asked<std::uint32_t>> asked_mtus(const Snapshot& snapshot, const Facts& facts) {
  return asked_of<std::uint32_t>(
      snapshot, facts,
      {"mtu", [](const IpoibLink& link) { return link.mtu; }, [](const IpoibRecord& record) { return record.mtu; }});
}

std::vector<Asked<IpoibMode>> asked_modes(const Snapshot& snapshot, const Facts& facts) {
  return asked_of<IpoibMode>(
      snapshot, facts,
      {"mode", [](const IpoibLink& link) { return link.mode; }, [](const IpoibRecord& record) { return record.mode; }});
}

}  // namespace rdmastate
