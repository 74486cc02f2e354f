// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib.hpp"

#include "base/hex.hpp"

namespace rdmastate {

std::optional<Complaint> Text<Destination>::read(const Scalar& scalar, Destination& out) {
  if (scalar.text == "default") {
    out.network.reset();
    return std::nullopt;
  }
  auto complaint = Text<IpNetwork>::read(scalar, out.network.emplace());
  if (complaint && complaint->expected == Text<IpNetwork>::wanted) complaint->expected = wanted;
  return complaint;
}

std::string Text<Destination>::print(const Destination& value) {
  return value.network ? to_text(*value.network) : "default";
}

std::optional<Complaint> Text<DomainName>::read(const Scalar& scalar, DomainName& out) {
  constexpr std::size_t longest = 253;  // RFC 1035
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  const std::string_view text = scalar.text;
  if (core_type(scalar) != CoreType::string || text.empty() || text.size() > longest || text.front() == '.' ||
      !std::all_of(text.begin(), text.end(), fits))
    return unexpected(wanted, scalar);
  out.value = text;
  return std::nullopt;
}

std::optional<IpoibMode> IpoibRecord::judged_mode() const {
  if (!mode && is_child()) return IpoibMode::datagram;
  return mode;
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
