// SPDX-License-Identifier: Apache-2.0
// Flow: finished nodes are pushed on nodes_, and open() remembers where the children of a collection begin there.
// close() takes the children off, stores them, and pushes the collection as one node. Of a map keys and values take
// turns.
#include "yaml/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/path.hpp"
#include "base/utf8.hpp"
#include "yaml/prepass.hpp"

namespace rdmastate::yaml {
namespace {

Complaint complaint(std::string message, std::string hint = {}) {
  return {std::move(message), {}, std::move(hint), Severity::error};
}

}  // namespace

void Builder::scalar(const At& at, bool plain, const std::string& text) {
  const std::string_view kept = text_at(at.offset, text);
  const std::string_view written = plain ? kept : quoted_at(at.offset);
  const Place where = place(at, ascii_ ? written.size() : utf8_count(written));
  // yaml-cpp takes the end of the file for the end of the quotes. quoted_at() returns one character then.
  if (!plain && is_quote(at.offset) && written.size() == 1) complain(where, complaint("a quote that is never closed"));
  nodes_.push_back(Node::scalar({kept, plain}, where));
}

void Builder::null(const At& at) {
  const bool written = is_written_null(at.offset);
  const std::string_view text = !written ? "" : bytes()[at.offset] == '~' ? "~" : "null";
  nodes_.push_back(Node::scalar({text}, written ? place(at, text.size()) : empty_place(at)));
}

void Builder::alias(const At& at) {
  const Place where = place(at);
  complain(where, complaint("aliases are not supported", "write the value out"));
  nodes_.push_back(Node::broken(where));
}

void Builder::anchor(const At& at) {
  complain(place(at), complaint("anchors are not supported", "write the value out wherever it is needed"));
}

void Builder::tag(const At& at) {
  complain(place(at), complaint("tags are not supported", "write the value without it; a string goes in quotes"));
}

void Builder::open(const At& at, NodeType type) { frames_.push_back({type, place(at), nodes_.size()}); }

void Builder::close() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.type == NodeType::map) return close_map(frame);
  const auto items = store_.keep(std::span<const Node>(nodes_).subspan(frame.first));
  nodes_.resize(frame.first);
  nodes_.push_back(Node::list(items, frame.place));
}

void Builder::close_map(const Frame& frame) {
  entries_.clear();
  for (std::size_t i = frame.first; i + 1 < nodes_.size(); i += 2) entries_.push_back({nodes_[i], nodes_[i + 1]});
  nodes_.resize(frame.first);
  std::erase_if(entries_, [&](const Entry& entry) { return !is_good_key(entry.key); });
  drop_duplicates();
  Place where = frame.place;
  // A block map begins with its first key: the caret underlines the key.
  if (!entries_.empty() && entries_.front().key.place().column == where.column)
    where.width = entries_.front().key.place().width;
  nodes_.push_back(Node::map(store_.keep(std::span<const Entry>(entries_)), where));
}

bool Builder::is_good_key(const Node& key) {
  if (key.type() == NodeType::broken) return false;
  if (key.type() != NodeType::scalar || key.is_null()) {
    complain(key.place(),
             complaint("a key that is no text", "a key is a word or a number; another text goes in quotes"));
    return false;
  }
  if (key.as_scalar().text != "<<") return true;
  complain(key.place(), complaint("merge keys are not supported", "write the entries out"));
  return false;
}

// Reports and drops keys that stand again. The sort makes equal keys neighbours; it is stable, so that the one that
// stands first in the file stays.
void Builder::drop_duplicates() {
  const auto text = [&](std::size_t i) { return entries_[i].key.as_scalar().text; };
  order_.resize(entries_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return text(a) < text(b); });
  std::vector<std::size_t> repeated;
  for (std::size_t i = 1, first = 0; i < order_.size(); ++i) {
    if (text(order_[i]) != text(order_[first])) {
      first = i;
      continue;
    }
    report_duplicate(entries_[order_[first]], entries_[order_[i]]);
    repeated.push_back(order_[i]);
  }
  if (!repeated.empty()) drop(repeated);
}

void Builder::drop(std::vector<std::size_t>& indices) {
  std::sort(indices.begin(), indices.end());
  std::size_t index = 0;
  std::erase_if(entries_, [&](const Entry&) { return std::binary_search(indices.begin(), indices.end(), index++); });
}

void Builder::report_duplicate(const Entry& first, const Entry& again) {
  complain(again.key.place(), complaint(fmt::format("duplicate key '{}'; the first is in line {}",
                                                    again.key.as_scalar().text, first.key.place().line)));
}

bool Builder::too_deep() const { return frames_.size() >= max_depth; }

void Builder::complain(const Place& where, Complaint what) { report_.add(where, path(), std::move(what)); }

// The path of what is being read: in each open collection it is the child that comes next, or the value whose key was
// pushed last.
std::string Builder::path() const {
  std::string text;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    const std::size_t end = i + 1 < frames_.size() ? frames_[i + 1].first : nodes_.size();
    const std::size_t children = end - frame.first;
    if (frame.type == NodeType::list)
      append_index(text, children);
    else if (children % 2 == 1 && nodes_[end - 1].type() == NodeType::scalar)
      append_key(text, nodes_[end - 1].as_scalar().text);
  }
  return text;
}

// A column of `at` counts bytes, one of a Place characters. Both are the same where the whole document is ASCII.
Place Builder::place(const At& at, std::size_t width) {
  std::size_t characters = at.column;
  if (!ascii_) {
    const std::size_t line_start = at.offset - at.column;
    if (line_start != counted_.line_start || at.offset < counted_.offset) counted_ = {line_start, line_start, 0};
    counted_.characters += utf8_count(bytes().substr(counted_.offset, at.offset - counted_.offset));
    counted_.offset = at.offset;
    characters = counted_.characters;
  }
  return {source_, static_cast<std::uint32_t>(at.line + 1), static_cast<std::uint32_t>(characters + 1),
          static_cast<std::uint32_t>(width)};
}

// The text, to be kept by a node: a part of the document where it stands there letter by letter, with or without a
// quote in front of it; else a copy.
std::string_view Builder::text_at(std::size_t offset, const std::string& text) {
  for (const std::size_t start : {offset, offset + 1})
    if (start <= bytes().size() && bytes().compare(start, text.size(), text) == 0)
      return bytes().substr(start, text.size());
  return store_.keep(text);
}

bool Builder::is_quote(std::size_t offset) const {
  return offset < bytes().size() && (bytes()[offset] == '"' || bytes()[offset] == '\'');
}

// A scalar in quotes as it is written, or the first character of one that has no quotes or whose quotes never end.
std::string_view Builder::quoted_at(std::size_t offset) const {
  if (!is_quote(offset)) return bytes().substr(std::min(offset, bytes().size()), 1);
  const char quote = bytes()[offset];
  const auto is = [&](std::size_t i, char c) { return i < bytes().size() && bytes()[i] == c; };
  for (std::size_t end = offset + 1; end < bytes().size(); ++end) {
    const bool escaped = quote == '"' ? is(end, '\\') : is(end, quote) && is(end + 1, quote);
    if (escaped)
      ++end;
    else if (is(end, quote))
      return bytes().substr(offset, end - offset + 1);
  }
  return bytes().substr(offset, 1);
}

// yaml-cpp gives an empty value the place of the next token, which may well be the key "null", or begin with these
// letters.
bool Builder::is_written_null(std::size_t offset) const {
  std::string_view rest = bytes().substr(std::min(offset, bytes().size()));
  const bool word = rest.starts_with("null") || rest.starts_with("Null") || rest.starts_with("NULL");
  if (!word && !rest.starts_with('~')) return false;
  rest.remove_prefix(word ? 4 : 1);
  const bool ends = rest.empty() || std::string_view(" \t\r\n:,]}").find(rest.front()) != std::string_view::npos;
  if (!ends) return false;
  const std::size_t next = rest.find_first_not_of(" \t");
  return next == std::string_view::npos || rest[next] != ':';
}

// The place of an empty value: that of its key, or of the dash in front of it.
Place Builder::empty_place(const At& at) {
  if (frames_.empty()) return place(at);
  const Frame& frame = frames_.back();
  const bool is_value = frame.type == NodeType::map && (nodes_.size() - frame.first) % 2 == 1;
  if (is_value) return nodes_.back().place();
  const std::size_t dash = at.offset == 0 ? std::string_view::npos : bytes().rfind('-', at.offset - 1);
  if (frame.type != NodeType::list || dash == std::string_view::npos) return place(at);
  const std::size_t newline = bytes().rfind('\n', dash);
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const auto lines =
      static_cast<std::size_t>(std::count(bytes().begin() + static_cast<std::ptrdiff_t>(dash),
                                          bytes().begin() + static_cast<std::ptrdiff_t>(at.offset), '\n'));
  return place({dash, at.line - std::min(lines, at.line), dash - start});
}

}  // namespace rdmastate::yaml
