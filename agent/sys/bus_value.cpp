// SPDX-License-Identifier: Apache-2.0
#include "sys/bus_value.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "sys/sd_bus.hpp"

namespace rdmastate {
namespace {

using nlohmann::json;

void checked(int result) {
  if (result < 0) throw SystemError("speaking on the system bus", -result);
}

void append_basic(sd_bus_message& message, char type, const json& value) {
  const SdBus& bus = sd_bus_functions();
  if (value.is_string()) {
    checked(bus.sd_bus_message_append_basic(&message, type, value.get<std::string>().c_str()));
  } else if (type == SD_BUS_TYPE_UINT64) {
    const auto number = value.get<std::uint64_t>();
    checked(bus.sd_bus_message_append_basic(&message, type, &number));
  } else {
    const auto number = value.get<std::uint32_t>();
    checked(bus.sd_bus_message_append_basic(&message, type, &number));
  }
}

void append_list(sd_bus_message& message, const std::string& contents, const json& list) {
  const SdBus& bus = sd_bus_functions();
  checked(bus.sd_bus_message_open_container(&message, SD_BUS_TYPE_ARRAY, contents.c_str()));
  for (const auto& one : list) append_basic(message, contents[0], one);
  checked(bus.sd_bus_message_close_container(&message));
}

template <class T>
T basic(sd_bus_message& message, char type) {
  T value{};
  checked(sd_bus_functions().sd_bus_message_read_basic(&message, type, &value));
  return value;
}

json scalar(sd_bus_message& message, char type) {
  switch (type) {
    case SD_BUS_TYPE_STRING:
    case SD_BUS_TYPE_OBJECT_PATH:
    case SD_BUS_TYPE_SIGNATURE:
      return std::string(basic<const char*>(message, type));
    case SD_BUS_TYPE_BOOLEAN:
      return basic<int>(message, type) != 0;
    case SD_BUS_TYPE_BYTE:
      return basic<std::uint8_t>(message, type);
    case SD_BUS_TYPE_INT16:
      return basic<std::int16_t>(message, type);
    case SD_BUS_TYPE_UINT16:
      return basic<std::uint16_t>(message, type);
    case SD_BUS_TYPE_INT32:
      return basic<std::int32_t>(message, type);
    case SD_BUS_TYPE_UINT32:
      return basic<std::uint32_t>(message, type);
    case SD_BUS_TYPE_INT64:
      return basic<std::int64_t>(message, type);
    case SD_BUS_TYPE_UINT64:
      return basic<std::uint64_t>(message, type);
    case SD_BUS_TYPE_DOUBLE:
      return basic<double>(message, type);
    default:
      break;
  }
  const char text[] = {type, '\0'};
  checked(sd_bus_functions().sd_bus_message_skip(&message, text));
  return nullptr;
}

bool read_one(sd_bus_message& message, json& value);

json entered(sd_bus_message& message, char type, const char* contents) {
  const SdBus& bus = sd_bus_functions();
  const bool is_dictionary = type == SD_BUS_TYPE_ARRAY && contents[0] == SD_BUS_TYPE_DICT_ENTRY_BEGIN;
  json made = is_dictionary ? json::object() : json::array();
  checked(bus.sd_bus_message_enter_container(&message, type, contents));
  for (json one; read_one(message, one);) {
    if (!is_dictionary) {
      made.push_back(std::move(one));
    } else {
      const std::string key = one[0].is_string() ? one[0].get<std::string>() : one[0].dump();
      made[key] = std::move(one[1]);
    }
  }
  checked(bus.sd_bus_message_exit_container(&message));
  if (type != SD_BUS_TYPE_VARIANT) return made;
  json inside = std::move(made[0]);
  return inside;
}

bool read_one(sd_bus_message& message, json& value) {
  char type = 0;
  const char* contents = nullptr;
  const int more = sd_bus_functions().sd_bus_message_peek_type(&message, &type, &contents);
  checked(more);
  if (more == 0) return false;
  const bool is_container = type == SD_BUS_TYPE_ARRAY || type == SD_BUS_TYPE_VARIANT || type == SD_BUS_TYPE_STRUCT ||
                            type == SD_BUS_TYPE_DICT_ENTRY;
  value = is_container ? entered(message, type, contents) : scalar(message, type);
  return true;
}

}  // namespace

void append_bus_value(sd_bus_message& message, const json& value) {
  if (value.is_string()) return append_basic(message, SD_BUS_TYPE_STRING, value);
  if (value.is_number()) return append_basic(message, SD_BUS_TYPE_UINT32, value);
  if (value.is_array()) return append_list(message, "s", value);
  for (const auto& [type, what] : value.items()) {
    if (type[0] == SD_BUS_TYPE_ARRAY) {
      append_list(message, type.substr(1), what);
    } else {
      append_basic(message, type[0], what);
    }
  }
}

json read_bus_values(sd_bus_message& message) {
  json all = json::array();
  for (json one; read_one(message, one);) all.push_back(std::move(one));
  return all;
}

}  // namespace rdmastate
