// SPDX-License-Identifier: Apache-2.0
// Two tables, of options that work only with another one and of options that do not go together.
// refuse_without_effect() checks the options that the user gave against both. What an option permits (--in-use,
// --max-disruption) may turn out not to be needed: that is no mistake. Nor is --color where the result has no colours:
// scripts say it always.
#include "cli/options_together.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"

namespace rdmastate {
namespace {

/// Several names in one text, with blanks between: "--active --listen".
using OptionNames = std::string_view;

/// What an option has to do with others.
struct TogetherRule {
  OptionNames commands;  ///< that have this rule; empty: all that have the option
  OptionNames option;    ///< in `only_with` one; in `not_with` perhaps several, each of which has the rule
  OptionNames others;    ///< in `only_with` one of these has to be given; in `not_with` none may be
  std::string_view because;
};

/// The option has no effect unless one of the others is there.
constexpr TogetherRule only_with[] = {
    {"", "--facts", "--root", "a tree alone has to be told what hardware it is for"},
    {"apply rollback confirm release", "--record", "--host", "only a recorded host is written to a file"},
    {"apply rollback confirm", "--host", "--record",
     "a recorded host is moved in memory only: say with --record where to write it"},
    {"release", "--host", "--record --dry-run",
     "a recorded host is moved in memory only: say with --record where to write it"},
    {"", "--bake", "--root", "only a tree becomes an image"},
    {"", "--coalesce", "--boot", "only a run at boot, or after an event, may be left to one that waits"},
    {"", "--explain", "--as-spec", "what it adds are comments of that spec"},
    {"", "--peer", "--active", "a peer is another host that messages are sent to"},
    {"", "--listen", "--bind",
     "it waits at no address that it was not given: say with --bind at which address of this host the peer reaches it, "
     "such as --bind 192.0.2.1; 0.0.0.0 and :: are all"},
    {"", "--bind", "--listen", "it is the address to wait at"},
    {"", "--timeout", "--listen", "it is the time to wait for a peer"},
    {"", "--tcp-port", "--listen --peer", "it is where the one waits and the other connects to"},
    {"", "--device", "--active --listen", "it says over which ports messages are sent"},
    {"", "--port-timeout", "--active --listen", "it is the time that messages may take"},
};

/// The option has no effect beside one of the others, or contradicts it.
constexpr TogetherRule not_with[] = {
    {"", "--host", "--root", "a host is a record or a tree"},
    {"", "--brief", "-o=json -o=github -o=junit", "it shortens the text alone"},
    {"", "--plan", "SPEC", "the spec is in the saved plan"},
    {"apply", "--plan", "--adopt --replace --in-use --restart --allow-fabric --max-disruption --bake",
     "the saved plan has its own"},
    {"", "--boot", "SPEC --plan", "what is to be is in /etc/rdmastate/boot.json"},
    {"", "--boot", "--adopt --replace --in-use --restart --allow-fabric --max-disruption --bake --confirm-within",
     "what is done at boot is in /etc/rdmastate/boot.json"},
    {"apply", "--wait", "--boot", "each adapter that comes late starts a run at boot of its own"},
    {"apply", "--wait", "--plan", "the saved plan is of the hardware that was there then"},
    {"apply", "--wait", "--root", "no hardware comes to a tree"},
    {"", "--bake", "--confirm-within", "it keeps no record of the run, so nothing can be taken back"},
    {"", "--unconfirmed", "--force", "it also undoes what another program changed since"},
    {"", "--dry-run", "--record", "nothing changes that could be written"},
    {"show", "--record", "--as-spec", "a record is no spec"},
    {"show", "--record", "-o=json", "a record is JSON, and nothing else is printed"},
    {"", "--for", "--root --host", "it says whose names to use instead of asking a host"},
    {"", "--interval", "--host", "a record stays as it is: compare it with an earlier look (--since)"},
    {"", "--interval", "--since", "counters are compared with one earlier look"},
    {"", "--env", "SPEC --since --interval --active --listen", "it prints variables instead of findings"},
    {"", "--env", "-o=junit -o=prometheus", "these are forms of findings, and it prints variables"},
    {"", "--active --listen", "--host",
     "it sends messages through this host's ports, and a record has none to send with"},
    {"", "--listen", "--active", "--listen waits for a peer, and --active is that peer: run them on two hosts"},
};

bool stands_in(OptionNames names, std::string_view name) {
  const auto all = words(names);
  return std::find(all.begin(), all.end(), name) != all.end();
}

bool was_said(const Options& options, std::string_view name) {
  return std::find(options.said.begin(), options.said.end(), name) != options.said.end();
}

/// The first of these that was said; empty: none was.
std::string said_of(const Options& options, OptionNames names) {
  for (auto& name : words(names))
    if (was_said(options, name)) return std::move(name);
  return {};
}

bool is_about(OptionNames commands, const Options& options) {
  return commands.empty() || stands_in(commands, options.command);
}

}  // namespace

void refuse_without_effect(const Options& options) {
  for (const auto& [commands, option, others, because] : only_with)
    if (is_about(commands, options) && was_said(options, option) && said_of(options, others).empty())
      throw Error(fmt::format("{} has no effect without {}: {}", option, fmt::join(words(others), " or "), because));
  for (const auto& [commands, option, others, because] : not_with) {
    const std::string one = is_about(commands, options) ? said_of(options, option) : std::string();
    const std::string other = one.empty() ? std::string() : said_of(options, others);
    if (!other.empty()) throw Error(fmt::format("{} does not go with {}: {}", one, other, because));
  }
}

}  // namespace rdmastate
