// SPDX-License-Identifier: Apache-2.0
// Flow: with_included() load()s each file that a tree names, which calls with_included() for that file's own includes;
// then it lays the trees over each other with laid_over_included(), the including one last.
#include "spec/include.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/path.hpp"
#include "sections/spec.hpp"
#include "yaml/load.hpp"
#include "yaml/merge.hpp"
#include "yaml/reader.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view key = "include";

std::string directory_of(const std::string& name) { return name.substr(0, name.rfind('/') + 1); }

// A file that a spec includes is a spec itself, so that it can be checked alone. A root that is no map, and a version
// that is no number, are not reported here but where the value is read: by laid_over_included() if another file
// replaces it, else by load_spec().
void check_version(const yaml::Node& root, Report& report) {
  const yaml::Node* version = root.value("version");
  std::uint32_t number = 1;
  Report ignored;  // a version that is no number leaves 1, so nothing is said below
  if (version != nullptr) yaml::read_value(*version, detail::value_type<std::uint32_t>, &number, {}, ignored);
  if (version == nullptr && root.type() == yaml::NodeType::map)
    report.add(root.place(), "version",
               {"'version' is missing", {}, "an included file is a spec of its own: begin it with version: 1", {}});
  else if (number != 1)
    report.add(
        version->place(), "version",
        {fmt::format("version {} of this format is not known", number), {}, "this rdmastate reads version: 1", {}});
}

class Includer {
 public:
  Includer(std::vector<yaml::Document>& documents, const IncludeReader& reader, Report& report)
      : documents_(documents), reader_(reader), report_(report) {}

  std::optional<yaml::Node> run() {
    files_.push_back(report_.sources()[documents_.front().root.place().source].name);
    chain_.push_back(files_.front());
    const yaml::Node whole = with_included(documents_.front().root);
    return failed_ ? std::nullopt : std::optional(whole);
  }

 private:
  // `including` is a copy, since documents_ grows meanwhile.
  yaml::Node with_included(yaml::Node including) {
    const yaml::Entry* entry = including.find(key);
    if (entry == nullptr) return including;
    std::vector<IncludePath> paths;
    yaml::read_value(entry->value, detail::value_type<std::vector<IncludePath>>, &paths, std::string(key), report_);
    std::optional<yaml::Node> all;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (paths[i].value.empty()) continue;  // it could not be read, and that was said
      const auto one = load(paths[i].value, entry->value.items()[i].place(), i);
      if (one) all = all ? laid_over_included(*all, *one) : *one;
    }
    const yaml::Node rest = without_include(including);
    return all ? laid_over_included(*all, rest) : rest;
  }

  std::optional<yaml::Node> load(const std::string& path, const Place& at, std::size_t index) {
    const std::string directory = directory_of(chain_.back());
    const std::string name = directory + path;
    auto bytes = is_allowed(name, at, index) ? read(directory, path, at, index) : std::nullopt;
    auto document = bytes ? yaml::load(name, std::move(*bytes), report_) : std::nullopt;
    if (!document) {
      failed_ = true;
      return std::nullopt;
    }
    documents_.push_back(std::move(*document));
    const yaml::Node root = documents_.back().root;
    check_version(root, report_);
    files_.push_back(name);
    chain_.push_back(name);
    const yaml::Node whole = with_included(root);
    chain_.pop_back();
    return whole;
  }

  bool is_allowed(const std::string& name, const Place& at, std::size_t index) {
    std::string why;
    std::string hint;
    if (std::find(chain_.begin(), chain_.end(), name) != chain_.end()) {
      why = fmt::format("the files include each other in a circle: {}, {}", fmt::join(chain_, ", "), name);
      hint = "take one of these includes out";
    } else if (std::find(files_.begin(), files_.end(), name) != files_.end()) {
      why = fmt::format("{} is included already, and would now win over what came after it", name);
      hint = "include it once, by the first file that needs it";
    } else if (chain_.size() > most_include_depth) {
      why = fmt::format("files include each other at most {} deep", most_include_depth);
    } else if (files_.size() == most_files) {
      why = fmt::format("a spec consists of at most {} files", most_files);
    }
    if (!why.empty()) complain(at, index, why, hint);
    return why.empty();
  }

  std::optional<std::string> read(const std::string& directory, const std::string& path, const Place& at,
                                  std::size_t index) {
    if (!reader_) {
      complain(at, index, "a spec on standard input has no directory, so it cannot include files",
               "give the spec as a file");
      return std::nullopt;
    }
    try {
      std::string bytes = reader_(directory, path);
      total_ += bytes.size();
      if (total_ <= most_included_bytes) return bytes;
      complain(at, index,
               fmt::format("the included files have more than {} bytes (4 MiB) together", most_included_bytes), {});
    } catch (const Error& error) {
      complain(at, index, error.what(), {});
    }
    return std::nullopt;
  }

  void complain(const Place& at, std::size_t index, std::string message, std::string hint) {
    std::string path(key);
    append_index(path, index);
    report_.add(at, std::move(path), {std::move(message), {}, std::move(hint), Severity::error});
  }

  // laid_over() reads the values of `low` that `high` replaces, for their mistakes alone. Nobody needs the read values:
  // they go into `scratch`.
  yaml::Node laid_over_included(const yaml::Node& low, const yaml::Node& high) {
    Spec scratch;
    return yaml::laid_over(low, high, record_of<Spec>(), &scratch, *documents_.front().store, report_);
  }

  yaml::Node without_include(const yaml::Node& including) {
    std::vector<yaml::Entry> entries;
    for (const auto& entry : including.entries())
      if (entry.key.as_scalar().text != key) entries.push_back(entry);
    return yaml::Node::map(documents_.front().store->keep(std::span<const yaml::Entry>(entries)), including.place());
  }

  std::vector<yaml::Document>& documents_;
  const IncludeReader& reader_;
  Report& report_;
  std::vector<std::string> files_;  ///< all that were read, as messages call them
  std::vector<std::string> chain_;  ///< from the named spec to the file that is read now
  std::size_t total_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<yaml::Node> with_includes(std::vector<yaml::Document>& documents, const IncludeReader& reader,
                                        Report& report) {
  return Includer(documents, reader, report).run();
}

}  // namespace rdmastate
