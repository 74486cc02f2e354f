// SPDX-License-Identifier: Apache-2.0
// partitions_text() prints. partitions_in() reads as OpenSM does: comments go, ';' ends a statement, class Statement
// takes its flags and members: "NAME=KEY, FLAG=VALUE, ... : MEMBER=MEMBERSHIP, ... ;" (opensm(8)).
#include "sections/subnet_manager/partitions_file.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/lines.hpp"
#include "base/template.hpp"
#include "host/opensm_options.hpp"
#include "platform/opensm.hpp"

namespace rdmastate {
namespace {

constexpr std::uint16_t key_bits = 0x7fff;  // a P_Key without bit 15, the membership

std::string who_text(const Member& member) {
  return member.who == Member::Who::port ? opensm_guid(member.port.value) : to_text(member);
}

// A line for each member: OpenSM reads lines of up to 4094 bytes.
std::vector<Values> member_values(const std::map<Member, Membership>& members) {
  std::vector<Values> lines;
  for (const auto& [member, membership] : members) {
    const bool last = lines.size() + 1 == members.size();
    lines.push_back(Values{{{"who", who_text(member)}, {"membership", to_text(membership)}, {"last", last}}});
  }
  return lines;
}

Values partition_values(const PartitionRecord& record) {
  std::vector<Values> group;
  if (record.is_ipoib())
    group.push_back(Values{{{"rate", std::to_string(record.rate.value_or(IbRate{}).code)},
                            {"mtu", std::to_string(record.mtu.value_or(IbMtu{}).code())}}});
  return Values{{{"name", record.name.value},
                 {"pkey", fmt::format("0x{:04x}", record.pkey.low_bits())},
                 {"ipoib", std::move(group)},
                 {"members", member_values(record.members)}}};
}

constexpr std::string_view blanks = " \t\n";

// Takes the text up to the first separator, and the separator, off `text`; all of it where there is none. Returns it
// without the separator.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

struct Pair {
  std::string_view name;
  std::string_view value;
};

Pair pair_of(std::string_view text) {
  const std::string_view name = trimmed(cut(text, '='), blanks);
  return {name, trimmed(text, blanks)};
}

std::optional<Membership> membership_in(std::string_view text) {
  Membership membership{};
  if (Text<Membership>::read({text}, membership)) return std::nullopt;
  return membership;
}

std::optional<Member> member_in(std::string_view text) {
  if (const auto guid = opensm_number(text)) return Member{Member::Who::port, {*guid}};
  Member member;
  if (Text<Member>::read({text}, member) || member.who == Member::Who::port) return std::nullopt;
  return member;
}

// Adds what one statement says to what the file has said of its partition so far.
class Statement {
 public:
  explicit Statement(WrittenPartition partition) : partition_(std::move(partition)) {}

  // False where OpenSM would not read it; so in take_member().
  bool take_flag(const Pair& flag) {
    if (flag.name == "ipoib") {
      partition_.ipoib = true;
      return true;
    }
    if (flag.name == "mtu") return read_code(flag.value, partition_.mtu);
    if (flag.name == "rate") return read_code(flag.value, partition_.rate);
    if (flag.name == "defmember") {
      const auto found = membership_in(flag.value);
      membership_ = found.value_or(membership_);
      return found.has_value();
    }
    // Other flags of OpenSM, of which rdmastate keeps nothing.
    return flag.name == "indx0" || flag.name == "sl" || flag.name == "scope" || flag.name == "Q_Key" ||
           flag.name == "TClass" || flag.name == "FlowLabel";
  }

  // A later entry overwrites an earlier one of the same port; ALL overwrites all.
  bool take_member(const Pair& pair) {
    if (pair.name.empty()) return true;
    const auto who = member_in(pair.name);
    const auto how = pair.value.empty() ? std::optional(membership_) : membership_in(pair.value);
    if (!who || !how) return false;
    if (who->who == Member::Who::all) partition_.members.clear();
    partition_.members[*who] = *how;
    return true;
  }

  const WrittenPartition& partition() const { return partition_; }

 private:
  // A code of an MTU or a rate, from 1 to 63.
  static bool read_code(std::string_view text, std::uint32_t& out) {
    const auto value = opensm_number(text);
    if (!value || *value == 0 || *value > 63) return false;
    out = static_cast<std::uint32_t>(*value);
    return true;
  }

  WrittenPartition partition_;
  Membership membership_ = Membership::limited;
};

// A statement for a key that the file has already adds to that partition, under its first name.
bool read_statement(std::string_view text, std::map<std::uint16_t, WrittenPartition>& partitions) {
  if (text.find(':') == std::string_view::npos) return false;
  std::string_view head = cut(text, ':');
  const Pair named = pair_of(cut(head, ','));
  const auto key = opensm_number(named.value);
  if (!key || *key > 0xffff || (*key & key_bits) == 0) return false;
  WrittenPartition& partition =
      partitions
          .try_emplace(static_cast<std::uint16_t>(*key & key_bits), WrittenPartition{.name = std::string(named.name)})
          .first->second;
  Statement statement(partition);
  while (!head.empty())
    if (!statement.take_flag(pair_of(cut(head, ',')))) return false;
  while (!text.empty())
    if (!statement.take_member(pair_of(cut(text, ',')))) return false;
  partition = statement.partition();
  return true;
}

std::string without_comments(std::string_view text) {
  std::string bare;
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    bare.append(cut(line, '#')).push_back('\n');
  }
  return bare;
}

}  // namespace

std::string partitions_text(const SubnetManagerSection& section) {
  const Template file("partitions.conf", escape_opensm);
  std::map<std::uint16_t, Values> by_key;
  if (section.partitions)
    for (const auto& record : *section.partitions) by_key.emplace(record.pkey.low_bits(), partition_values(record));
  std::vector<Values> partitions;
  for (auto& [key, values] : by_key) partitions.push_back(std::move(values));
  return file.render(
      {{{"default_mtu", std::to_string(section.default_mtu.value_or(IbMtu{}).code())}, {"partitions", partitions}}});
}

std::optional<std::map<std::uint16_t, WrittenPartition>> partitions_in(std::string_view text) {
  std::map<std::uint16_t, WrittenPartition> partitions;
  const std::string bare = without_comments(text);
  std::string_view rest = bare;
  while (!trimmed(rest, blanks).empty()) {
    if (rest.find(';') == std::string_view::npos) return std::nullopt;
    const std::string_view statement = cut(rest, ';');
    if (!trimmed(statement, blanks).empty() && !read_statement(statement, partitions)) return std::nullopt;
  }
  return partitions;
}

}  // namespace rdmastate
