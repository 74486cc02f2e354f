// SPDX-License-Identifier: Apache-2.0
// libsystemd's bus functions, opened on first use (agent/decisions/005). For sys/bus*.cpp alone.
#pragma once

#include <systemd/sd-bus.h>

#include <memory>

#include "sys/dynamic.hpp"

namespace rdmastate {

/// The functions of libsystemd that are used, by their own names.
struct SdBus {
  DynamicLibrary library{"libsystemd.so.0", "libsystemd0 (Debian, Ubuntu, SUSE) or systemd-libs (RHEL)"};
  RDMASTATE_FUNCTION(library, sd_bus_open_system);
  RDMASTATE_FUNCTION(library, sd_bus_flush_close_unref);
  RDMASTATE_FUNCTION(library, sd_bus_call);
  RDMASTATE_FUNCTION(library, sd_bus_add_match);
  RDMASTATE_FUNCTION(library, sd_bus_process);
  RDMASTATE_FUNCTION(library, sd_bus_wait);
  RDMASTATE_FUNCTION(library, sd_bus_error_free);
  RDMASTATE_FUNCTION(library, sd_bus_message_new_method_call);
  RDMASTATE_FUNCTION(library, sd_bus_message_set_auto_start);
  RDMASTATE_FUNCTION(library, sd_bus_message_append_basic);
  RDMASTATE_FUNCTION(library, sd_bus_message_open_container);
  RDMASTATE_FUNCTION(library, sd_bus_message_close_container);
  RDMASTATE_FUNCTION(library, sd_bus_message_enter_container);
  RDMASTATE_FUNCTION(library, sd_bus_message_exit_container);
  RDMASTATE_FUNCTION(library, sd_bus_message_peek_type);
  RDMASTATE_FUNCTION(library, sd_bus_message_read_basic);
  RDMASTATE_FUNCTION(library, sd_bus_message_skip);
  RDMASTATE_FUNCTION(library, sd_bus_message_get_path);
  RDMASTATE_FUNCTION(library, sd_bus_message_unref);
};

/// The table, opened once. Throws Error naming the package where the library is missing.
inline const SdBus& sd_bus_functions() { return dynamic_table<SdBus>(); }

/// Frees what sd-bus gave.
struct SdBusFree {
  void operator()(sd_bus* bus) const noexcept { sd_bus_functions().sd_bus_flush_close_unref(bus); }
  void operator()(sd_bus_message* message) const noexcept { sd_bus_functions().sd_bus_message_unref(message); }
};
/// An owned message.
using SdBusMessage = std::unique_ptr<sd_bus_message, SdBusFree>;

}  // namespace rdmastate
