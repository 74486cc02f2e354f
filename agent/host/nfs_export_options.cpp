// SPDX-License-Identifier: Apache-2.0
#include "host/nfs_export_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "base/lines.hpp"
#include "base/text.hpp"

namespace rdmastate {
namespace {

constexpr bool of_flavor = true;

constexpr std::array flags{
    ExportFlag{"ro", "rw", of_flavor},
    ExportFlag{"sync", "async"},
    ExportFlag{"wdelay", "no_wdelay"},
    ExportFlag{"hide", "nohide"},
    ExportFlag{"nocrossmnt", "crossmnt"},
    ExportFlag{"secure", "insecure"},
    ExportFlag{"root_squash", "no_root_squash", of_flavor},
    ExportFlag{"no_all_squash", "all_squash", of_flavor},
    ExportFlag{"no_subtree_check", "subtree_check"},
    ExportFlag{"secure_locks", "insecure_locks"},
    ExportFlag{"acl", "no_acl"},
    ExportFlag{"no_pnfs", "pnfs"},
    ExportFlag{"", "nordirplus"},
    ExportFlag{"", "security_label"},
};

constexpr std::array values{
    ExportValue{"anonuid", "65534"}, ExportValue{"anongid", "65534"}, ExportValue{"sec", "sys"},
    ExportValue{"fsid", ""},         ExportValue{"mountpoint", ""},   ExportValue{"refer", ""},
    ExportValue{"replicas", ""},
};

constexpr std::string_view sec = "sec=";

using Flags = std::array<bool, flags.size()>;  // by their place in `flags`; true: the other one holds

struct Flavor {
  std::string name;
  Flags flags;
  bool is_named = true;  // by the last sec=, so that the options behind that are for it
};

bool have_same_flags(const Flavor& a, const Flavor& b) {
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i].of_flavor && a.flags[i] != b.flags[i]) return false;
  return true;
}

// Takes the options of a list one by one, as nfs-utils does (support/nfs/exports.c, parseopts()), and then tells what
// they mean together.
class Meaning {
 public:
  // An empty option (joined_options()) ends what a sec= began: options behind it are for no flavor that it names.
  void take(std::string_view option) {
    if (option.empty()) return name_no_flavor();
    const std::string spelt = spelling_of(option);
    if (spelt.starts_with(sec)) return name_flavors(std::string_view(spelt).substr(sec.size()));
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (spelt == flags[i].usual || spelt == flags[i].other) set(i, spelt == flags[i].other);
    const auto name = std::string_view(spelt).substr(0, spelt.find('='));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (name == values[i].name) values_[i] = spelt;
  }

  // As effective_options() returns it: flags and values that differ from the usual ones; then, unless all flavors are
  // alike, the flags of each flavor.
  std::string text() const {
    std::vector<std::string> words;
    const bool are_alike = std::all_of(flavors_.begin(), flavors_.end(),
                                       [&](const Flavor& one) { return have_same_flags(one, flavors_.front()); });
    add_flags(are_alike, words);
    add_values(are_alike, words);
    if (!are_alike) add_flavors(words);
    return fmt::format("{}", fmt::join(words, ","));
  }

 private:
  void name_no_flavor() {
    for (auto& one : flavors_) one.is_named = false;
  }
  // A flavor that was not named before begins with what holds for all.
  void name_flavors(std::string_view names) {
    name_no_flavor();
    for (auto& name : split(names, ":")) {
      if (name == "unix") name = "sys";
      if (name == "null") name = "none";
      const auto known =
          std::find_if(flavors_.begin(), flavors_.end(), [&](const Flavor& one) { return one.name == name; });
      if (known != flavors_.end()) {
        known->is_named = true;
      } else {
        flavors_.push_back({std::move(name), flags_});
      }
    }
  }
  void set(std::size_t flag, bool is_other) {
    flags_[flag] = is_other;
    for (auto& one : flavors_)
      if (one.is_named) one.flags[flag] = is_other;
  }

  // ro or rw, the first flag, is always said. Flags of flavors that are not alike are left to add_flavors().
  void add_flags(bool are_alike, std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (flags[i].of_flavor && !are_alike) continue;
      const bool is_other = flags[i].of_flavor && !flavors_.empty() ? flavors_.front().flags[i] : flags_[i];
      if (is_other || i == 0) words.emplace_back(is_other ? flags[i].other : flags[i].usual);
    }
  }
  void add_values(bool are_alike, std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_sec = values[i].name == "sec";
      const std::string said = is_sec ? (are_alike ? sec_of_all() : "") : values_[i];
      if (!said.empty() && said != fmt::format("{}={}", values[i].name, values[i].usual)) words.push_back(said);
    }
  }
  std::string sec_of_all() const {
    std::string names;
    for (const auto& one : flavors_) names.append(names.empty() ? "" : ":").append(one.name);
    return names.empty() ? names : std::string(sec) + names;
  }
  // All flags of each, since a flavor that is read again begins with those of the one before it.
  void add_flavors(std::vector<std::string>& words) const {
    for (std::size_t at = 0; at < flavors_.size(); ++at) {
      const Flavor& one = flavors_[at];
      words.push_back(std::string(sec) + one.name);
      while (at + 1 < flavors_.size() && have_same_flags(one, flavors_[at + 1]))
        words.back().append(":").append(flavors_[++at].name);
      for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i].of_flavor) words.emplace_back(one.flags[i] ? flags[i].other : flags[i].usual);
    }
  }

  Flags flags_{};
  std::array<std::string, values.size()> values_;
  std::vector<Flavor> flavors_;  // in the order in which they are named
};

}  // namespace

std::span<const ExportFlag> export_flags() { return flags; }
std::span<const ExportValue> export_values() { return values; }

// etab has the ids of anonuid= and anongid= as signed numbers of 32 bits: a negative one is made unsigned.
std::string spelling_of(std::string_view option) {
  static const std::map<std::string_view, std::string_view> other{
      {"auth_nlm", "secure_locks"}, {"no_auth_nlm", "insecure_locks"}, {"mp", "mountpoint"}, {"fsid=root", "fsid=0"}};
  if (const auto found = other.find(option); found != other.end()) return std::string(found->second);
  if (option.starts_with("mp=")) return "mountpoint=" + std::string(option.substr(3));
  for (const std::string_view key : {"anonuid=-", "anongid=-"}) {
    std::uint32_t below = 0;  // how far the id lies below 0
    if (option.starts_with(key) && !Text<std::uint32_t>::read({option.substr(key.size()), true}, below))
      return fmt::format("{}{}", key.substr(0, key.size() - 1), 0U - below);
  }
  return std::string(option);
}

std::string joined_options(std::string_view of_line, std::string_view of_client) {
  if (of_line.empty() || of_client.empty()) return std::string(of_line.empty() ? of_client : of_line);
  return fmt::format("{}{}{}", of_line, of_line.find(sec) == of_line.npos ? "," : ",,", of_client);
}

std::string effective_options(std::string_view options) {
  Meaning meaning;
  for (std::size_t at = 0; at <= options.size();) {
    const std::size_t end = std::min(options.find(',', at), options.size());
    meaning.take(trimmed(options.substr(at, end - at)));
    at = end + 1;
  }
  return meaning.text();
}

bool differs_by_flavor(std::string_view effective) {
  const std::size_t first = effective.find(sec);
  return first != effective.npos && effective.find(sec, first + 1) != effective.npos;
}

}  // namespace rdmastate
