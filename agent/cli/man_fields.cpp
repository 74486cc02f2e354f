// SPDX-License-Identifier: Apache-2.0
// The manual page rdmastate.yaml(5), from the field tables.
#include <fmt/format.h>

#include "base/fields_explain.hpp"
#include "cli/man_pages.hpp"
#include "cli/roff.hpp"
#include "sections/spec.hpp"

namespace rdmastate {
namespace {

// The record that the field holds, also in a list or a map; nullptr: it holds none.
const Record* record_in(const FieldInfo& field) {
  const ValueType* type = field.type;
  while (type->element != nullptr) type = type->element;
  return type->shape == Shape::record ? &type->record() : nullptr;
}

void add_field(ManPage& page, const FieldInfo& field, const std::string& path) {
  page.item(roff_bold(path), field.doc);
  std::string rules = fmt::format("Takes {}.", field_takes(field));
  if (field.rules.required) rules += " Required.";
  if (field.rules.identity) rules += " Another value is another object, not a change.";
  if (!field.rules.on_create.empty())
    rules += fmt::format(" What is created without it gets {}.", field.rules.on_create);
  page.more(rules);
  if (!field.rules.example.empty()) page.more(fmt::format("Example: {}: {}", field.name, field.rules.example));
}

// A record's own fields first, then the records inside it, each under the path that `explain` takes.
void add_record(ManPage& page, const Record& record, const std::string& path) {
  for (const auto& field : record.fields) add_field(page, field, path + std::string(field.name));
  for (const auto& field : record.fields) {
    const Record* inside = record_in(field);
    if (inside == nullptr) continue;
    const std::string deeper = path + std::string(field.name);
    page.subsection(deeper);
    page.paragraph(inside->doc);
    add_record(page, *inside, deeper + ".");
  }
}

constexpr std::string_view example = R"(version: 1
modules:
  load: [ib_ipoib, ib_umad]
ipoib:
  - name: mlx4_ib0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    mtu: 65520
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
  - parent: mlx4_ib0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [198.51.100.1/24]}
)";

void add_description(ManPage& page) {
  page.section("DESCRIPTION");
  page.paragraph(record_of<Spec>().doc);
  page.paragraph(
      "It is YAML 1.2, or JSON, of at most 1 MiB: one document, without anchors, aliases and tags. Unknown and duplicate keys are "
      "refused, and so is null. A field that is absent is left alone on what exists; on what is created it takes the "
      "value that is named here. What rdmastate made and the spec no longer names is removed; what it did not make is "
      "never removed.");
  page.paragraph(
      "Fields are named below by their paths, as rdmastate explain takes them: of a list or map, the fields of each "
      "element.");
}

}  // namespace

std::string man_of_fields() {
  ManPage page("RDMASTATE.YAML", 5, "rdmastate.yaml", "what a host's RDMA set-up is");
  page.section("SYNOPSIS");
  page.line(roff_bold("rdmastate apply") + " " + roff_italic("FILE"));
  add_description(page);
  page.section("FIELDS");
  add_record(page, record_of<Spec>(), "");
  page.section("EXAMPLES");
  page.paragraph("A port with one partition:");
  page.example(example);
  page.section("SEE ALSO");
  page.line(".BR rdmastate (8)");
  return page.text();
}

}  // namespace rdmastate
