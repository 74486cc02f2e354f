// SPDX-License-Identifier: Apache-2.0
// For each type: functions that say what is wrong with a text and give a hint, and below them the Text<> of the type.
#include "base/types_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.hpp"
#include "base/report.hpp"

namespace rdmastate {
namespace {

// What is wrong where YAML makes a number, a boolean or null of the scalar; nullopt for a string.
std::optional<Complaint> not_a_string(std::string_view wanted, const Scalar& scalar) {
  std::string ignored;
  auto complaint = Text<std::string>::read(scalar, ignored);
  if (complaint) complaint->expected = wanted;
  return complaint;
}

std::string why_no_account(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > UserName::max_length)
    return fmt::format("is {} bytes long; {} fit where names are kept", name.size(), UserName::max_length);
  if (!ascii::is_letter(name.front()) && name.front() != '_') return "does not begin with a letter or '_'";
  const auto odd = std::find_if_not(name.begin(), name.end(), [](char c) { return ascii::is_one_of(c, "_-"); });
  if (odd == name.end()) return {};
  return fmt::format("holds '{}': letters, digits, '_' and '-' are what every program takes",
                     printable(std::string_view(&*odd, 1)));
}

std::optional<Complaint> read_account(std::string_view wanted, const Scalar& scalar, std::string& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  const std::string_view name = scalar.text;
  const std::string reason = why_no_account(name);
  if (!reason.empty()) {
    // limits.conf(5) writes a group as @NAME.
    const bool marked = name.starts_with('@') && why_no_account(name.substr(1)).empty();
    return unexpected(wanted, scalar, reason, marked ? fmt::format("write {}", name.substr(1)) : "");
  }
  out = name;
  return std::nullopt;
}

constexpr std::string_view account_schema = R"({"type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_-]{0,30}$"})";
constexpr std::string_view service = ".service";

// The characters of systemd's unit names (unit-name.c, VALID_CHARS_WITH_AT); systemd's escapes begin with a backslash.
bool is_unit_letter(char c) { return ascii::is_one_of(c, ":-_.\\@"); }

// systemd ends a template's name at the first '@' (unit-name.c, unit_name_is_valid): "a@b@.service" is no template but
// the instance "b@" of a@.service, and a limit for it would be that of one instance. Returns the offset of the first
// '@' in a name of that form, npos for any other.
std::size_t other_template_end(std::string_view name) {
  if (!name.ends_with(service)) return std::string_view::npos;
  name.remove_suffix(service.size());
  const std::size_t at = name.find('@');
  return name.ends_with('@') && at + 1 < name.size() ? at : std::string_view::npos;
}

std::string why_no_service(std::string_view name) {
  if (!name.ends_with(service)) return "is no service's name: a limit is a service's";
  if (name.size() > ServiceName::max_length)
    return fmt::format("is {} bytes long; a directory of its drop-ins holds {}", name.size(), ServiceName::max_length);
  if (name == service || name.front() == '@') return "has nothing before '@' or .service";
  const auto odd = std::find_if_not(name.begin(), name.end(), is_unit_letter);
  if (odd != name.end())
    return fmt::format("holds '{}', which systemd takes in no unit's name", printable(std::string_view(&*odd, 1)));
  const std::size_t at = other_template_end(name);
  if (at == std::string_view::npos) return {};
  return fmt::format("is no template: systemd looks for the first '@', and reads instance '{}' of {}@.service",
                     name.substr(at + 1, name.size() - service.size() - at - 1), name.substr(0, at));
}

// What a user probably meant by a name that is no service's; empty where nothing is near.
std::string service_hint(std::string_view name) {
  if (!std::all_of(name.begin(), name.end(), is_unit_letter)) return {};
  if (const std::size_t at = other_template_end(name); at != std::string_view::npos && at > 0)
    return fmt::format("write {}@{} for all instances of that one", name.substr(0, at), service);
  constexpr std::array unit_types{".service", ".socket", ".target", ".timer", ".slice", ".scope", ".mount"};
  const bool has_type =
      std::any_of(unit_types.begin(), unit_types.end(), [&](const char* end) { return name.ends_with(end); });
  if (name.empty() || has_type) return {};
  // A mistyped suffix, as in "slurmd.servce", is replaced; any other name gets the suffix behind it.
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  const bool is_mistyped = !nearest(name.substr(dot), {service}).empty();
  return fmt::format("write {}{}", is_mistyped ? name.substr(0, dot) : name, service);
}

struct Unit {
  std::string_view name;
  unsigned shift;
};
constexpr std::array units{Unit{"TiB", 40}, Unit{"GiB", 30}, Unit{"MiB", 20}, Unit{"KiB", 10}};

// The hint for a unit as people write it: k, K, KB, kB, Ki, ...
std::string unit_hint(std::string_view digits, std::string_view unit) {
  for (const auto& known : units) {
    const std::string letter(1, known.name.front());
    std::string upper(unit);
    for (char& c : upper) c = ascii::upper(c);
    if (upper == letter || upper == letter + "B" || upper == letter + "I" || upper == letter + "IB")
      return fmt::format("write {}{}", digits, known.name);
  }
  return "units are KiB, MiB, GiB and TiB";
}

std::optional<Complaint> read_bytes(const Scalar& scalar, std::uint64_t number, const Unit& unit, MemorySize& out) {
  if (number == 0) return unexpected(Text<MemorySize>::wanted, scalar, "is nothing");
  constexpr unsigned most_bits = 60;  // 1 EiB
  if (number >= (std::uint64_t{1} << (most_bits - unit.shift)))
    return unexpected(Text<MemorySize>::wanted, scalar, "is more than any machine has", "write unlimited");
  out.bytes = number << unit.shift;
  return std::nullopt;
}

std::optional<Complaint> read_size(const Scalar& scalar, MemorySize& out) {
  constexpr std::string_view wanted = Text<MemorySize>::wanted;
  const std::string_view text = scalar.text;
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, length);
  const std::string_view unit = text.substr(length);
  constexpr std::size_t most_digits = 19;  // so many fit into 64 bits, whichever they are
  if (digits.empty() || digits.size() > most_digits) return unexpected(wanted, scalar);
  if (unit.empty())
    return unexpected(wanted, scalar, "has no unit: limits.conf would read KiB, systemd bytes",
                      fmt::format("write {}KiB, or another unit", digits));
  if (digits.size() > 1 && digits.front() == '0') return unexpected(wanted, scalar, "starts with 0");
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.name == unit; });
  if (found != units.end()) return read_bytes(scalar, number, *found, out);
  return unexpected(wanted, scalar, fmt::format("has the unit '{}'", printable(unit)), unit_hint(digits, unit));
}

}  // namespace

std::string Text<UserName>::schema() { return std::string(account_schema); }
std::optional<Complaint> Text<UserName>::read(const Scalar& scalar, UserName& out) {
  return read_account(wanted, scalar, out.value);
}
std::string Text<UserName>::print(const UserName& value) { return value.value; }

std::string Text<GroupName>::schema() { return std::string(account_schema); }
std::optional<Complaint> Text<GroupName>::read(const Scalar& scalar, GroupName& out) {
  return read_account(wanted, scalar, out.value);
}
std::string Text<GroupName>::print(const GroupName& value) { return value.value; }

std::string Text<ServiceName>::schema() {
  return R"({"type":"string","pattern":"^[A-Za-z0-9:_.\\\\-]+(@([A-Za-z0-9:_.\\\\@-]*[A-Za-z0-9:_.\\\\-])?)?\\.service$","maxLength":253})";
}
std::optional<Complaint> Text<ServiceName>::read(const Scalar& scalar, ServiceName& out) {
  if (auto complaint = not_a_string(wanted, scalar)) return complaint;
  const std::string reason = why_no_service(scalar.text);
  if (!reason.empty()) return unexpected(wanted, scalar, reason, service_hint(scalar.text));
  out.value = scalar.text;
  return std::nullopt;
}
std::string Text<ServiceName>::print(const ServiceName& value) { return value.value; }

std::string Text<MemorySize>::schema() {
  return R"({"type":"string","pattern":"^(unlimited|[1-9][0-9]*(KiB|MiB|GiB|TiB))$"})";
}
std::optional<Complaint> Text<MemorySize>::read(const Scalar& scalar, MemorySize& out) {
  if (scalar.text == "unlimited") {
    out.bytes = MemorySize::no_limit;
    return std::nullopt;
  }
  if (scalar.text == "infinity" || scalar.text == "-1")
    return unexpected(wanted, scalar, "is how one program calls it", "write unlimited");
  return read_size(scalar, out);
}
std::string Text<MemorySize>::print(const MemorySize& value) {
  if (value.is_unlimited()) return "unlimited";
  for (const auto& unit : units)
    if (const std::uint64_t one = std::uint64_t{1} << unit.shift; value.bytes % one == 0 && value.bytes != 0)
      return fmt::format("{}{}", value.bytes / one, unit.name);
  return fmt::format("{}KiB", value.bytes / MemorySize::kib);
}

namespace {

bool is_octal(std::string_view text) {
  return !text.empty() && text.find_first_not_of("01234567") == std::string_view::npos;
}

// A YAML 1.1 program reads 0660 as the number 432, and writes 432. Usual modes begin with 6 or 7, the owner's digit, so
// a number from 384 to 511 (0600 to 0777) is taken for one that such a program wrote.
std::string mode_hint(std::string_view text) {
  constexpr unsigned first = 0600, last = 0777;
  if (text.starts_with("0o")) text.remove_prefix(2);
  unsigned number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = failure == std::errc{} && end == text.data() + text.size() && text.front() != '0';
  if (is_whole && number >= first && number <= last)
    return fmt::format("write \"{:04o}\", which YAML 1.1 reads as {}", number, number);
  const std::string mode = (text.size() == 3 ? "0" : "") + std::string(text);
  return is_octal(mode) && mode.size() == 4 && mode.front() == '0' ? fmt::format("write \"{}\"", mode) : "";
}

}  // namespace

std::string Text<NodeMode>::schema() { return R"({"type":"string","pattern":"^0[0-7]{3}$"})"; }
std::optional<Complaint> Text<NodeMode>::read(const Scalar& scalar, NodeMode& out) {
  constexpr int octal = 8;
  const std::string_view text = scalar.text;
  const bool is_number = ascii::is_number(text);
  if (is_number && scalar.plain)
    return unexpected(wanted, scalar, "is not in quotes: to YAML it is a decimal number", mode_hint(text));
  if (!is_octal(text) || text.size() != 4 || text.front() != '0')
    return unexpected(wanted, scalar, /*reason=*/{}, mode_hint(text));
  std::from_chars(text.data(), text.data() + text.size(), out.value, octal);
  return std::nullopt;
}
std::string Text<NodeMode>::print(const NodeMode& value) { return fmt::format("{:04o}", value.value); }

}  // namespace rdmastate
