// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/connections.hpp"

#include "base/json_object.hpp"

namespace rdmastate {
namespace {

IpAddress read_address(const Json& value, const std::string& path) {
  IpAddress address;
  if (Text<IpAddress>::read({json_text(value, path), /*plain=*/false}, address))
    refuse_json(path, Text<IpAddress>::wanted, value);
  return address;
}

Json json_of(const Connection& one) {
  Json out = {{"what", to_text(one.what)}, {"name", one.name}, {"type", one.type}};
  if (!one.source.empty()) out["source"] = one.source;
  for (const auto& remote : one.remotes) out["remotes"].push_back(to_text(remote));
  if (one.local) out["local"] = to_text(*one.local);
  if (one.rdma) out["rdma"] = true;
  if (!one.carries.empty()) out["carries"] = Json::array_of(one.carries);
  return out;
}

}  // namespace

void read_connections(JsonObject& top, HostModel& model) {
  top.each("connections", [&](const Json& value, const std::string& path) {
    JsonObject in(value, path);
    Connection one;
    one.what = in.value<Connection::What>("what");
    one.name = in.text("name");
    one.type = in.text("type");
    one.source = in.text_or("source", "");
    in.each("remotes",
            [&](const Json& remote, const std::string& place) { one.remotes.push_back(read_address(remote, place)); });
    one.local = in.value_if<IpAddress>("local");
    one.rdma = in.flag_or("rdma", false);
    one.carries = in.texts("carries");
    in.finish();
    model.connections.push_back(std::move(one));
  });
}

Json connections_json(const HostModel& model) {
  Json out = Json::array();
  for (const auto& one : model.connections) out.push_back(json_of(one));
  return out;
}

}  // namespace rdmastate
