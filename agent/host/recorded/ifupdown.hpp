// SPDX-License-Identifier: Apache-2.0
// Implements Ifupdown, the interface to Debian's ifupdown, for a recorded host.
#pragma once

#include <optional>

#include "host/ifupdown.hpp"
#include "host/interfaces_text.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// ifupdown as far as a record knows it: which interfaces it holds, the children that it makes and removes, and their
/// static addresses. What else a stanza says is not modelled. Fails where ifupdown 0.8.41 fails (main.c, inet.defn).
class RecordedIfupdown final : public Ifupdown {
 public:
  RecordedIfupdown(HostModel& model, Files& files, CallLog& log) : model_(model), files_(files), log_(log) {}

  bool is_here() override;
  void up(const std::string& interface) override;
  void down(const std::string& interface) override;
  void force_down(const std::string& interface) override;

 private:
  /// The interfaces that it holds as up: the state file, by read_ifstate().
  std::map<std::string, std::string> held() const;
  /// Adds the interface to the state file, or with `is_up` false takes it out.
  void hold(const std::string& interface, bool is_up);
  /// What all files say of the interface, without routes; nullopt: it has no stanza.
  std::optional<InterfaceStanzas> stanzas(const std::string& interface) const;
  void bring_up(const std::string& interface);
  void take_down(const std::string& interface, bool force);
  void take_down_children(const std::string& parent, bool force);

  HostModel& model_;
  Files& files_;  ///< of the same model
  CallLog& log_;
};

}  // namespace rdmastate
