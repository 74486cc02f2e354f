// SPDX-License-Identifier: Apache-2.0
// Reads a record's JSON text into a model. The format is documented in examples/hosts/README.md. read_top() at the end
// reads the whole; each other function reads one part, and JsonObject::finish() refuses keys that nobody asked for.
#include <fmt/format.h>

#include <algorithm>

#include "base/fields_json.hpp"
#include "base/fields_overlay.hpp"
#include "base/hex.hpp"
#include "base/json_object.hpp"
#include "host/recorded/connections.hpp"
#include "host/recorded/dcb.hpp"
#include "host/recorded/firewall.hpp"
#include "host/recorded/kernel.hpp"
#include "host/recorded/model.hpp"
#include "host/recorded/nfsd.hpp"
#include "host/recorded/rdma.hpp"
#include "host/recorded/timers.hpp"
#include "host/recorded/units.hpp"

namespace rdmastate {
namespace {

// The number of a mode's text, "0644". `key` is where it stands, for the message.
std::uint32_t from_octal(JsonObject& in, const std::string& key, const std::string& text) {
  const bool octal = text.size() == 4 && text.find_first_not_of("01234567") == std::string::npos;
  if (!octal) in.refuse(key, "expected a mode of four octal digits such as \"0644\", got \"" + text + "\"");
  return static_cast<std::uint32_t>(std::stoul(text, nullptr, 8));
}

// The bytes that hexadecimal digits stand for: "f4521403", or with `Between::colons` "f4:52:14:03".
enum class Between { nothing, colons };
std::string from_hex(JsonObject& in, const std::string& key, std::string text, Between between) {
  const bool colons = between == Between::colons;
  std::string bytes;
  const auto digit = [&](char c) -> unsigned {
    if (const int value = hex_digit(c); value >= 0) return static_cast<unsigned>(value);
    in.refuse(key, "expected pairs of lower-case hexadecimal digits");
  };
  const std::size_t stride = colons ? 3 : 2;
  const bool whole = text.empty() || (colons ? text.size() % 3 == 2 : text.size() % 2 == 0);
  if (!whole) in.refuse(key, "expected pairs of lower-case hexadecimal digits");
  for (std::size_t i = 0; i < text.size(); i += stride) {
    if (colons && i > 0 && text[i - 1] != ':') in.refuse(key, "expected bytes with ':' between them");
    bytes += static_cast<char>(digit(text[i]) << 4U | digit(text[i + 1]));
  }
  return bytes;
}

// --- files

void read_attributes(JsonObject& in, FileContent& file, const char* default_mode) {
  file.meta.mode = from_octal(in, "mode", in.text_or("mode", default_mode));
  file.meta.uid = in.number_or("uid", 0);
  file.meta.gid = in.number_or("gid", 0);
  in.each_member("xattrs", [&](const std::string& name, const Json& value, const std::string& path) {
    file.xattrs.emplace(name, json_text(value, path));
  });
  in.each_member("xattrs_hex", [&](const std::string& name, const Json& value, const std::string& path) {
    file.xattrs.emplace(name, from_hex(in, "xattrs_hex", json_text(value, path), Between::nothing));
  });
}

// Bytes that stand as text under `key`, or as hexadecimal digits under `key`_hex.
std::string read_bytes(JsonObject& in, const std::string& key) {
  return in.has(key) ? in.text(key) : from_hex(in, key + "_hex", in.text(key + "_hex"), Between::nothing);
}

// A file stands in one of six forms; the first key of each says its type and holds its bytes.
FileContent read_file(const Json& value, const std::string& path) {
  JsonObject in(value, path);
  FileContent file;
  const int forms = in.has("content") + in.has("content_hex") + in.has("link") + in.has("link_hex") +
                    in.has("directory") + in.has("other");
  if (forms != 1) in.refuse("", "expected exactly one of content, content_hex, link, link_hex, directory and other");
  if (in.has("link") || in.has("link_hex")) {
    file.meta.type = FileType::symlink;
    file.bytes = read_bytes(in, "link");
  } else if (in.has("directory") || in.has("other")) {
    const bool directory = in.has("directory");
    const char* key = directory ? "directory" : "other";
    file.meta.type = directory ? FileType::directory : FileType::other;
    if (!in.flag_or(key, false)) in.refuse(key, "can only be true");
  } else {
    file.bytes = read_bytes(in, "content");
  }
  const bool link = file.meta.type == FileType::symlink;
  read_attributes(in, file, link ? "0777" : file.meta.type == FileType::directory ? "0755" : "0644");
  if (link && file.meta.mode != 0777) in.refuse("mode", "a link's mode is always \"0777\"");
  in.finish();
  return file;
}

// Whether the path is absolute, and no part of it is empty, "." or "..".
bool is_plain_path(const std::string& path) {
  const std::string closed = path + "/";
  const bool has_odd_part = closed.find("//") != std::string::npos || closed.find("/./") != std::string::npos ||
                            closed.find("/../") != std::string::npos;
  return path == "/" || (path.starts_with('/') && !has_odd_part);
}

void read_files(JsonObject& in, HostModel& model) {
  in.each_member("files", [&](const std::string& key, const Json& value, const std::string&) {
    const std::string place = "files[\"" + key + "\"]";
    const std::string name =
        key.starts_with(hex_name) ? from_hex(in, place, key.substr(hex_name.size()), Between::nothing) : key;
    if (!is_plain_path(name)) throw Error(place + ": expected an absolute path without empty parts, . and ..");
    model.files.emplace(name, read_file(value, place));
  });
  add_parents(model.files);
  for (const auto& [path, file] : model.files) {
    if (path == "/") continue;
    const auto& parent = model.files.at(path.rfind('/') == 0 ? "/" : path.substr(0, path.rfind('/')));
    if (parent.meta.type != FileType::directory) throw Error("files[\"" + path + "\"]: lies in what is no directory");
  }
}

// --- interfaces

// A setting that the record leaves out is that of a new interface.
IpoibSettings read_settings(JsonObject& in) {
  Json said = Json::object();
  for (const auto& field : record_of<IpoibSettings>().fields)
    if (std::string key(field.name); in.has(key)) said.add(key, in.json(key));
  return laid_over(new_ipoib_settings(), from_json_as<IpoibSettings>(said, in.path()));
}

std::optional<IpoibInfo> read_ipoib(JsonObject& in, RecordedLink& link) {
  std::optional<IpoibInfo> info;
  in.with("ipoib", [&](JsonObject& inner) {
    info = IpoibInfo{read_settings(inner), inner.value<PKey>("pkey")};
    link.mcast_mtu = inner.number_or("mcast_mtu", 0);
    link.admin_mtu = inner.number_or("admin_mtu", 0);
  });
  return info;
}

// What a link says of other links, by their names: they may be read later.
struct LinkNames {
  std::uint32_t index = 0;
  std::string parent{}, master{}, primary{}, active{};
};

std::optional<BondInfo> read_bond(JsonObject& in, LinkNames& names) {
  std::optional<BondInfo> info;
  in.with("bond", [&](JsonObject& inner) {
    std::vector<IpAddress> targets;
    for (const auto& target : inner.texts("arp_targets"))
      if (Text<IpAddress>::read(Scalar{target}, targets.emplace_back()))
        inner.refuse("arp_targets", printable(target) + " is no address");
    info = BondInfo{{inner.number_or("miimon", 0), inner.number_or("arp_interval", 0), std::move(targets)},
                    inner.value<BondMode>("mode")};
    names.primary = inner.text_or("primary", "");
    names.active = inner.text_or("active", "");
  });
  return info;
}

// Fills in the hidden MTUs that a hand-written record leaves out: those after a join where no MTU was asked for.
void fill_hidden(const HostModel& model, RecordedLink& link) {
  if (!link.link.ipoib) return;
  const auto found = model.port_mtus.find(link.link.port_guid().value);
  const PortMtu mtu = found == model.port_mtus.end() ? PortMtu{} : found->second;
  constexpr std::uint32_t encapsulation = 4;
  if (link.admin_mtu == 0) link.admin_mtu = mtu.max - encapsulation;
  if (link.mcast_mtu == 0) link.mcast_mtu = (link.link.carrier ? mtu.group : mtu.max) - encapsulation;
}

// Refuses what contradicts itself, the model, or a link that was read before.
void check_link(JsonObject& in, const Link& link, HostModel& model) {
  if (link.is_ipoib() && (!link.ipoib || link.address.size() != 20))
    in.refuse("", "an interface of type 32 needs ipoib and an address of 20 bytes");
  if (!link.is_ipoib() && link.ipoib) in.refuse("ipoib", "is for interfaces of type 32");
  if (link.bond && !link.is_bond()) in.refuse("bond", "is for interfaces of kind bond");
  if (link.ipv6 && !model.ipv6) in.refuse("ipv6", "the host has none (ipv6: false)");
  if (model.find(link.name) != nullptr) in.refuse("name", link.name + " is taken");
  if (link.index != 0 && model.find(link.index) != nullptr) in.refuse("index", "is taken");
}

// Notes in `all` which other links the interface names.
void read_link(const Json& value, const std::string& path, HostModel& model, std::vector<LinkNames>& all) {
  JsonObject in(value, path);
  RecordedLink one;
  Link& link = one.link;
  link.name = in.value<IfName>("name").value;
  link.index = in.number_or("index", 0);
  link.type = in.number("type");
  link.address = from_hex(in, "address", in.text_or("address", ""), Between::colons);
  LinkNames names{/*index=*/0, in.text_or("parent", ""), in.text_or("master", "")};
  if (in.has("parent")) link.parent = Link::parent_elsewhere;  // so it stays where the name is empty
  link.up = in.flag_or("up", false);
  link.carrier = in.flag_or("carrier", false);
  link.mtu = in.number("mtu");
  link.max_mtu = in.number_or("max_mtu", 0);
  link.kind = in.text_or("kind", link.is_ipoib() ? "ipoib" : "");
  link.ipoib = read_ipoib(in, one);
  link.bond = read_bond(in, names);
  one.mtu_alone = in.number_or("mtu_alone", 0);
  link.ipv6 = in.value_if<Ipv6Conf>("ipv6");
  one.cable = in.flag_or("cable", true);
  in.with("pause", [&](JsonObject& pause) { one.pause = read_pause(pause); });
  one.flow_counters = read_flow_counters(in);
  in.with("dcb", [&](JsonObject& dcb) { one.dcb = read_dcb(dcb); });
  in.finish();
  check_link(in, link, model);
  fill_hidden(model, one);
  const RecordedLink& kept = model.add(std::move(one));
  names.index = kept.link.index;
  all.push_back(std::move(names));
}

// The ifindex of the interface `name`; throws Error, which begins with `path`, where there is none.
std::uint32_t index_of(HostModel& model, const std::string& name, const std::string& path) {
  const RecordedLink* found = model.find(name);
  if (found == nullptr) throw Error(path + ": there is no interface " + name);
  return found->link.index;
}

void read_links(JsonObject& in, HostModel& model) {
  std::vector<LinkNames> all;
  in.each("links", [&](const Json& one, const std::string& path) { read_link(one, path, model, all); });
  for (const auto& names : all) {
    Link& link = model.find(names.index)->link;
    const auto give = [&](std::uint32_t& to, const std::string& name, const char* what) {
      if (!name.empty()) to = index_of(model, name, fmt::format("links: the {} of {}", what, link.name));
    };
    give(link.parent, names.parent, "parent");
    give(link.master, names.master, "master");
    if (!link.bond) continue;
    give(link.bond->primary, names.primary, "primary");
    give(link.bond->active, names.active, "active port");
  }
  const std::uint32_t least = model.next_index;
  model.next_index = in.number_or("next_index", least);
  if (model.next_index < least) in.refuse("next_index", "is an index that was given already");
}

void read_addresses(JsonObject& in, HostModel& model) {
  in.each("addresses", [&](const Json& value, const std::string& path) {
    JsonObject one(value, path);
    Address address;
    address.link = index_of(model, one.text("link"), path + ".link");
    address.value = one.value<IpInterface>("address");
    address.permanent = one.flag_or("permanent", true);
    address.tentative = one.flag_or("tentative", false);
    address.duplicate = one.flag_or("duplicate", false);
    one.finish();
    model.addresses.push_back(address);
  });
}

void read_routes(JsonObject& in, HostModel& model) {
  in.each("routes", [&](const Json& value, const std::string& path) {
    JsonObject one(value, path);
    Route route;
    route.to = one.value<IpNetwork>("to");
    route.via = one.value_if<IpAddress>("via");
    route.link = index_of(model, one.text("link"), path + ".link");
    route.metric = one.number_or("metric", 0);
    route.protocol = one.small_number_or<std::uint8_t>("protocol", route.protocol);
    one.finish();
    model.routes.push_back(route);
  });
}

// --- modules

std::set<std::string> set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

void read_modules(JsonObject& top, HostModel& model) {
  top.with("modules", [&](JsonObject& in) {
    ModuleTable& modules = model.modules;
    modules.loaded = set_of(in.texts("loaded"));
    modules.loadable = set_of(in.texts("loadable"));
    modules.loadable.insert(modules.loaded.begin(), modules.loaded.end());
    modules.builtin = set_of(in.texts("builtin"));
    in.each_member("depends", [&](const std::string& name, const Json& value, const std::string& path) {
      if (!modules.loadable.contains(name)) throw Error(path + ": is not a key that is known here");
      modules.depends.emplace(name, set_of(json_texts(value, path)));
    });
    in.each_member("aliases", [&](const std::string& name, const Json& value, const std::string& path) {
      modules.aliases.emplace(name, json_text(value, path));
    });
    in.each_member("in_use", [&](const std::string& name, const Json& value, const std::string& path) {
      modules.in_use.emplace(name, json_number(value, path));
    });
    for (auto& [key, map] : {std::pair("parameters", &modules.parameters), std::pair("given", &modules.given)})
      in.each_member(key, [&map = *map](const std::string& name, const Json& value, const std::string& path) {
        map.emplace(name, json_text(value, path));
      });
    modules.writable = set_of(in.texts("writable"));
    modules.hidden = set_of(in.texts("hidden"));
    if (in.has("described")) modules.described = set_of(in.texts("described"));
  });
  const bool core = model.modules.loaded.contains("ib_core") || model.modules.builtin.contains("ib_core");
  if (!model.devices.empty() && !core) top.refuse("rdma", "there are no devices without ib_core in modules.loaded");
}

// --- managers

void read_networkmanager(JsonObject& top, HostModel& model) {
  top.with("networkmanager", [&](JsonObject& in) {
    auto& state = model.networkmanager.emplace();
    in.each("profiles", [&](const Json& value, const std::string& path) {
      JsonObject one(value, path);
      const bool unsaved = one.flag_or("unsaved", false);
      state.profiles.push_back({one.text("uuid"), one.text_or("path", ""), one.text_or("digest", ""), unsaved});
      one.finish();
    });
    in.each("devices", [&](const Json& value, const std::string& path) {
      JsonObject one(value, path);
      const bool activated = one.flag_or("activated", true);
      state.devices.push_back({one.text("interface"), one.text("uuid"), one.text_or("digest", ""), activated});
      one.finish();
    });
  });
}

void read_directory(JsonObject& in, Directory& directory) {
  for (auto& name : in.texts("users")) directory.users.insert(std::move(name));
  for (auto& name : in.texts("groups")) directory.groups.insert(std::move(name));
  in.each("ids", [&](const Json& one, const std::string& path) { directory.ids.insert(json_number(one, path)); });
  directory.complete = in.flag_or("complete", true);
}

// Devices come before interfaces, whose hidden MTUs follow from the ports; interfaces come before all that names one.
HostModel read_top(const Json& value) {
  JsonObject in(value, "");
  HostModel model;
  if (in.number("format_version") != 1) in.refuse("format_version", "is newer than this program, which reads 1");
  model.origin = in.text("origin");
  model.notes = in.texts("notes");
  model.ipv6 = in.flag_or("ipv6", true);
  read_files(in, model);
  if (in.has("holds")) model.holds = in.texts("holds");
  model.unseen = set_of(in.texts("unseen"));
  model.unseen_kinds = set_of(in.texts("unseen_kinds"));
  in.each("rdma", [&](const Json& one, const std::string& path) { read_device(one, path, model); });
  in.with("rdma_system", [&](JsonObject& system) {
    model.netns_mode = system.value<NetnsMode>("netns");
    model.other_namespaces = system.texts("other_namespaces");
  });
  read_links(in, model);
  // These two refuse the name of an interface that is not there.
  for (const auto& [port, name] : model.netdevs) index_of(model, name, "rdma: the network device of " + port.first);
  for (const auto& [name, one] : model.soft) index_of(model, one.netdev, "rdma: the network device of " + name);
  read_addresses(in, model);
  read_routes(in, model);
  read_connections(in, model);
  read_modules(in, model);
  read_networkmanager(in, model);
  in.with("directory", [&](JsonObject& directory) { read_directory(directory, model.directory); });
  model.networkd = in.flag_or("networkd", false);
  in.with("systemd", [&](JsonObject& systemd) {
    read_timers(systemd, model.systemd.emplace());
    read_units(systemd, *model.systemd);
  });
  in.with("nfsd", [&](JsonObject& nfsd) { model.nfsd = read_nfsd(nfsd); });
  in.with("firewall", [&](JsonObject& firewall) { model.firewall = read_firewall(firewall); });
  in.finish();
  return model;
}

}  // namespace

HostModel read_host_model(std::string_view text, const std::string& name) {
  try {
    return read_top(parse_json(text));
  } catch (const Error& error) {
    throw Error(name + ": " + printable(error.what()));
  }
}

}  // namespace rdmastate
