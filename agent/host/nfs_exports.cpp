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

constexpr std::string_view main_file = "/etc/exports";
constexpr std::string_view folder = "/etc/exports.d";
constexpr std::string_view suffix = ".exports";

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

// Words of a file, as nfs-utils cuts them (support/nfs/xio.c): blanks in quotes do not end one, \040 is a blank, and a
// line that ends in a backslash goes on, unless that is in a comment.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  bool is_over() const { return at_ == text_.size(); }
  void skip_to_line() { skip(" \t\r\n"); }
  // The next word of the line; empty at its end.
  std::string next() {
    skip(" \t");
    std::string word;
    for (bool quoted = false; !is_over() && (quoted || !ascii::is_space(now())); step()) {
      if (now() == '"') {
        quoted = !quoted;
      } else {
        add(now(), word);
      }
    }
    if (!is_over() && now() != '\n') step();
    return word;
  }

 private:
  // A line that goes on reads as one with a blank there.
  bool goes_on() const { return text_.substr(at_).starts_with("\\\n"); }
  char now() const { return goes_on() ? ' ' : text_[at_]; }
  void step() { at_ = goes_on() ? end_of(" \t", at_ + 2) : at_ + 1; }
  std::size_t end_of(const char* what, std::size_t from) const {
    return std::min(text_.find_first_not_of(what, from), text_.size());
  }
  void skip(std::string_view what) {
    for (; !is_over(); step()) {
      if (now() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (is_over() || what.find(now()) == std::string_view::npos) return;
    }
  }
  static void add(char c, std::string& word) {
    word += c;
    const std::size_t from = word.size() - std::min<std::size_t>(word.size(), 4);
    const std::string_view last = std::string_view(word).substr(from);
    if (last.size() != 4 || last[0] != '\\' || !std::all_of(last.begin() + 1, last.end(), ascii::is_octal)) return;
    const int code = (last[1] - '0') * 64 + (last[2] - '0') * 8 + (last[3] - '0');
    word.replace(from, 4, 1, static_cast<char>(code));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// A client without options has those of the line; one without a name is everybody. nullopt: its list of options has no
// end.
std::optional<NfsExport> export_from(const std::string& path, const std::string& client, const std::string& of_line) {
  const std::size_t open = std::min(client.find('('), client.size());
  const std::string in_brackets = client.substr(std::min(open + 1, client.size()));
  if (open < client.size() && in_brackets.find(')') + 1 != in_brackets.size()) return std::nullopt;
  std::string host = client.substr(0, open);
  std::string options = of_line;
  if (open < client.size()) options += (of_line.empty() ? "" : ",") + in_brackets.substr(0, in_brackets.size() - 1);
  return NfsExport{path, host.empty() ? "*" : std::move(host), std::move(options)};
}

// The exports of one line (exports.c, getexportent()): a directory without clients is exported to everybody, and
// options that begin with "-" hold for the clients behind them. Returns whether exportfs reads on behind the line.
bool add_line(Words& words, std::vector<NfsExport>& exports) {
  const std::string path = words.next();
  std::string of_line;
  bool is_first = true;
  for (std::string word = words.next(); is_first || !word.empty(); word = words.next()) {
    if (word.starts_with('-')) {
      of_line += (of_line.empty() ? "" : ",") + word.substr(1);
      continue;
    }
    is_first = false;
    auto one = export_from(path, word, of_line);
    if (!one) return false;
    if (path.starts_with('/')) exports.push_back(std::move(*one));
    if (word.empty()) break;
  }
  return true;
}

void add_file(const Snapshot& snapshot, const std::string& path, std::vector<ExportClaim>& claims) {
  const auto text = snapshot.read(path);
  if (!text) return;
  for (auto& one : exports_in(*text))
    claims.push_back({std::move(one.path), std::move(one.host), std::move(one.options), path});
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
  Words words(text);
  for (words.skip_to_line(); !words.is_over(); words.skip_to_line())
    if (!add_line(words, exports)) break;
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

bool is_host_name(std::string_view host) {
  return host.find_first_of("*?[/@:") == std::string_view::npos &&
         std::any_of(host.begin(), host.end(), ascii::is_letter);
}

bool is_same_host(std::string_view wanted, std::string_view present) {
  const std::string asked = ascii::lower(wanted);
  const std::string seen = ascii::lower(present);
  return asked == seen || (is_host_name(asked) && seen.starts_with(asked + "."));
}

bool is_exports_file(std::string_view path) {
  if (path == main_file) return true;
  if (path.rfind('/') != folder.size() || !path.starts_with(folder) || !path.ends_with(suffix)) return false;
  const auto name = path.substr(folder.size() + 1);
  return name.size() > suffix.size() && name.front() != '.';
}

bool ExportsOrder::operator()(const std::string& a, const std::string& b) const {
  if (a == main_file || b == main_file) return a == main_file && b != main_file;
  return ::strverscmp(a.c_str(), b.c_str()) < 0;  // as scandir() with versionsort() has them
}

std::vector<ExportClaim> read_exports(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  std::vector<std::string> paths{std::string(main_file)};
  look_at(std::string(folder), unseen, [&] {
    for (const auto& name : snapshot.list(std::string(folder))) paths.push_back(std::string(folder) + "/" + name);
  });
  std::erase_if(paths, [](const std::string& path) { return !is_exports_file(path); });
  std::sort(paths.begin(), paths.end(), ExportsOrder());
  std::vector<ExportClaim> claims;
  for (const auto& path : paths) look_at(path, unseen, [&] { add_file(snapshot, path, claims); });
  return claims;
}

}  // namespace rdmastate
