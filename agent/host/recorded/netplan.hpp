// SPDX-License-Identifier: Apache-2.0
// Implements Netplan, the interface to netplan, for a recorded host.
#pragma once

#include "host/netplan.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// What netplan generates of the files in the model.
GeneratedFiles generated_of(const HostModel& model);
/// As netplan's generator, which every reload of systemd runs (up to netplan 1.1): makes the host's generated files
/// anew. Does nothing where netplan is not here.
void generate_in_place(HostModel& model);

/// netplan as far as a record knows it: for each definition in /etc/netplan the renderer's file, with the interface's
/// name. What else the definition says is not modelled; it stands in a comment, so that another text is another file.
class RecordedNetplan final : public Netplan {
 public:
  RecordedNetplan(const HostModel& model, CallLog& log) : model_(model), log_(log) {}

  bool is_here() override;
  GeneratedFiles generated() override;

 private:
  const HostModel& model_;
  CallLog& log_;
};

}  // namespace rdmastate
