// SPDX-License-Identifier: Apache-2.0
// The options of the command doctor.
#include "cli/options_shared.hpp"

#include <CLI/App.hpp>

namespace rdmastate {
namespace {

void add_active(CLI::App& command, Options& options) {
  constexpr unsigned longest = 60;
  command.add_flag(
      "--active", options.active,
      "Also send messages: over a reliable connection between two queue pairs of each port that is ACTIVE");
  command
      .add_option(
          "--device", options.device,
          "With messages: try this RDMA device, or one port of it, such as mlx5_0/1, and no other; can be repeated")
      ->option_text("DEVICE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  add_duration(command, "--port-timeout", options.port_timeout,
               "With messages: how long those of one port may take; 5s unless it is said")
      ->check(CLI::Range(1U, longest));
}

void add_peer(CLI::App& command, Options& options) {
  constexpr unsigned longest = 3600;
  constexpr unsigned last_port = 65535;
  command
      .add_option("--peer", options.peer,
                  "With --active: the other end is this host, where `doctor --listen` waits; what the two differ in is "
                  "told too")
      ->option_text("HOST");
  command.add_flag(
      "--listen", options.listen,
      "Wait for one peer, a `doctor --active --peer` on another host, and send messages with it; then end");
  command.add_option("--bind", options.bind, "With --listen: the address of this host to wait at, and no other")
      ->option_text("ADDRESS");
  add_duration(command, "--timeout", options.timeout, "With --listen: wait no longer than this; 5min unless it is said")
      ->check(CLI::Range(1U, longest));
  command
      .add_option("--tcp-port", options.tcp_port,
                  "Of --listen and --peer: the same on both hosts; 4795 unless it is said")
      ->check(CLI::Range(1U, last_port))
      ->option_text("PORT");
}

}  // namespace

void add_doctor(CLI::App& app, Options& options) {
  auto* command = app.add_subcommand(
      "doctor", "What is wrong with RDMA on this host, why, and what to do? Changes nothing; exit 2 for an error");
  command
      ->add_option("SPEC", options.specs,
                   "A spec, of which what is not as it says is told too; or a check's id, which is explained")
      ->expected(1)
      ->option_text("FILE-OR-ID");
  command->add_option("--host", options.host, "A record instead of this host: a host saved as a JSON file")
      ->option_text("FILE");
  constexpr unsigned longest = 3600;
  add_duration(*command, "--interval", options.interval,
               "Look twice, so long apart, and tell what counters rose meanwhile: links that flap, drops")
      ->check(CLI::Range(1U, longest));
  command
      ->add_option("--since", options.since, "The same against an earlier look: a file that `doctor -o json` printed")
      ->option_text("FILE");
  command->add_flag(
      "--env", options.env,
      "Print, instead of findings, the variables of NCCL, UCX and Open MPI that fit this host, for a shell, or with -o json");
  add_active(*command, options);
  add_peer(*command, options);
  add_output(*command, options, doctor_forms);
}

}  // namespace rdmastate
