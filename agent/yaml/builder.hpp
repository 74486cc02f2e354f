// SPDX-License-Identifier: Apache-2.0
// Builds the tree of nodes of one document from the events of a parser (yaml-cpp's, or that of json.hpp), and reports
// what is wrong with its structure. Uses no type of yaml-cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/report.hpp"
#include "yaml/node.hpp"

namespace rdmastate::yaml {

/// Where an event happened, as yaml-cpp counts: bytes, from 0.
struct At {
  std::size_t offset = 0;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// Builds nodes from a parser's events, in their order. Reports what rdmastate refuses; store and report must
/// outlive it.
class Builder {
 public:
  /// `store` holds the document's bytes; `source` is its number among the report's sources; `ascii`: all bytes are
  /// ASCII.
  Builder(NodeStore& store, std::uint32_t source, bool ascii, Report& report)
      : store_(store), report_(report), source_(source), ascii_(ascii) {}

  /// A parser's events, each with its place. open() and close() are the ends of a list or map; null() is also an empty
  /// value; an alias is refused and reported. `plain`: the scalar has no quotes. `text` is copied where the document
  /// does not have it as it is.
  void scalar(const At& at, bool plain, const std::string& text);
  void null(const At& at);
  void alias(const At& at);
  void open(const At& at, NodeType type);
  void close();

  /// What is refused and reported: an anchor, a tag.
  void anchor(const At& at);
  void tag(const At& at);
  /// Is `!tag` written there?
  bool has_tag(const At& at) const { return at.offset < bytes().size() && bytes()[at.offset] == '!'; }

  /// Whether as many collections are open as a spec may nest.
  bool too_deep() const;
  /// Reports why no more is read: without a path, which can be very long.
  void stop(const At& at, std::string why) { report_.add(place(at), {}, {std::move(why), {}, {}, Severity::error}); }
  /// Reports a mistake in what is being read now.
  void complain(const Place& place, Complaint complaint);
  /// `at` as a report counts: from 1, and columns in characters. `width`: how many of these are underlined.
  Place place(const At& at, std::size_t width = 1);
  /// Where the innermost collection that is still open began; line 0 when all are closed.
  Place innermost() const { return frames_.empty() ? Place{} : frames_.back().place; }
  /// The finished document; nullptr: there was none, or a collection of it is still open.
  const Node* root() const { return frames_.empty() && !nodes_.empty() ? &nodes_.front() : nullptr; }

 private:
  struct Frame {
    NodeType type;
    Place place;
    std::size_t first;  // of its children in nodes_; of a map they are key, value, key, value
  };

  std::string_view bytes() const { return store_.bytes(); }
  std::string path() const;
  void close_map(const Frame& frame);
  bool is_good_key(const Node& key);             ///< false, and reported: a key that is no text, or a merge key
  void drop_duplicates();                        ///< of entries_, and reports them
  void drop(std::vector<std::size_t>& indices);  ///< removes these entries of entries_
  void report_duplicate(const Entry& first, const Entry& again);
  std::string_view text_at(std::size_t offset, const std::string& text);
  bool is_quote(std::size_t offset) const;
  std::string_view quoted_at(std::size_t offset) const;
  bool is_written_null(std::size_t offset) const;
  Place empty_place(const At& at);

  NodeStore& store_;
  Report& report_;
  std::uint32_t source_;
  bool ascii_;
  std::vector<Node> nodes_;  // children of the collections that are open, outermost first
  std::vector<Frame> frames_;
  std::vector<Entry> entries_;      // of the map that is being closed
  std::vector<std::size_t> order_;  // indices into them, by key
  // How many characters lie between the start of a line and a byte in it. place() counts on from here, since lines can
  // be long and events many.
  struct {
    std::size_t line_start = 0, offset = 0, characters = 0;
  } counted_;
};

}  // namespace rdmastate::yaml
