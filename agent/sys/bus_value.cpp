// SPDX-License-Identifier: Apache-2.0
#include "sys/bus_value.hpp"

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "sys/sd_bus.hpp"

namespace rdmastate {
namespace {

// Throws for the result of a call of sd-bus that failed: a negative errno.
void checked(int result) {
  if (result < 0) throw SystemError("speaking on the system bus", -result);
}

// Appends a text of any type, a boolean, a number of 64 bits, or for every other type one of 32 bits.
void append_basic(sd_bus_message& message, char type, const Json& value) {
  const SdBus& bus = sd_bus_functions();
  if (value.is_string()) {
    checked(bus.sd_bus_message_append_basic(&message, type, value.text().c_str()));
  } else if (type == SD_BUS_TYPE_BOOLEAN) {
    const int truth = value.boolean() ? 1 : 0;
    checked(bus.sd_bus_message_append_basic(&message, type, &truth));
  } else if (type == SD_BUS_TYPE_UINT64) {
    const auto number = value.number();
    checked(bus.sd_bus_message_append_basic(&message, type, &number));
  } else {
    const auto number = static_cast<std::uint32_t>(value.number());
    checked(bus.sd_bus_message_append_basic(&message, type, &number));
  }
}

// The length of the first whole type of a signature: "(sv)" of "(sv)s".
std::size_t type_length(std::string_view signature) {
  if (signature.empty()) throw Error("speaking on the system bus: a type without an end");
  if (signature[0] == SD_BUS_TYPE_ARRAY) return 1 + type_length(signature.substr(1));
  std::size_t open = 0;
  for (std::size_t at = 0; at < signature.size(); ++at) {
    const char c = signature[at];
    if (c == SD_BUS_TYPE_STRUCT_BEGIN || c == SD_BUS_TYPE_DICT_ENTRY_BEGIN) ++open;
    if (c == SD_BUS_TYPE_STRUCT_END || c == SD_BUS_TYPE_DICT_ENTRY_END) --open;
    if (open == 0) return at + 1;
  }
  throw Error("speaking on the system bus: a type without an end");
}

void append_typed(sd_bus_message& message, std::string_view type, const Json& value);

// Appends what a container holds: of an array each element in the one type `contents`, of a struct each member in its
// own.
void append_contents(sd_bus_message& message, char container, std::string_view contents, const Json& value) {
  if (container == SD_BUS_TYPE_ARRAY) {
    for (const auto& one : value.items()) append_typed(message, contents, one);
    return;
  }
  for (const auto& one : value.items()) {
    const std::size_t length = type_length(contents);
    append_typed(message, contents.substr(0, length), one);
    contents.remove_prefix(length);
  }
}

void append_container(sd_bus_message& message, char container, std::string_view contents, const Json& value) {
  const SdBus& bus = sd_bus_functions();
  checked(bus.sd_bus_message_open_container(&message, container, std::string(contents).c_str()));
  append_contents(message, container, contents, value);
  checked(bus.sd_bus_message_close_container(&message));
}

void append_variant(sd_bus_message& message, const JsonMember& typed) {
  append_container(message, SD_BUS_TYPE_VARIANT, typed.key, Json::array({typed.value}));
}

void append_typed(sd_bus_message& message, std::string_view type, const Json& value) {
  switch (type[0]) {
    case SD_BUS_TYPE_ARRAY:
      return append_container(message, SD_BUS_TYPE_ARRAY, type.substr(1), value);
    case SD_BUS_TYPE_STRUCT_BEGIN:
      return append_container(message, SD_BUS_TYPE_STRUCT, type.substr(1, type.size() - 2), value);
    case SD_BUS_TYPE_VARIANT:  // {"TYPE": value}
      return append_variant(message, value.members().front());
    default:
      return append_basic(message, type[0], value);
  }
}

// Reads the next value, of a type that sd-bus stores in a T.
template <class T>
T basic(sd_bus_message& message, char type) {
  T value{};
  checked(sd_bus_functions().sd_bus_message_read_basic(&message, type, &value));
  return value;
}

// Reads the next value, which is no container; null for a type that JSON has no form for (a file descriptor).
Json scalar(sd_bus_message& message, char type) {
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

// Reads the next value; false: the message, or the container that is being read, has no more.
bool read_one(sd_bus_message& message, Json& value);

// Reads a whole container. A dictionary's keys that are no texts become the text of their JSON.
Json entered(sd_bus_message& message, char type, const char* contents) {
  const SdBus& bus = sd_bus_functions();
  const bool is_dictionary = type == SD_BUS_TYPE_ARRAY && contents[0] == SD_BUS_TYPE_DICT_ENTRY_BEGIN;
  Json made = is_dictionary ? Json::object() : Json::array();
  checked(bus.sd_bus_message_enter_container(&message, type, contents));
  for (Json one; read_one(message, one);) {
    if (!is_dictionary) {
      made.push_back(std::move(one));
    } else {
      const Json& key = one[0];
      made.add(key.is_string() ? key.text() : key.dump(), std::move(one.items()[1]));
    }
  }
  checked(bus.sd_bus_message_exit_container(&message));
  if (type != SD_BUS_TYPE_VARIANT) return made;
  return std::move(made.items()[0]);
}

bool read_one(sd_bus_message& message, Json& value) {
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

void append_bus_value(sd_bus_message& message, const Json& value) {
  if (value.is_string()) return append_basic(message, SD_BUS_TYPE_STRING, value);
  if (value.is_unsigned()) return append_basic(message, SD_BUS_TYPE_UINT32, value);
  if (value.is_array()) return append_typed(message, "as", value);
  for (const auto& [type, what] : value.members()) append_typed(message, type, what);
}

Json read_bus_values(sd_bus_message& message) {
  Json all = Json::array();
  for (Json one; read_one(message, one);) all.push_back(std::move(one));
  return all;
}

}  // namespace rdmastate
