// SPDX-License-Identifier: Apache-2.0
// A run is a directory of files round-NN.json, the steps of each round (RunWriter::record_round(), read_round()), and
// the file `progress`: lines for people, and at last a line that says how the run ended (mark(), read_progress()).
#include "apply/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/lines.hpp"
#include "platform/layout.hpp"
#include "resources/file/directories.hpp"
#include "resources/file/file.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t kept_runs = 20;
constexpr std::string_view runs_parent = "/var/lib";  ///< every system has it, so it stays when the last run goes
constexpr std::uint32_t private_directory = 0700;
constexpr std::uint32_t private_file = 0600;
constexpr std::string_view round_prefix = "round-";
constexpr std::string_view leaving = "leaving ";  // in the progress file, before a kind and a key as JSON

std::string runs_directory() { return std::string(common_layout().runs); }
std::string progress_path(const std::string& directory) { return directory + "/progress"; }

std::uint32_t number_of(const std::string& id) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  return error == std::errc{} && end == id.data() + id.size() ? number : 0;
}

std::string id_of(std::uint32_t number) { return fmt::format("{:06}", number); }
std::string round_name(std::size_t number) { return fmt::format("{}{:02}.json", round_prefix, number); }

// Directories of runs, oldest first; the sequence number orders them, whatever the clock says.
std::vector<std::string> run_ids(Host& host) {
  std::vector<std::string> ids;
  for (auto& name : host.files.list(runs_directory()))
    if (number_of(name) != 0 && name == id_of(number_of(name))) ids.push_back(std::move(name));
  std::sort(ids.begin(), ids.end(), [](const auto& a, const auto& b) { return number_of(a) < number_of(b); });
  return ids;
}

void remove_run(Host& host, const std::string& directory) {
  for (const auto& name : host.files.list(directory)) host.files.remove(directory + "/" + name);
  host.files.remove(directory);
}

Json deadline_json(const Deadline& deadline) {
  return {{"seconds", deadline.seconds}, {"ticks", deadline.ticks}, {"until", deadline.until}};
}

// Runs of earlier versions lack the spec's id and the deadline.
void read_head(JsonObject& in, RunRecord& record) {
  record.boot_id = in.text("boot_id");
  record.begun = in.integer("time");
  record.spec = in.text_or("spec", "");
  in.with("confirm", [&](JsonObject& confirm) {
    record.deadline = {confirm.integer("seconds"), confirm.integer("ticks"), confirm.integer("until")};
  });
}

Error damaged(const Error& error) { return Error(fmt::format("it is damaged: {}", printable(error.what()))); }

void read_round(const std::string& bytes, RunRecord& record) {
  try {
    const Json json = parse_json(bytes);
    JsonObject in(json, /*path=*/"");
    expect_format(in.number("format_version"));
    if (record.steps.empty()) read_head(in, record);
    in.json("steps");  // throws where the list is missing; each() would take it for empty
    const std::size_t before = record.steps.size();
    in.each("steps", [&](const Json& step, const std::string& path) { record.steps.push_back(step_from(step, path)); });
    std::size_t at = before;
    in.each("called", [&](const Json& name, const std::string& path) {
      if (at < record.steps.size()) record.steps[at++].called = json_text(name, path);
    });
    if (in.flag_or("rehearsed", false)) record.rehearsed += record.steps.size() - before;
  } catch (const NewerFormat&) {
    throw;
  } catch (const Error& error) {
    throw damaged(error);
  }
}

struct Ending {
  RunEnd end;
  std::string_view word;
};
constexpr Ending endings[] = {{RunEnd::finished, "finished"},
                              {RunEnd::half_back, "rolling back what others left"},
                              {RunEnd::awaiting, "awaits confirmation"},
                              {RunEnd::confirmed, "confirmed"},
                              {RunEnd::undone, "undone"},
                              {RunEnd::rolled_back, "rolled back"}};

std::string_view word_of(RunEnd end) {
  for (const auto& ending : endings)
    if (ending.end == end) return ending.word;
  return {};
}

std::optional<RunEnd> end_named(std::string_view word) {
  for (const auto& ending : endings)
    if (ending.word == word) return ending.end;
  return std::nullopt;
}

// Whether what the run did is on the host.
bool stands(RunEnd end) { return end == RunEnd::finished || end == RunEnd::awaiting || end == RunEnd::confirmed; }

// Reads what stands behind `leaving`: the kind and the key of a resource that a rollback leaves alone.
void read_left_alone(std::string_view json, RunRecord& record) {
  try {
    const Json named = parse_json(json);
    if (const Kind* kind = kind_named(json_text(named[0], "the kind")))
      record.left_alone.push_back({kind->name, json_text(named[1], "the key")});
  } catch (const Error& error) {
    throw damaged(error);
  }
}

// The last line says how it ended. One that lacks its newline was being written when its writer died: nothing came of
// it.
void read_progress(std::string_view text, RunRecord& record) {
  text = text.substr(0, text.rfind('\n') + 1);
  for_lines(text, [&](std::string_view line) {
    if (line.starts_with(leaving)) return read_left_alone(line.substr(leaving.size()), record);
    record.end = end_named(line).value_or(RunEnd::unfinished);
    if (record.end != RunEnd::half_back) record.left_alone.clear();
    if (stands(record.end)) record.stood = record.end;
  });
}

void refuse_what_is_no_directory(Host& host, const std::string& path) {
  const auto meta = host.files.meta(path);
  if (!meta || meta->type != FileType::directory) throw damaged(Error("it is no directory"));
}

// Reads all rounds and returns how many there are. One that is missing before another is damage: rollback would not
// undo it.
std::size_t read_rounds(Host& host, const std::string& directory, RunRecord& record) {
  std::size_t count = 0;
  for (const auto& name : host.files.list(directory)) {
    if (!name.starts_with(round_prefix)) continue;
    in_context(directory + "/" + round_name(++count), [&] {
      if (name != round_name(count)) throw damaged(Error("it is missing, and " + name + " is there"));
      read_round(host.files.read(directory + "/" + name).value_or(""), record);
    });
  }
  return count;
}

RunRecord read_run(Host& host, const std::string& id) {
  RunRecord record;
  record.id = id;
  const std::string directory = runs_directory() + "/" + id;
  in_context(directory, [&] { refuse_what_is_no_directory(host, directory); });
  const std::size_t rounds = read_rounds(host, directory, record);
  const std::string progress = progress_path(directory);
  const std::string lines = in_context(progress, [&] { return host.files.read(progress).value_or(""); });
  in_context(progress, [&] { read_progress(lines, record); });
  if (rounds == 0 && !lines.empty() && record.end != RunEnd::undone)
    in_context(directory + "/" + round_name(1), [] { throw damaged(Error("it is missing, and the run has begun")); });
  if (record.steps.empty() && record.end == RunEnd::unfinished) record.end = RunEnd::undone;  // nothing was begun
  return record;
}

// Adds whole lines to the progress file and syncs it. Behind a last line without a newline, whose writer died, they
// begin on a line of their own.
void add_durably(Host& host, const std::string& id, const std::string& lines) {
  const std::string path = progress_path(runs_directory() + "/" + id);
  const std::string before = host.files.read(path).value_or("");
  const bool is_torn = !before.empty() && !before.ends_with('\n');
  host.files.append(path, is_torn ? "\n" + lines : lines, /*durable=*/true);
}

}  // namespace

bool is_told(const RunStep& step) {
  const Layout& layout = common_layout();
  return !leads_nowhere(step) && step.key != layout.ledger && step.key != layout.applied;
}

std::size_t RunRecord::count_told() const {
  const auto ours = static_cast<std::ptrdiff_t>(steps.size() - rehearsed);
  return static_cast<std::size_t>(std::count_if(steps.begin(), steps.begin() + ours, is_told));
}

bool RunRecord::is_open() const { return is_half_done() || end == RunEnd::awaiting; }

RunWriter::RunWriter(Host& host, RunHead head) : host_(host), head_(std::move(head)) {
  make_directories(host.files, runs_directory());
  const auto ids = run_ids(host);
  id_ = id_of(ids.empty() ? 1 : number_of(ids.back()) + 1);
  directory_ = runs_directory() + "/" + id_;
  host.files.replace(directory_, content_from(directory(private_directory)));
  for (std::size_t i = 0; i + kept_runs <= ids.size(); ++i) remove_run(host, runs_directory() + "/" + ids[i]);
}

void RunWriter::record_round(const std::vector<RunStep>& steps, Whose whose) {
  Json json{{"format_version", 1}, {"boot_id", head_.boot_id}, {"time", host_.clock.now()}, {"spec", head_.spec}};
  if (head_.deadline) json["confirm"] = deadline_json(*head_.deadline);
  if (whose == Whose::owners) json["rehearsed"] = true;
  json["steps"] = Json::array();
  for (const auto& step : steps) json["steps"].push_back(to_json(step));
  // A list beside the steps: an earlier version of rdmastate refuses a key that it does not know in a step, and ignores
  // one in a round.
  if (std::any_of(steps.begin(), steps.end(), [](const RunStep& step) { return !step.called.empty(); })) {
    json["called"] = Json::array();
    for (const auto& step : steps) json["called"].push_back(step.called);
  }
  const std::string path = directory_ + "/" + round_name(++rounds_);
  host_.files.replace(path, content_from(regular_file(json.dump(1) + "\n", private_file)));
  host_.files.sync_directories();
}

void RunWriter::note(const std::string& line) {
  host_.files.append(progress_path(directory_), line + "\n", /*durable=*/false);
}

void RunWriter::end(RunEnd how) { mark(host_, id_, how); }

void RunWriter::forget() {
  mark(host_, id_, RunEnd::undone);  // a run without its rounds is damaged, unless it says that nothing of it stands
  for (std::size_t round = rounds_; round > 0; --round) host_.files.remove(directory_ + "/" + round_name(round));
  remove_run(host_, directory_);
  for (std::string path = runs_directory(); path != runs_parent && host_.files.list(path).empty();
       path.resize(path.rfind('/')))
    host_.files.remove(path);
  host_.files.sync_directories();
}

std::optional<RunRecord> newest_run(Host& host) {
  const auto ids = run_ids(host);
  if (ids.empty()) return std::nullopt;
  return read_run(host, ids.back());
}

std::vector<RunRecord> all_runs(Host& host) {
  std::vector<RunRecord> runs;
  for (const auto& id : run_ids(host)) {
    try {
      runs.insert(runs.begin(), read_run(host, id));
    } catch (const Error& error) {
      runs.insert(runs.begin(), RunRecord{})->id = id;
      runs.front().trouble = error.what();
    }
  }
  return runs;
}

void mark(Host& host, const std::string& id, RunEnd how) { add_durably(host, id, std::string(word_of(how)) + "\n"); }

void mark_rolling_back(Host& host, const std::string& id, const std::vector<Ref>& left_alone) {
  std::string lines;
  for (const auto& ref : left_alone) lines += fmt::format("{}{}\n", leaving, Json::array({ref.kind, ref.key}).dump());
  // "rolling back" is no word of `endings`, so read_progress() takes the run for unfinished.
  lines += left_alone.empty() ? "rolling back" : word_of(RunEnd::half_back);
  add_durably(host, id, lines + "\n");
}

}  // namespace rdmastate
