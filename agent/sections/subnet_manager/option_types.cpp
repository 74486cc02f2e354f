// SPDX-License-Identifier: Apache-2.0
// `refusals` lists the options that no spec may set. judge_sm_option() judges a value by the option's form, each form
// by a judged_...(), which returns a Complaint without a message where the value is right. sm_options_in() reads a
// file.
#include "sections/subnet_manager/option_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "host/mark.hpp"
#include "host/opensm_files.hpp"
#include "host/opensm_options.hpp"

namespace rdmastate {
namespace {

struct RefusedValue {
  std::string_view name;
  std::string_view reason;
  std::string_view hint;
};

// Reasons, as ends of sentences; `elsewhere` is a hint.
constexpr std::string_view field = "is given by another field of the spec";
constexpr std::string_view secret = "is a secret, which specs and plans would show";
constexpr std::string_view elsewhere =
    "write it into your own opensm.conf; --adopt takes that file over and keeps the line";
constexpr std::string_view console = "opens a console: whoever can reach it controls OpenSM without a password";
constexpr std::string_view library = "would load a library into a program that runs as root";
constexpr std::string_view written = "is a path that OpenSM writes to as root";
constexpr std::string_view per_sl =
    "has one line for each service level (SL) in opensm.conf, and a spec can name an option only once";

constexpr std::array refusals{
    RefusedValue{"guid", field, "write the instance's port_guid"},
    RefusedValue{"sm_priority", field, "write the instance's priority"},
    RefusedValue{"subnet_prefix", field, "write the instance's subnet_prefix"},
    RefusedValue{"partition_config_file", field, "write subnet_manager.partitions"},
    RefusedValue{"allow_both_pkeys", field, "a member that is both in subnet_manager.partitions sets it"},
    RefusedValue{"log_file", written, "rdmastate gives each port a log of its own: /var/log/opensm.GUID.log"},
    RefusedValue{"dump_files_dir", written, "OpenSM writes its dumps to /var/log"},
    RefusedValue{"event_db_dump_file", written, elsewhere},
    RefusedValue{"m_key", secret, elsewhere},
    RefusedValue{"sm_key", secret, elsewhere},
    RefusedValue{"sa_key", secret, elsewhere},
    RefusedValue{"cc_key", secret, elsewhere},
    RefusedValue{"console", console, ""},
    RefusedValue{"console_port", console, ""},
    RefusedValue{"event_plugin_name", library, elsewhere},
    RefusedValue{"event_plugin_options", library, elsewhere},
    RefusedValue{"daemon", "would take OpenSM away from the unit that runs it", ""},
    RefusedValue{"sm_inactive", "would run a subnet manager that manages nothing", "write run: false"},
    RefusedValue{"no_partition_enforcement", "is an older name", "write part_enforce: off"},
    RefusedValue{"dimn_ports_file", "is an older name", "write port_search_ordering_file"},
    RefusedValue{"cc_ca_cong_setting_ccti_timer", per_sl, elsewhere},
    RefusedValue{"cc_ca_cong_setting_ccti_increase", per_sl, elsewhere},
    RefusedValue{"cc_ca_cong_setting_trigger_threshold", per_sl, elsewhere},
    RefusedValue{"cc_ca_cong_setting_ccti_min", per_sl, elsewhere},
};

const RefusedValue* refusal_of(std::string_view name) {
  const auto found =
      std::find_if(refusals.begin(), refusals.end(), [&](const RefusedValue& one) { return one.name == name; });
  return found == refusals.end() ? nullptr : &*found;
}

std::vector<std::string_view> accepted() {
  std::vector<std::string_view> names;
  for (const auto& one : opensm_options())
    if (refusal_of(one.name) == nullptr) names.push_back(one.name);
  return names;
}

std::string meant(std::string_view word, const std::vector<std::string_view>& names) {
  const auto near = nearest(word, names);
  return near.empty() ? std::string() : fmt::format("did you mean {}?", near);
}

// What is wrong with a number that is in the range: PortInfo (IBA) reserves it, or OpenSM takes another one instead
// (osm_subn_verify_config()). Empty: nothing.
std::string_view flaw_of(std::string_view name, std::uint64_t number) {
  constexpr std::string_view reserved = "is a reserved value of PortInfo";
  constexpr std::string_view replaced = "is replaced by OpenSM's default";
  if (name == "force_link_speed" && number < 15 && (number > 7 || (number > 0 && number % 2 == 0))) return reserved;
  if (name == "force_link_speed_ext" && number > 7 && number < 30) return reserved;
  if (name == "force_link_width" && number > 31 && number < 255) return reserved;
  const bool has_no_zero = name == "perfmgr_sweep_time_s" || name == "perfmgr_max_outstanding_queries";
  return has_no_zero && number == 0 ? replaced : std::string_view();
}

// `least` is for the message: "-1" for a limit, whose -1 judged() has taken already.
Complaint judged_number(const OpensmOption& option, std::string_view text, std::string_view least) {
  const std::string wanted = fmt::format("a whole number from {} to {}, decimal or after 0x", least, option.most);
  const bool is_octal = text.size() > 1 && text.front() == '0' && ascii::is_digit(text[1]);
  if (is_octal) return unexpected(wanted, {text}, "starts with 0: octal to OpenSM, decimal to others");
  const auto number = opensm_number(text);
  if (!number || *number > option.most) return unexpected(wanted, {text});
  const std::string_view flaw = flaw_of(option.name, *number);
  return flaw.empty() ? Complaint{} : unexpected(wanted, {text}, flaw);
}

Complaint judged_engines(std::string_view text) {
  constexpr std::string_view wanted = "routing engines in the order in which OpenSM tries them, such as \"ftree,updn\"";
  const auto known = opensm_engines();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view engine = text.substr(at, end - at);
    if (std::find(known.begin(), known.end(), engine) == known.end()) {
      const std::string near = meant(engine, {known.begin(), known.end()});
      return unexpected(wanted, {text},
                        fmt::format("names '{}', which is no routing engine of OpenSM", printable(engine)),
                        near.empty() ? fmt::format("one of {}", fmt::join(known, ", ")) : near);
    }
    at = end + 1;
  }
  return {};
}

Complaint judged_mask(std::string_view text) {
  constexpr std::size_t most_digits = 64;
  const bool is_mask = text.starts_with("0x") && text.size() > 2 && text.size() <= most_digits + 2 &&
                       std::all_of(text.begin() + 2, text.end(), ascii::is_hex);
  return is_mask ? Complaint{} : unexpected("up to 64 hexadecimal digits after 0x", {text});
}

Complaint judged_file(std::string_view text) {
  constexpr std::string_view wanted = "the absolute path of a file of letters, digits, '/', '.', '_' and '-'";
  const bool is_path = text.starts_with('/') && !text.ends_with('/') && ascii::holds_only(text, "._-/");
  return is_path ? Complaint{} : unexpected(wanted, {text});
}

Complaint judged_boolean(std::string_view text) {
  const bool is_boolean = text == "TRUE" || text == "FALSE" || text == "true" || text == "false";
  return is_boolean ? Complaint{} : unexpected("TRUE or FALSE", {text});
}

Complaint judged_enforced(std::string_view text) {
  const bool is_one = text == "both" || text == "in" || text == "out" || text == "off";
  return is_one ? Complaint{} : unexpected("both, in, out or off", {text});
}

// One number, decimal without a zero before it, as OpenSM's own parser of lists reads it.
bool is_list_number(std::string_view text) {
  return ascii::is_number(text) && (text.size() == 1 || text.front() != '0');
}

bool is_pair(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && is_list_number(text.substr(0, colon)) &&
         is_list_number(text.substr(colon + 1));
}

// A table of virtual lanes has a number for each of the 16 service levels; every other list has pairs.
Complaint judged_list(std::string_view name, std::string_view text) {
  constexpr std::ptrdiff_t service_levels = 16;
  const bool is_table = name.ends_with("_sl2vl");
  bool fits = true;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    fits = fits && (is_table ? is_list_number(part) : is_pair(part));
    at = end + 1;
  }
  if (is_table) fits = fits && std::count(text.begin(), text.end(), ',') == service_levels - 1;
  if (fits) return {};
  return unexpected(is_table ? "16 numbers with ',' between them, one for each service level"
                             : "pairs of numbers such as \"0:4,1:0\"",
                    {text});
}

Complaint judged_word(std::string_view text) {
  const bool is_word = !text.empty() && ascii::holds_only(text, "._-");
  return is_word ? Complaint{} : unexpected("a word of letters, digits, '.', '_' and '-'", {text});
}

Complaint judged(const OpensmOption& option, std::string_view text) {
  switch (option.form) {
    case OpensmForm::number:
      return judged_number(option, text, "0");
    case OpensmForm::limit:
      return text == "-1" ? Complaint{} : judged_number(option, text, "-1");
    case OpensmForm::mask:
      return judged_mask(text);
    case OpensmForm::boolean:
      return judged_boolean(text);
    case OpensmForm::file:
      return judged_file(text);
    case OpensmForm::engines:
      return judged_engines(text);
    case OpensmForm::enforced:
      return judged_enforced(text);
    case OpensmForm::list:
      return judged_list(option.name, text);
    case OpensmForm::guid:
    case OpensmForm::key:
    case OpensmForm::text:
      break;
  }
  return judged_word(text);
}

}  // namespace

std::string Text<SmOption>::schema() { return fmt::format(R"({{"enum":["{}"]}})", fmt::join(accepted(), R"(",")")); }

std::optional<Complaint> Text<SmOption>::read(const Scalar& scalar, SmOption& out) {
  if (const RefusedValue* refusal = refusal_of(scalar.text))
    return unexpected(wanted, scalar, refusal->reason, refusal->hint);
  if (opensm_option(scalar.text) == nullptr)
    return unexpected(wanted, scalar, "is none of OpenSM 3.3.23's options", meant(scalar.text, accepted()));
  out.value = scalar.text;
  return std::nullopt;
}

std::string Text<SmOption>::print(const SmOption& value) { return value.value; }

std::optional<Complaint> judge_sm_option(const SmOption& option, const Verbatim& value) {
  const OpensmOption* known = opensm_option(option.value);
  if (known == nullptr) return std::nullopt;  // an invalid name: the reader has reported it
  const std::size_t most = longest_opensm_line - option.value.size() - std::string_view(" \n").size();
  if (value.value.size() > most)
    return unexpected(fmt::format("at most {} bytes", most), {value.value.substr(0, 20)},
                      fmt::format("... is {} bytes long", value.value.size()));
  Complaint complaint = judged(*known, value.value);
  if (complaint.message.empty()) return std::nullopt;
  return complaint;
}

std::string sm_option_text(const SmOption& option, const Verbatim& value) {
  const OpensmOption* known = opensm_option(option.value);
  if (known == nullptr || known->form != OpensmForm::boolean) return value.value;
  return value.value == "TRUE" || value.value == "true" ? "TRUE" : "FALSE";
}

SmOptions sm_options_in(std::string_view text) {
  const bool is_ours = carries_mark(text);
  SmOptions found;
  for_lines(text, [&](std::string_view line) {
    const OpensmLine said = opensm_line(line);
    const OpensmOption* option = opensm_option(said.name);
    if (option == nullptr || refusal_of(said.name) != nullptr) return;
    const SmOption name{std::string(said.name)};
    found.erase(name);
    // OpenSM takes "true" for FALSE: what is in force counts.
    const bool is_boolean = option->form == OpensmForm::boolean;
    const Verbatim value{is_boolean ? opensm_value(*option, said.value) : std::string(said.value)};
    const bool counts = is_ours || !is_usual(*option, opensm_value(*option, said.value));
    if (counts && !judge_sm_option(name, value)) found[name] = value;
  });
  return found;
}

}  // namespace rdmastate
