// SPDX-License-Identifier: Apache-2.0
#include "host/nfs_exports.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/text.hpp"
#include "host/look_at.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

constexpr std::array flags{
    ExportFlag{"ro", "rw"},
    ExportFlag{"sync", "async"},
    ExportFlag{"wdelay", "no_wdelay"},
    ExportFlag{"hide", "nohide"},
    ExportFlag{"nocrossmnt", "crossmnt"},
    ExportFlag{"secure", "insecure"},
    ExportFlag{"root_squash", "no_root_squash"},
    ExportFlag{"no_all_squash", "all_squash"},
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

// Words of a line, as nfs-utils cuts them (support/nfs/xio.c, xgettok): blanks in quotes do not end one, and \040 is a
// blank.
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  // Empty at the end of the line.
  std::string next() {
    std::string word;
    at_ = std::min(line_.find_first_not_of(" \t", at_), line_.size());
    if (at_ < line_.size() && line_[at_] == '#') at_ = line_.size();
    for (bool quoted = false; at_ < line_.size() && (quoted || (line_[at_] != ' ' && line_[at_] != '\t')); ++at_) {
      if (line_[at_] == '"') {
        quoted = !quoted;
      } else {
        add(line_[at_], word);
      }
    }
    return word;
  }

 private:
  static void add(char c, std::string& word) {
    word += c;
    const std::size_t from = word.size() - std::min<std::size_t>(word.size(), 4);
    const std::string_view last = std::string_view(word).substr(from);
    if (last.size() != 4 || last[0] != '\\' || !std::all_of(last.begin() + 1, last.end(), ascii::is_octal)) return;
    const int code = (last[1] - '0') * 64 + (last[2] - '0') * 8 + (last[3] - '0');
    word.replace(from, 4, 1, static_cast<char>(code));
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

// The lines, those that end in a backslash with the next one.
std::vector<std::string> joined_lines(std::string_view text) {
  std::vector<std::string> lines;
  bool goes_on = false;
  for_lines(text, [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!goes_on) lines.emplace_back();
    goes_on = line.ends_with('\\');
    lines.back() += goes_on ? std::string(line.substr(0, line.size() - 1)) + " " : std::string(line);
  });
  return lines;
}

// A client without options has those of the line; one without a name is everybody.
NfsExport export_from(const std::string& path, const std::string& client, const std::string& of_line) {
  const std::size_t open = std::min(client.find('('), client.size());
  const std::size_t close = std::min(client.find(')', open), client.size());
  std::string host = client.substr(0, open);
  std::string options = open < close ? client.substr(open + 1, close - open - 1) : std::string();
  if (!of_line.empty()) options = options.empty() ? of_line : of_line + "," + options;
  return {path, host.empty() ? "*" : std::move(host), std::move(options)};
}

void add_line(std::string_view line, std::vector<NfsExport>& exports) {
  Words words(line);
  const std::string path = words.next();
  if (!path.starts_with('/')) return;
  std::string of_line;
  for (std::string word = words.next(); !word.empty(); word = words.next()) {
    if (word.starts_with('-')) {
      of_line = word.substr(1);
    } else {
      exports.push_back(export_from(path, word, of_line));
    }
  }
}

// A pattern, a network or a netgroup is written into the table as it is.
bool is_name(std::string_view host) {
  return host.find_first_of("*?[/@:") == std::string_view::npos &&
         std::any_of(host.begin(), host.end(), ascii::is_letter);
}

void add_file(const Snapshot& snapshot, const std::string& path, std::vector<ExportClaim>& claims) {
  const auto text = snapshot.read(path);
  if (!text) return;
  for (auto& one : exports_in(*text)) claims.push_back({std::move(one.path), std::move(one.host), path});
}

}  // namespace

std::span<const ExportFlag> export_flags() { return flags; }
std::span<const ExportValue> export_values() { return values; }

// The table has an id as a signed number of 32 bits.
std::string spelling_of(std::string_view option) {
  static const std::map<std::string_view, std::string_view> other{
      {"auth_nlm", "secure_locks"}, {"no_auth_nlm", "insecure_locks"}, {"mp", "mountpoint"}, {"fsid=root", "fsid=0"}};
  if (const auto found = other.find(option); found != other.end()) return std::string(found->second);
  if (option.starts_with("mp=")) return "mountpoint=" + std::string(option.substr(3));
  std::uint32_t below = 0;
  if (option.starts_with("anon") && option.substr(4, 5).ends_with("id=-") &&
      !Text<std::uint32_t>::read({option.substr(9), true}, below))
    return std::string(option.substr(0, 8)) + std::to_string(0U - below);
  return std::string(option);
}

std::vector<NfsExport> exports_in(std::string_view text) {
  std::vector<NfsExport> exports;
  for (const auto& line : joined_lines(text)) add_line(line, exports);
  return exports;
}

std::string effective_options(std::string_view options) {
  std::array<bool, flags.size()> is_other{};
  std::array<std::string, values.size()> said;
  for (const auto& option : split(options, ", ")) {
    const std::string spelt = spelling_of(option);
    const std::size_t end = std::min(spelt.find('='), spelt.size());
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (spelt == flags[i].usual || spelt == flags[i].other) is_other[i] = spelt == flags[i].other;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (spelt.substr(0, end) == values[i].name) said[i] = spelt;
  }
  std::string text(is_other[0] ? flags[0].other : flags[0].usual);
  for (std::size_t i = 1; i < flags.size(); ++i)
    if (is_other[i]) text.append(",").append(flags[i].other);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_usual = said[i] == std::string(values[i].name).append("=").append(values[i].usual);
    if (!said[i].empty() && !is_usual) text.append(",").append(said[i]);
  }
  return text;
}

bool is_same_host(std::string_view wanted, std::string_view present) {
  const std::string asked = ascii::lower(wanted);
  const std::string seen = ascii::lower(present);
  return asked == seen || (is_name(asked) && seen.starts_with(asked + "."));
}

std::vector<ExportClaim> read_exports(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  const std::string main = "/etc/exports";
  const std::string folder = "/etc/exports.d";
  std::vector<ExportClaim> claims;
  look_at(main, unseen, [&] { add_file(snapshot, main, claims); });
  std::vector<std::string> names;
  look_at(folder, unseen, [&] { names = snapshot.list(folder); });
  std::erase_if(names, [](const std::string& name) { return name.starts_with('.') || !name.ends_with(".exports"); });
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) < 0;  // as scandir() with versionsort() has them
  });
  for (const auto& name : names) {
    const std::string path = folder + "/" + name;
    look_at(path, unseen, [&] { add_file(snapshot, path, claims); });
  }
  return claims;
}

}  // namespace rdmastate
