// SPDX-License-Identifier: Apache-2.0
#include "resources/link_id.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"

namespace rdmastate {
namespace {

// Takes `word` and the value after it off the front of `text`: "port 1 pkey 0x8002" -> "1", rest "pkey 0x8002".
std::optional<std::string> take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || text.substr(word.size(), 1) != " ") return std::nullopt;
  text.remove_prefix(word.size() + 1);
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string value(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return value;
}

bool read_selector(std::string_view& text, LinkId& out) {
  if (auto device = take(text, "device")) {
    out.device = *device;
    const auto port = take(text, "port");
    if (!port) return false;
    const auto [end, error] = std::from_chars(port->data(), port->data() + port->size(), out.port);
    return error == std::errc{} && end == port->data() + port->size();
  }
  if (auto guid = take(text, "port")) return !Text<Guid>::read(Scalar{*guid}, out.guid);
  if (auto name = take(text, "name")) {
    out.name = *name;
    return !name->empty();
  }
  if (auto bond = take(text, "bond")) {
    out.bond = *bond;
    return !bond->empty() && text.empty();
  }
  return false;
}

Guid guid_of_port(const Snapshot& snapshot, const LinkId& id) {
  for (const auto& device : snapshot.devices())
    if (device.name == id.device)
      for (const auto& port : device.ports)
        if (port.number == id.port) return port.guid;
  return {};
}

}  // namespace

std::optional<Complaint> Text<LinkId>::read(const Scalar& scalar, LinkId& out) {
  std::string_view rest = scalar.text;
  LinkId id;
  bool good = read_selector(rest, id);
  if (auto pkey = take(rest, "pkey"); good && pkey) good = !Text<PKey>::read(Scalar{*pkey}, id.pkey.emplace());
  if (!good || !rest.empty()) return unexpected(wanted, scalar);
  out = std::move(id);
  return std::nullopt;
}

std::string Text<LinkId>::print(const LinkId& id) {
  std::string text;
  if (!id.bond.empty()) {
    text = "bond " + id.bond;
  } else if (id.guid.value != 0) {
    text = "port " + to_text(id.guid);
  } else if (!id.device.empty()) {
    text = fmt::format("device {} port {}", id.device, id.port);
  } else {
    text = "name " + id.name;
  }
  if (id.pkey) text += " pkey " + to_text(*id.pkey);
  return text;
}

LinkId bond_id(std::string name) {
  LinkId id;
  id.bond = std::move(name);
  return id;
}

std::string_view kind_of_link(const LinkId& id) { return id.bond.empty() ? "ipoib_link" : "bond"; }

LinkId link_id_from(std::string_view text) {
  LinkId id;
  if (Text<LinkId>::read(Scalar{text}, id)) throw Error(fmt::format("'{}' is not an interface's identity", text));
  return id;
}

LinkId resolve(const Snapshot& snapshot, const LinkId& id) {
  if (id.guid.value != 0 || !id.bond.empty() || snapshot.is_tree()) return id;
  Guid guid;
  if (!id.device.empty()) {
    guid = guid_of_port(snapshot, id);
  } else if (const Link* link = snapshot.link(id.name); link != nullptr && link->is_ipoib() && !link->is_child()) {
    guid = link->port_guid();
  }
  if (guid.value == 0) return id;
  LinkId resolved;
  resolved.guid = guid;
  resolved.pkey = id.pkey;
  return resolved;
}

const Link* find_link(const Snapshot& snapshot, const LinkId& id) {
  if (snapshot.is_tree()) return nullptr;
  if (!id.bond.empty()) {
    const Link* bond = snapshot.link(id.bond);
    return bond != nullptr && bond->is_bond() ? bond : nullptr;
  }
  const LinkId known = resolve(snapshot, id);
  if (known.guid.value == 0) return nullptr;
  const Link* parent = snapshot.port_link(known.guid);
  if (parent == nullptr || !known.pkey) return parent;
  return snapshot.child(parent->index, *known.pkey);
}

}  // namespace rdmastate
