// SPDX-License-Identifier: Apache-2.0
// Flow of offers(): for the first word all commands; for a word behind an option that takes a value, its values; for
// any other word the command's options and the values of its positionals. What does not begin with the typed letters is
// dropped.
#include "cli/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/output.hpp"
#include "doctor/check.hpp"
#include "sections/spec.hpp"

namespace rdmastate {
namespace {

using Offers = std::vector<Offer>;

Offer help() { return {"--help", "Print this help message and exit"}; }

// Offers the path of every field of the record, and of the records inside it.
void add_fields(const Record& record, const std::string& prefix, Offers& offers) {
  for (const auto& field : record.fields) {
    const std::string path = prefix + std::string(field.name);
    offers.push_back({path, std::string(field.doc)});
    const ValueType* type = field.type;
    while (type->element != nullptr) type = type->element;
    if (type->shape == Shape::record) add_fields(type->record(), path + ".", offers);
  }
}

void add_devices(Offers& offers) {
  std::error_code ignored;  // no such directory: no device
  for (const auto& one : std::filesystem::directory_iterator("/sys/class/infiniband", ignored))
    offers.push_back({one.path().filename().string()});
}

void add_checks(Offers& offers) {
  for (const auto* check : doctor::all_checks()) offers.push_back({std::string(check->id), std::string(check->title)});
}

// Offers the values of an option or of a positional: by its word in the help text, such as FILE or text|json.
void add_values(const OptionWords& option, Offers& offers) {
  for (auto& word : option.choices()) offers.push_back({std::move(word)});
  if (option.value.starts_with("FILE")) offers.push_back({":files"});
  if (option.value == "DIR") offers.push_back({":directories"});
  if (option.value == "DEVICE") add_devices(offers);
  if (option.value == "FILE-OR-ID") add_checks(offers);
  if (option.value == "PATH") add_fields(record_of<Spec>(), "", offers);
}

void add_names(const OptionWords& option, Offers& offers) {
  for (const auto& name : option.names)
    if (name.starts_with("--")) offers.push_back({name, option.doc});
}

Offers offers_of_commands(const std::vector<CommandWords>& commands) {
  Offers offers;
  for (const auto& command : commands) offers.push_back({command.name, command.doc});
  offers.push_back(help());
  offers.push_back({"--version", "Display program version information and exit"});
  return offers;
}

// The command's option of that name, when it takes a value; else nullptr.
const OptionWords* option_with_value(const CommandWords& command, std::string_view word) {
  for (const auto& option : command.options)
    if (!option.positional && !option.value.empty() &&
        std::find(option.names.begin(), option.names.end(), word) != option.names.end())
      return &option;
  return nullptr;
}

Offers offers_within(const CommandWords& command, std::string_view word_before) {
  Offers offers;
  if (const OptionWords* option = option_with_value(command, word_before)) {
    add_values(*option, offers);
    return offers;
  }
  for (const auto& option : command.options) option.positional ? add_values(option, offers) : add_names(option, offers);
  offers.push_back(help());
  return offers;
}

}  // namespace

std::vector<Offer> offers(std::span<const std::string_view> words) {
  if (words.empty()) return {};
  const auto commands = command_words();
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const CommandWords& one) { return words.size() > 1 && one.name == words[0]; });
  if (words.size() > 1 && command == commands.end()) return {};
  Offers found = words.size() == 1 ? offers_of_commands(commands) : offers_within(*command, words[words.size() - 2]);
  std::erase_if(found,
                [&](const Offer& one) { return !one.word.starts_with(':') && !one.word.starts_with(words.back()); });
  return found;
}

ExitCode run_complete(std::span<char*> words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  std::string text;
  for (const auto& one : offers(views)) text += one.word + (one.doc.empty() ? "" : "\t" + one.doc) + "\n";
  print_result(text);
  return ExitCode::done;
}

}  // namespace rdmastate
