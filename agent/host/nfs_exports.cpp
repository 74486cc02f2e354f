// SPDX-License-Identifier: Apache-2.0
#include "host/nfs_exports.hpp"

#include <algorithm>
#include <cstring>

#include "base/ascii.hpp"
#include "host/look_at.hpp"
#include "host/nfs_export_options.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view main_file = "/etc/exports";
constexpr std::string_view folder = "/etc/exports.d";
constexpr std::string_view suffix = ".exports";

// Lengths in bytes. At a longer word exportfs stops reading the file (exports.c, getexportent()).
constexpr std::size_t longest_path = 1024;
constexpr std::size_t longest_client = 511;

// Words of a file, as nfs-utils cuts them (support/nfs/xio.c): blanks in quotes do not end one, \040 is a blank, and a
// line that ends in a backslash goes on, unless that is in a comment.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  bool is_over() const { return at_ == text_.size(); }
  void skip_to_line() { skip(" \t\n"); }
  // The next word of the line; empty at its end, and of quotes with nothing in them.
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
    if (code < 256) word.replace(from, 4, 1, static_cast<char>(code));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// A client without options has those of the line; one without a name is everybody. nullopt: its list of options has no
// end.
std::optional<NfsExport> export_from(const std::string& path, const std::string& client, const std::string& of_line) {
  const std::size_t open = client.find('(');
  std::string host = client.substr(0, open);
  std::string options;
  if (open != client.npos) {
    if (client.find(')', open) != client.size() - 1) return std::nullopt;
    options = client.substr(open + 1, client.size() - open - 2);
  }
  return NfsExport{path, host.empty() ? "*" : std::move(host), joined_options(of_line, options)};
}

// The exports of one line (exports.c, getexportent()): a word that begins with "-" has options for the clients behind
// it; of two such words in a row the second is a client. A directory or such a word without a client behind it is for
// everybody. An export whose path is not absolute is left out, and reading goes on. Returns whether exportfs reads on.
bool add_line(Words& words, std::vector<NfsExport>& exports) {
  const std::string path = words.next();
  if (path.empty() || path.size() > longest_path) return false;
  std::string of_line;
  std::string word = words.next();
  do {
    if (word.starts_with('-')) {
      of_line = joined_options(of_line, word.substr(1));
      word = words.next();
    }
    auto one = word.size() > longest_client ? std::nullopt : export_from(path, word, of_line);
    if (!one) return false;
    if (path.starts_with('/')) exports.push_back(std::move(*one));
    word = words.next();
  } while (!word.empty());
  return true;
}

void add_file(const Snapshot& snapshot, const std::string& path, std::vector<ExportClaim>& claims) {
  const auto text = snapshot.read(path);
  if (!text) return;
  for (auto& one : exports_in(*text))
    claims.push_back({std::move(one.path), std::move(one.host), std::move(one.options), path});
}

}  // namespace

std::vector<NfsExport> exports_in(std::string_view text) {
  std::vector<NfsExport> exports;
  Words words(text);
  for (words.skip_to_line(); !words.is_over(); words.skip_to_line())
    if (!add_line(words, exports)) break;
  return exports;
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
