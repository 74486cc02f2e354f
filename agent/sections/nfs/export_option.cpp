// SPDX-License-Identifier: Apache-2.0
// Reads one option of exports(5): a name that exportfs(8) knows, and a value that it takes. Text<ExportOption>::read()
// refuses what no option can hold; judge() refuses TLS, an unknown name, and a value that is missing, not allowed or
// wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "host/nfs_export_options.hpp"
#include "sections/nfs/export_types.hpp"

namespace rdmastate {
namespace {

// Synonyms of secure_locks and insecure_locks (exports(5)).
constexpr std::array<std::string_view, 2> other_flags{"auth_nlm", "no_auth_nlm"};

constexpr std::string_view tls = "xprtsec";  // which transport security the clients must use

std::vector<std::string_view> names_of_flags() {
  std::vector<std::string_view> names(other_flags.begin(), other_flags.end());
  for (const auto& flag : export_flags())
    for (const auto name : {flag.usual, flag.other})
      if (!name.empty()) names.push_back(name);
  return names;
}

// Whether the text is the number of a user or a group, or of a file system.
bool is_id(std::string_view value) {
  std::uint32_t id = 0;
  return !Text<std::uint32_t>::read({value, /*plain=*/true}, id);
}

// A number, root, or a UUID: 32 hexadecimal digits, with whatever punctuation (exports(5)).
bool is_fsid(std::string_view value) {
  constexpr std::ptrdiff_t digits = 32;
  return value == "root" || is_id(value) ||
         (std::count_if(value.begin(), value.end(), ascii::is_hex) == digits &&
          std::all_of(value.begin(), value.end(), [](char c) { return ascii::is_hex(c) || c == '-' || c == ':'; }));
}

// A list of RPC security flavors, separated by colons.
bool is_flavors(std::string_view value) {
  constexpr std::array<std::string_view, 5> known{"sys", "krb5", "krb5i", "krb5p", "none"};
  const auto flavors = split(value, ":");
  return !flavors.empty() && std::all_of(flavors.begin(), flavors.end(), [&](const std::string& one) {
    return std::find(known.begin(), known.end(), one) != known.end();
  });
}

// Why exportfs(8) does not take `name=value`; empty where it does.
std::string why_not_value(std::string_view name, std::string_view value) {
  if (value.find_first_of(" \t()#\"'\\") != value.npos)
    return "holds a blank, a quote, a parenthesis, '#' or a backslash";
  const bool is_account = name == "anonuid" || name == "anongid";
  if (is_account && !is_id(value)) return "has no number of a user or group";
  if (name == "fsid" && !is_fsid(value)) return "has neither a number, nor root, nor a UUID";
  if (name == "sec" && !is_flavors(value)) return "has other flavors than sys, krb5, krb5i, krb5p and none";
  if (name == "mountpoint" && !value.starts_with('/')) return "has no absolute path";
  const bool refers = name == "refer" || name == "replicas";
  return refers && (!value.starts_with('/') || value.find('@') == value.npos) ? "has no /path@host" : "";
}

// The complaint about a name that is no option, with the known name that is nearest to it.
std::optional<Complaint> unknown(const Scalar& scalar, std::string_view name) {
  std::vector<std::string_view> names = names_of_flags();
  for (const auto& one : export_values()) names.push_back(one.name);
  const std::string_view meant = nearest(name, names);
  return unexpected(Text<ExportOption>::wanted, scalar, "is no option of exports(5)",
                    meant.empty() ? "" : fmt::format("did you mean {}?", meant));
}

// Judges an option by its name and its value; `value` is nullopt where the option has no '='.
std::optional<Complaint> judge(const Scalar& scalar, const std::string& name, std::optional<std::string_view> value) {
  constexpr std::string_view wanted = Text<ExportOption>::wanted;
  if (name == tls) return unexpected(wanted, scalar, "asks for TLS, which NFS over RDMA does not have", "take it out");
  const auto flags = names_of_flags();
  const bool is_flag = std::find(flags.begin(), flags.end(), name) != flags.end();
  const auto values = export_values();
  const bool takes_value = std::any_of(values.begin(), values.end(), [&](const auto& one) { return one.name == name; });
  if (!is_flag && !takes_value) return unknown(scalar, name);
  const bool may_have_none = is_flag || name == "mountpoint";
  if (is_flag && value) return unexpected(wanted, scalar, "has a value, and this option takes none");
  if (!may_have_none && !value) return unexpected(wanted, scalar, "has no value", name + "=...");
  const std::string reason = value ? why_not_value(name, *value) : std::string();
  return reason.empty() ? std::nullopt : std::optional(unexpected(wanted, scalar, reason));
}

}  // namespace

std::string Text<ExportOption>::schema() { return R"({"type":"string","pattern":"^[a-z_]+(=[^,\\s()#\"'\\\\]+)?$"})"; }

std::optional<Complaint> Text<ExportOption>::read(const Scalar& scalar, ExportOption& out) {
  std::string text;
  if (auto complaint = Text<std::string>::read(scalar, text)) return complaint;
  if (text.find(',') != text.npos)
    return unexpected(wanted, scalar, "holds a comma, which begins another option",
                      "write each as one item of the list");
  if (std::any_of(text.begin(), text.end(), ascii::is_control))
    return unexpected(wanted, scalar, "holds a control character");
  const std::size_t equals = std::min(text.find('='), text.size());
  // exports(5): mp is a short name of mountpoint.
  const std::string name = equals == 2 && text.starts_with("mp") ? "mountpoint" : text.substr(0, equals);
  const auto value = equals == text.size() ? std::nullopt : std::optional(std::string_view(text).substr(equals + 1));
  if (auto complaint = judge(scalar, name, value)) return complaint;
  out.value = text;
  return std::nullopt;
}

std::string Text<ExportOption>::print(const ExportOption& option) { return option.value; }

}  // namespace rdmastate
