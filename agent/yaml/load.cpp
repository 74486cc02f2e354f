// SPDX-License-Identifier: Apache-2.0
// Flow: load() makes a Loader, whose constructor checks the bytes and decides whether they are JSON or YAML. run() lets
// read_json() or yaml-cpp tell the Builder what stands in the file; yaml-cpp does so through the Handler.
#include "yaml/load.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <streambuf>

#include "base/utf8.hpp"
#include "yaml/builder.hpp"
#include "yaml/json.hpp"
#include "yaml/prepass.hpp"
#include "yaml/syntax.hpp"

namespace rdmastate::yaml {
namespace {

// Thrown through yaml-cpp to end its work; the reason is in the report already.
struct Stop {};

// Lets an istream read the bytes without a copy.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());  // only read from
    setg(begin, begin, begin + bytes.size());
  }
};

// yaml-cpp counts in int, with -1 for no place, which becomes 0 here.
At at(const YAML::Mark& mark) {
  const auto number = [](int value) { return static_cast<std::size_t>(std::max(value, 0)); };
  return {number(mark.pos), number(mark.line), number(mark.column)};
}

// Passes yaml-cpp's events on to the Builder, with their places.
class Handler : public YAML::EventHandler {
 public:
  explicit Handler(Builder& builder) : builder_(builder) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 0) return;
    builder_.complain(builder_.place(at(mark)),
                      {"a second document begins here", /*expected=*/{}, "one file is one document: remove the '---'"});
    throw Stop{};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    report_properties(mark, "?", anchor);
    builder_.null(at(mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { builder_.alias(at(mark)); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    report_properties(mark, tag, anchor);
    // The file is UTF-8; yaml-cpp turns \N and \_ into one byte of Latin-1 (Exp::Escape()).
    if (!is_utf8(value))
      builder_.complain(
          builder_.place(at(mark)),
          {"holds \\N or \\_, which the YAML parser does not read as a character", {}, "write \\x85 or \\xa0"});
    builder_.scalar(at(mark), tag != "!", value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, NodeType::list);
  }
  void OnSequenceEnd() override { builder_.close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, NodeType::map);
  }
  void OnMapEnd() override { builder_.close(); }

 private:
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, NodeType type) {
    report_properties(mark, tag, anchor);
    if (builder_.too_deep()) {
      builder_.stop(at(mark), fmt::format("nested more than {} deep", max_depth));
      throw Stop{};
    }
    builder_.open(at(mark), type);
  }

  // Reports an anchor and a tag. yaml-cpp gives the tag "?" to what has none and "!" to a quoted scalar; a spec can
  // also hold these tags, so has_tag() looks at the bytes.
  void report_properties(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) builder_.anchor(at(mark));
    if ((tag != "?" && tag != "!") || builder_.has_tag(at(mark))) builder_.tag(at(mark));
  }

  Builder& builder_;
  int documents_ = 0;
};

// The offset's line and column, counted from the beginning of the bytes.
At at_offset(std::string_view bytes, std::size_t offset) {
  const std::string_view before = bytes.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  return {offset, line, newline == std::string_view::npos ? offset : offset - newline - 1};
}

// The offset of a directive (%) before which only comments and blank lines stand; nullopt where there is none.
std::optional<std::size_t> directive_offset(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t text = std::min(bytes.find_first_not_of(" \t\r\n", at), bytes.size());
    if (text == bytes.size() || bytes[text] != '#')
      return text < bytes.size() && bytes[text] == '%' ? std::optional(text) : std::nullopt;
    at = std::min(bytes.find('\n', text), bytes.size());
  }
  return std::nullopt;
}

// One file, from bytes to nodes.
class Loader {
 public:
  Loader(NodeStore& store, std::uint32_t source, bool json, Report& report)
      : store_(store),
        report_(report),
        source_(source),
        prepass_(prepass_characters(store.bytes())),
        builder_(store, source, prepass_.ascii, report) {
    // JSON and YAML allow the same characters; the rest of the prepass is for YAML alone.
    if (json && !prepass_.problem) json_error_ = json_problem(store.bytes());
    is_json_ = json && !prepass_.problem && !json_error_;
    if (!is_json_ && !prepass_.problem) prepass_ = prepass(store.bytes());
  }

  std::optional<Node> run() {
    if (prepass_.problem) return fail(json_error_ ? *json_error_ : *prepass_.problem);
    if (is_json_)
      read_json(store_.bytes(), builder_);
    else if (!parse())
      return std::nullopt;
    const Node* root = builder_.root();
    if (root == nullptr || (root->is_null() && root->as_scalar().text.empty()))
      return fail({source_}, {"holds nothing", {}, "the smallest specification is 'version: 1'"});
    return *root;
  }

 private:
  std::optional<Node> fail(const Place& where, Complaint complaint) {
    report_.add(where, {}, std::move(complaint));
    return std::nullopt;
  }

  std::optional<Node> fail(const Prepass::Problem& problem) { return fail(place(problem.offset), problem.complaint); }

  Place place(std::size_t offset) { return builder_.place(at_offset(store_.bytes(), offset)); }

  // yaml-cpp parses into builder_. False, and reported, where there is no document; a second document is reported too.
  bool parse() {
    if (const auto directive = directive_offset(store_.bytes())) {
      fail(place(*directive), {"directives are not supported", {}, "remove the line: YAML 1.2 is what is read"});
      return false;
    }
    Handler handler(builder_);
    ViewBuffer buffer(store_.bytes());
    std::istream stream(&buffer);
    try {
      YAML::Parser parser(stream);
      while (parser.HandleNextDocument(handler)) {
      }
    } catch (const Stop&) {
      return builder_.root() != nullptr;
    } catch (const YAML::Exception& error) {
      report_syntax_error(error);
      return false;
    }
    return true;
  }

  void report_syntax_error(const YAML::Exception& error) {
    if (json_error_) {
      fail(*json_error_);
      return;
    }
    const Place where = place_of(error);
    if (const auto tab = tab_in_indentation(at(error.mark)))
      fail(place(*tab), explain_syntax(YAML::ErrorMsg::TAB_IN_INDENTATION));
    else
      fail(where, explain_syntax(error.msg));
  }

  // The offset of a tab in the indentation of this line; nullopt when there is none. The tab causes the error and
  // cannot be seen, so the message names it.
  std::optional<std::size_t> tab_in_indentation(const At& where) const {
    if (where.offset < where.column || where.offset > store_.bytes().size()) return std::nullopt;
    const std::size_t line = where.offset - where.column;
    const std::size_t text = std::min(store_.bytes().find_first_not_of(" \t", line), where.offset);
    const std::size_t tab = store_.bytes().find('\t', line);
    return tab < text ? std::optional(tab) : std::nullopt;
  }

  // For a quote or a bracket that is never closed: where it was opened, since yaml-cpp names the end of the file.
  // Any other error: its own place, which may lie behind the end of the bytes.
  Place place_of(const YAML::Exception& error) {
    if (error.msg == YAML::ErrorMsg::EOF_IN_SCALAR && prepass_.open_quote) return place(*prepass_.open_quote);
    const bool bracket = error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW || error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW;
    if (bracket && builder_.innermost().line > 0) return builder_.innermost();
    At where = at(error.mark);
    where.offset = std::min(where.offset, store_.bytes().size());
    where.column = std::min(where.column, where.offset);
    return builder_.place(where);
  }

  NodeStore& store_;
  Report& report_;
  std::uint32_t source_;  // the file's index in Report::sources()
  bool is_json_ = false;
  std::optional<Prepass::Problem> json_error_;  // why it is no JSON; reported if it is no YAML either
  Prepass prepass_;
  Builder builder_;
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

std::optional<Document> load(std::string name, std::string bytes, Report& report) {
  if (bytes.starts_with(byte_order_mark)) bytes.erase(0, byte_order_mark.size());
  if (bytes.size() > max_bytes) {
    const auto too_long = prepass(bytes).problem;  // prepass() refuses the size before all else
    report.add({report.add_source(std::move(name), /*text=*/{})}, /*path=*/{}, too_long->complaint);
    return std::nullopt;
  }
  const bool json = looks_like_json(name, bytes);
  const std::uint32_t source = report.add_source(std::move(name), bytes);
  auto store = std::make_unique<NodeStore>(std::move(bytes));
  const auto root = Loader(*store, source, json, report).run();
  if (!root) return std::nullopt;
  return Document{std::move(store), *root};
}

}  // namespace rdmastate::yaml
