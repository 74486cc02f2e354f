// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/fields_overlay.hpp"
#include "base/hex.hpp"
#include "sections/ipoib/fields.hpp"

namespace rdmastate {

std::optional<Complaint> Text<Destination>::read(const Scalar& scalar, Destination& out) {
  if (scalar.text == "default") {
    out.network.reset();
    return std::nullopt;
  }
  IpNetwork network;
  auto complaint = Text<IpNetwork>::read(scalar, network);
  if (!complaint) out.network = network;
  if (complaint && complaint->expected == Text<IpNetwork>::wanted) complaint->expected = wanted;  // with "default"
  return complaint;
}

std::string Text<Destination>::print(const Destination& value) {
  return value.network ? to_text(*value.network) : "default";
}

namespace {

// What is wrong with one label of a domain name (RFC 1123, and '_' as in SRV names); networkd ignores a domain with
// such a label. Empty: nothing.
std::string why_no_label(std::string_view label) {
  constexpr std::size_t longest = 63;
  if (label.empty()) return "has an empty part: no dot at either end, nor two in a row";
  if (label.size() > longest) return fmt::format("has a part of {} bytes; DNS takes {}", label.size(), longest);
  if (label.front() == '-' || label.back() == '-') return "has a part that begins or ends with '-'";
  return ascii::holds_only(label, "-_") ? "" : "holds something else than letters, digits, '-', '_' and dots";
}

std::string why_no_domain(std::string_view name) {
  constexpr std::size_t longest = 253;  // as text; 255 octets on the wire (RFC 1035)
  if (name.size() > longest) return fmt::format("is {} bytes long; DNS takes {}", name.size(), longest);
  for (std::size_t at = 0, end = 0; end != std::string_view::npos; at = end + 1) {
    end = name.find('.', at);
    const auto label = name.substr(at, end == std::string_view::npos ? end : end - at);
    if (auto reason = why_no_label(label); !reason.empty()) return reason;
  }
  return {};
}

}  // namespace

std::optional<Complaint> Text<DomainName>::read(const Scalar& scalar, DomainName& out) {
  if (core_type(scalar) != CoreType::string) return unexpected(wanted, scalar);
  if (const std::string reason = why_no_domain(scalar.text); !reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = scalar.text;
  return std::nullopt;
}

std::optional<IpoibMode> IpoibRecord::judged_mode() const { return !mode && is_child() ? created_ipoib().mode : mode; }

const IpoibRecord& created_ipoib() {
  static const IpoibRecord created = as_created(IpoibRecord{});
  return created;
}

std::string child_name(std::string_view parent, PKey pkey) {
  std::string name(parent);
  name += '.';
  append_hex(name, pkey.value, 4);
  return name;
}

std::string IpoibRecord::interface_name() const {
  if (name) return name->value;
  return parent && pkey ? child_name(parent->value, *pkey) : std::string();
}

std::vector<IpInterface> addresses_of(const IpoibRecord& record) {
  std::vector<IpInterface> all;
  if (record.ipv4) all = record.ipv4->addresses;
  if (record.ipv6) all.insert(all.end(), record.ipv6->addresses.begin(), record.ipv6->addresses.end());
  return all;
}

}  // namespace rdmastate
