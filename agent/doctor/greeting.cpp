// SPDX-License-Identifier: Apache-2.0
#include "doctor/greeting.hpp"

#include <fmt/format.h>

#include "base/json_object.hpp"
#include "base/types_device.hpp"

namespace rdmastate::doctor {
namespace {

// Another number is another conversation: both sides derive from the greetings which ports they connect.
constexpr std::uint32_t version = 1;
constexpr std::uint32_t most_of_24_bits = 0xffffff;
constexpr std::size_t longest_text = 300;
// A greeting with most_ports, most_gids and most_pkeys has depth 5 and 3364 values.
constexpr JsonLimits limits{.depth = 6, .values = 8192};

// The first bytes of a text, up to longest_text, without a part of a character of UTF-8 at the end.
std::string_view shortened(std::string_view text) {
  if (text.size() <= longest_text) return text;
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; };
  std::size_t size = longest_text;
  while (size > 0 && continues(text[size])) --size;
  return text.substr(0, size);
}

std::string_view name_of(StepWord::Step step) {
  return step == StepWord::Step::made ? "made" : step == StepWord::Step::connected ? "connected" : "done";
}

std::uint32_t number(JsonObject& object, const std::string& key, std::uint32_t least, std::uint32_t most) {
  const std::uint32_t value = object.number(key);
  if (value < least || value > most) object.refuse(key, fmt::format("expected {} to {}, got {}", least, most, value));
  return value;
}

std::uint32_t mtu(JsonObject& object) {
  constexpr std::uint32_t least = 256;
  constexpr std::uint32_t most = 4096;
  const std::uint32_t value = number(object, "mtu", least, most);
  if ((value & (value - 1)) != 0) object.refuse("mtu", "expected 256, 512, 1024, 2048 or 4096");
  return value;
}

LinkLayer link_layer(JsonObject& object) {
  const auto value = object.value<LinkLayer>("link_layer");
  if (value == LinkLayer::unspecified) object.refuse("link_layer", "expected infiniband or ethernet");
  return value;
}

template <class T>
void add(std::vector<T>& list, std::size_t most, T one, const std::string& path) {
  if (list.size() == most) throw Error(fmt::format("{}: there are more than {}", path, most));
  list.push_back(std::move(one));
}

RcGid read_gid(const Json& json, const std::string& path) {
  constexpr std::uint32_t most_index = 255;
  JsonObject object(json, path);
  RcGid gid{number(object, "index", 0, most_index), object.value<IpAddress>("gid"), object.value<RoceMode>("type")};
  object.finish();
  return gid;
}

std::uint16_t read_pkey(const Json& json, const std::string& path) {
  constexpr std::uint32_t most = 0xffff;
  const std::uint32_t value = json_number(json, path);
  if (value > most) throw Error(fmt::format("{}: {} is no P_Key", path, value));
  return static_cast<std::uint16_t>(value);
}

RcPort read_port(const Json& json, const std::string& path) {
  constexpr std::uint32_t most_number = 255;
  JsonObject object(json, path);
  RcPort port;
  port.device = object.value<DeviceName>("device").value;
  port.number = number(object, "port", 1, most_number);
  port.link_layer = link_layer(object);
  port.lid = number(object, "lid", port.is_roce() ? 0 : 1, widest_lid);
  port.mtu = mtu(object);
  object.each("pkeys",
              [&](const Json& one, const std::string& at) { add(port.pkeys, most_pkeys, read_pkey(one, at), at); });
  object.each("gids",
              [&](const Json& one, const std::string& at) { add(port.gids, most_gids, read_gid(one, at), at); });
  object.finish();
  return port;
}

Json json_of(const RcPort& port) {
  Json gids = Json::array();
  for (const auto& gid : port.gids)
    gids.push_back(
        Json{{"index", gid.index}, {"gid", rdmastate::to_text(gid.address)}, {"type", rdmastate::to_text(gid.type)}});
  return Json{{"device", port.device},  {"port", port.number}, {"link_layer", rdmastate::to_text(port.link_layer)},
              {"lid", port.lid},        {"mtu", port.mtu},     {"pkeys", Json::array_of(port.pkeys)},
              {"gids", std::move(gids)}};
}

Trouble read_trouble(JsonObject& object) {
  Trouble trouble;
  trouble.kind = object.value<Trouble::Kind>("kind");
  trouble.said = shortened(object.text("said"));
  trouble.number = static_cast<int>(number(object, "errno", 0, 4095));  // MAX_ERRNO, include/linux/err.h
  return trouble;
}

}  // namespace

std::string print_greeting(const Greeting& greeting) {
  Json ports = Json::array();
  for (const auto& port : greeting.ports) ports.push_back(json_of(port));
  return Json{{"rdmastate_peer", version}, {"patience_ms", greeting.patience.count()}, {"ports", std::move(ports)}}
      .dump();
}

Greeting read_greeting(std::string_view line) {
  // The range of --port-timeout, in milliseconds.
  constexpr std::uint32_t least = 1000;
  constexpr std::uint32_t most = 60000;
  const Json json = parse_json(line, limits);
  JsonObject object(json, "");
  if (const std::uint32_t got = object.number("rdmastate_peer"); got != version)
    throw Error(
        fmt::format("it speaks version {} of this conversation, and we speak {}: install the same rdmastate on "
                    "both hosts",
                    got, version));
  Greeting greeting;
  greeting.patience = std::chrono::milliseconds(number(object, "patience_ms", least, most));
  object.each("ports",
              [&](const Json& one, const std::string& at) { add(greeting.ports, most_ports, read_port(one, at), at); });
  object.finish();
  return greeting;
}

std::string print_step(const StepWord& word) {
  Json json{{"step", name_of(word.step)}};
  if (word.trouble)
    json.add("trouble", Json{{"kind", rdmastate::to_text(word.trouble->kind)},
                             {"said", shortened(word.trouble->said)},
                             {"errno", word.trouble->number}});
  else if (word.step == StepWord::Step::made)
    json.update(Json{{"queue_pair", word.end.number}, {"psn", word.end.psn}});
  return json.dump();
}

StepWord read_step(std::string_view line, StepWord::Step expected) {
  const Json json = parse_json(line, limits);
  JsonObject object(json, "");
  const std::string step = object.text("step");
  if (step != name_of(expected)) object.refuse("step", fmt::format("expected {}", name_of(expected)));
  StepWord word{expected, {}, {}};
  object.with("trouble", [&](JsonObject& inner) { word.trouble = read_trouble(inner); });
  if (!word.trouble && expected == StepWord::Step::made)
    word.end = {number(object, "queue_pair", 0, most_of_24_bits), number(object, "psn", 0, most_of_24_bits)};
  object.finish();
  return word;
}

}  // namespace rdmastate::doctor
