// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/rule_codec.hpp"

#include <fmt/format.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include "sys/codec/address_codec.hpp"

namespace rdmastate::codec {

std::optional<Connection> rule_from(Bytes payload) {
  const auto header = take_header<fib_rule_hdr>(payload);
  const auto family = family_of(header.family);
  if (!family) return std::nullopt;
  std::optional<IpAddress> source;
  std::uint32_t priority = 0;
  std::uint32_t table = header.table;
  for_each(payload, [&](const Attribute& attribute) {
    if (attribute.type == FRA_SRC) source = ip_from(attribute, *family);
    if (attribute.type == FRA_PRIORITY) priority = number<std::uint32_t>(attribute);
    if (attribute.type == FRA_TABLE) table = number<std::uint32_t>(attribute);
  });
  if (!source || header.src_len != source->size() * 8) return std::nullopt;
  Connection rule;
  rule.what = Connection::What::rule;
  rule.name = std::to_string(priority);
  rule.type = "ip rule";
  rule.source = fmt::format("from {} lookup {}", to_text(*source), table);
  rule.local = source;
  return rule;
}

Message rule_dump() { return std::move(Message(RTM_GETRULE, NLM_F_DUMP).header(fib_rule_hdr{})); }

}  // namespace rdmastate::codec
