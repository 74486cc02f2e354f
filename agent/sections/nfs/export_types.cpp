// SPDX-License-Identifier: Apache-2.0
// Text<ExportHost>::read() takes a netgroup (@NAME) and everybody (*) itself. read_network() takes what has a slash,
// read_pattern() what has one of *?[, read_name() any other text: an address or a name.
#include "sections/nfs/export_types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/types.hpp"

namespace rdmastate {
namespace {

// Why nfs-utils cannot export this path, as the end of a sentence; empty where it can.
std::string why_not_path(std::string_view text) {
  constexpr std::size_t longest = 1024;  // NFS_MAXPATHLEN
  if (!text.starts_with('/')) return "is not absolute";
  if (text.size() > longest) return fmt::format("is longer than {} bytes", longest);
  for (const char c : text) {
    if (ascii::is_control(c))
      return fmt::format("holds a control character (byte \\x{:02x})", static_cast<unsigned char>(c));
    if (c == '\\') return "holds a backslash, which nfs-utils cannot read in a path";
  }
  if (text == "/") return {};
  if (text.ends_with('/')) return "ends with a slash";
  const std::string whole = std::string(text) + "/";
  for (const std::string_view part : {"//", "/./", "/../"})
    if (whole.find(part) != std::string::npos)
      return fmt::format("holds {}", part == "//" ? part : part.substr(1, part.size() - 2));
  return {};
}

// Why the text is no name of a host, a netgroup or a pattern, as the end of a sentence; empty where it is one.
// `others`: the characters that it may hold beside letters and digits.
std::string why_not_name(std::string_view text, std::string_view others) {
  constexpr std::size_t longest = 255;
  if (text.empty()) return "is empty";
  if (text.size() > longest) return fmt::format("is longer than {} bytes", longest);
  if (text.front() == '-') return "begins with '-', as options of a whole line do";
  for (const char c : text)
    if (!ascii::is_one_of(c, others)) return fmt::format("has a '{}' in a host's name", c);
  return {};
}

// Whether the text has digits and no letter, so that it is meant as an IPv4 address.
bool is_of_digits(std::string_view text) {
  return std::none_of(text.begin(), text.end(), ascii::is_letter) &&
         std::any_of(text.begin(), text.end(), ascii::is_digit);
}

// "24" of 255.255.255.0; empty of anything else.
std::string length_of_mask(std::string_view mask) {
  IpAddress address;
  if (Text<IpAddress>::read({mask, /*plain=*/true}, address) || address.family != Family::v4) return {};
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < address.size(); ++i) bits = bits << 8U | address.bytes[i];
  std::uint32_t length = 0;
  while (length < 32 && (bits & 0x80000000U) != 0) bits <<= 1U, ++length;
  return bits == 0 ? std::to_string(length) : std::string();
}

std::optional<Complaint> read_network(const Scalar& scalar, ExportHost& out) {
  const std::size_t slash = scalar.text.find('/');
  const std::string_view before = scalar.text.substr(0, slash);
  if (before == "gss")
    return unexpected(Text<ExportHost>::wanted, scalar, "is an old form, which exports(5) advises against",
                      fmt::format("write a host, and options: [sec={}]", scalar.text.substr(slash + 1)));
  if (const std::string length = length_of_mask(scalar.text.substr(slash + 1)); !length.empty())
    return unexpected(Text<ExportHost>::wanted, scalar, "has a mask for the length of its prefix",
                      fmt::format("write {}/{}", before, length));
  IpNetwork network;
  auto complaint = Text<IpNetwork>::read(scalar, network);
  if (complaint) return complaint;
  out.value = to_text(network);
  return std::nullopt;
}

// exports(5): patterns of addresses work by accident, where a reverse look-up fails.
std::optional<Complaint> read_pattern(const Scalar& scalar, ExportHost& out) {
  if (is_of_digits(scalar.text))
    return unexpected(Text<ExportHost>::wanted, scalar, "is a pattern of an address, and patterns are for names",
                      "write the network, such as 192.0.2.0/24");
  const std::string reason = why_not_name(scalar.text, "._-*?[]");
  if (!reason.empty()) return unexpected(Text<ExportHost>::wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::optional<Complaint> read_name(const Scalar& scalar, ExportHost& out) {
  IpAddress address;
  if (!Text<IpAddress>::read({scalar.text, /*plain=*/true}, address)) {
    out.value = to_text(address);
    return std::nullopt;
  }
  std::string reason = why_not_name(scalar.text, "._-");
  if (reason.empty() && is_of_digits(scalar.text)) reason = "is neither an address nor a name";
  if (!reason.empty()) return unexpected(Text<ExportHost>::wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::string without_brackets(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](char c) { return c == '[' || c == ']'; });
  return rest;
}

}  // namespace

std::string Text<NfsThreads>::schema() { return R"({"type":"integer","minimum":1,"maximum":8192})"; }

std::optional<Complaint> Text<NfsThreads>::read(const Scalar& scalar, NfsThreads& out) {
  constexpr std::uint32_t most = 8192;
  std::uint32_t number = 0;
  if (Text<std::uint32_t>::read(scalar, number) || number == 0 || number > most)
    return unexpected(wanted, scalar, {}, number == 0 && scalar.text == "0" ? "run: false stops the server" : "");
  out.value = number;
  return std::nullopt;
}

std::string Text<NfsThreads>::print(const NfsThreads& threads) { return std::to_string(threads.value); }

std::string Text<ExportPath>::schema() { return R"({"type":"string","pattern":"^/"})"; }

std::optional<Complaint> Text<ExportPath>::read(const Scalar& scalar, ExportPath& out) {
  std::string text;
  if (auto complaint = Text<std::string>::read(scalar, text)) return complaint;
  if (const std::string reason = why_not_path(text); !reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = text;
  return std::nullopt;
}

std::string Text<ExportPath>::print(const ExportPath& path) { return path.value; }

std::string Text<ExportHost>::schema() { return R"({"type":"string","pattern":"^[^\\s()#\"'\\\\]+$"})"; }

std::optional<Complaint> Text<ExportHost>::read(const Scalar& scalar, ExportHost& out) {
  std::string text;
  if (auto complaint = Text<std::string>::read(scalar, text)) return complaint;
  if (text.find('[') != text.npos && text.find(':') != text.npos)
    return unexpected(wanted, scalar, "has an IPv6 address in brackets, which exports(5) takes for a pattern",
                      fmt::format("write {}", without_brackets(text)));
  if (text.starts_with('@')) {
    const std::string reason = why_not_name(std::string_view(text).substr(1), "._-");
    if (!reason.empty()) return unexpected(wanted, scalar, "is no netgroup: its name " + reason);
    out.value = text;
    return std::nullopt;
  }
  if (text.find('/') != text.npos) return read_network(scalar, out);
  if (text == "*") {
    out.value = text;
    return std::nullopt;
  }
  return text.find_first_of("*?[") == text.npos ? read_name(scalar, out) : read_pattern(scalar, out);
}

std::string Text<ExportHost>::print(const ExportHost& host) { return host.value; }

}  // namespace rdmastate
