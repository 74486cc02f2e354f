// SPDX-License-Identifier: Apache-2.0
#include "sections/subnet_manager/partition_types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "platform/opensm.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t smallest_mtu = 256;
constexpr std::uint32_t largest_mtu = 4096;

bool is_name_letter(char c) { return ascii::is_one_of(c, "_-."); }

std::string why_no_partition_name(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > PartitionName::max_length)
    return fmt::format("is {} bytes long; OpenSM keeps {}", name.size(), PartitionName::max_length);
  const auto odd = std::find_if_not(name.begin(), name.end(), is_name_letter);
  if (odd == name.end()) return {};
  return fmt::format("holds '{}', which OpenSM's partitions.conf has no way to quote",
                     printable(std::string_view(&*odd, 1)));
}

struct NamedMember {
  Member::Who who;
  std::string_view name;
};
constexpr std::array members{
    NamedMember{Member::Who::all, "ALL"},
    NamedMember{Member::Who::all_cas, "ALL_CAS"},
    NamedMember{Member::Who::all_switches, "ALL_SWITCHES"},
    NamedMember{Member::Who::all_routers, "ALL_ROUTERS"},
    NamedMember{Member::Who::self, "SELF"},
};

struct NamedRate {
  std::uint32_t code;
  std::string_view gigabits;
};
constexpr std::array rates{NamedRate{2, "2.5"},  NamedRate{3, "10"},   NamedRate{4, "30"},   NamedRate{5, "5"},
                           NamedRate{6, "20"},   NamedRate{7, "40"},   NamedRate{8, "60"},   NamedRate{9, "80"},
                           NamedRate{10, "120"}, NamedRate{11, "14"},  NamedRate{12, "56"},  NamedRate{13, "112"},
                           NamedRate{14, "168"}, NamedRate{15, "25"},  NamedRate{16, "100"}, NamedRate{17, "200"},
                           NamedRate{18, "300"}, NamedRate{19, "28"},  NamedRate{20, "50"},  NamedRate{21, "400"},
                           NamedRate{22, "600"}, NamedRate{23, "800"}, NamedRate{24, "1200"}};

}  // namespace

std::uint32_t IbMtu::code() const {
  std::uint32_t code = 1;
  for (std::uint32_t size = smallest_mtu; size < bytes; size *= 2) ++code;
  return code;
}

std::string Text<PartitionName>::schema() { return R"({"type":"string","pattern":"^[A-Za-z0-9_.-]{1,31}$"})"; }

std::optional<Complaint> Text<PartitionName>::read(const Scalar& scalar, PartitionName& out) {
  std::string text;
  if (auto complaint = Text<std::string>::read(scalar, text)) {
    complaint->expected = wanted;
    return complaint;
  }
  const std::string reason = why_no_partition_name(text);
  if (!reason.empty()) return unexpected(wanted, scalar, reason);
  out.value = std::move(text);
  return std::nullopt;
}

std::string Text<PartitionName>::print(const PartitionName& value) { return value.value; }

std::string Text<PartitionKey>::schema() { return Text<PKey>::schema(); }

// Drops the warning of a P_Key without bit 15: it is about an IPoIB child, and bit 15 is no part of a partition's key.
std::optional<Complaint> Text<PartitionKey>::read(const Scalar& scalar, PartitionKey& out) {
  auto complaint = Text<PKey>::read(scalar, out.key);
  if (complaint && complaint->severity == Severity::warning) complaint.reset();
  return complaint;
}

std::string Text<PartitionKey>::print(const PartitionKey& value) { return Text<PKey>::print(value.key); }

std::string Text<Member>::schema() {
  return fmt::format(R"({{"anyOf":[{{"enum":["ALL","ALL_CAS","ALL_SWITCHES","ALL_ROUTERS","SELF"]}},{}]}})",
                     Text<Guid>::schema());
}

std::optional<Complaint> Text<Member>::read(const Scalar& scalar, Member& out) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const NamedMember& one) { return one.name == scalar.text; });
  if (found != members.end()) {
    out = {found->who, {}};
    return std::nullopt;
  }
  Member port{Member::Who::port, {}};
  if (auto complaint = Text<Guid>::read(scalar, port.port)) {
    complaint->expected = wanted;
    if (complaint->message.starts_with("expected")) return unexpected(wanted, scalar);
    return complaint;
  }
  out = port;
  return std::nullopt;
}

std::string Text<Member>::print(const Member& value) {
  for (const auto& one : members)
    if (one.who == value.who) return std::string(one.name);
  return Text<Guid>::print(value.port);
}

std::string Text<IbMtu>::schema() { return R"({"enum":[256,512,1024,2048,4096]})"; }

std::optional<Complaint> Text<IbMtu>::read(const Scalar& scalar, IbMtu& out) {
  std::uint32_t value = 0;
  if (Text<std::uint32_t>::read(scalar, value)) return unexpected(wanted, scalar);
  const bool power = value >= smallest_mtu && value <= largest_mtu && (value & (value - 1)) == 0;
  if (!power) {
    const bool is_ipoib = value == largest_mtu - 4 || value == largest_mtu / 2 - 4;
    return unexpected(wanted, scalar, "is no InfiniBand MTU",
                      is_ipoib ? fmt::format("that is IPoIB's, which is 4 less: write {}", value + 4) : "");
  }
  out.bytes = value;
  return std::nullopt;
}

std::string Text<IbMtu>::print(const IbMtu& value) { return std::to_string(value.bytes); }

std::string Text<IbRate>::schema() {
  std::string list;
  for (const auto& one : rates) list += fmt::format("{}{}", list.empty() ? "" : ",", one.gigabits);
  return fmt::format(R"({{"enum":[{}]}})", list);
}

std::optional<Complaint> Text<IbRate>::read(const Scalar& scalar, IbRate& out) {
  const auto found =
      std::find_if(rates.begin(), rates.end(), [&](const NamedRate& one) { return one.gigabits == scalar.text; });
  if (found == rates.end() || !scalar.plain) {
    std::string all;
    for (const auto& one : rates) all += fmt::format("{}{}", all.empty() ? "" : ", ", one.gigabits);
    return unexpected(wanted, scalar, "is no rate of InfiniBand", "one of " + all);
  }
  out.code = found->code;
  return std::nullopt;
}

std::string Text<IbRate>::print(const IbRate& value) {
  for (const auto& one : rates)
    if (one.code == value.code) return std::string(one.gigabits);
  return "?";
}

std::string Text<SubnetPrefix>::schema() { return Text<Guid>::schema(); }

std::optional<Complaint> Text<SubnetPrefix>::read(const Scalar& scalar, SubnetPrefix& out) {
  Guid value;
  if (Text<Guid>::read(scalar, value)) return unexpected(wanted, scalar);
  out.value = value.value;
  return std::nullopt;
}

std::string Text<SubnetPrefix>::print(const SubnetPrefix& value) { return opensm_guid(value.value); }

}  // namespace rdmastate
