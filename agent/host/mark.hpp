// SPDX-License-Identifier: Apache-2.0
// Tells by a file's bytes whether rdmastate wrote it. A plan goes by the ledger, and by this mark only where there is
// no ledger (plan/ownership.hpp).
#pragma once

#include <string_view>

namespace rdmastate {

/// The first line of every file that rdmastate renders from a template begins so.
inline constexpr std::string_view managed_line = "# Managed by rdmastate";
/// In the first line of every file of rdmastate that is JSON.
inline constexpr std::string_view made_by_mark = "\"made_by\":\"rdmastate\"";

/// Whether rdmastate rendered these bytes from a template: they begin with managed_line. True also after a person
/// edited the file; false once a program wrote it anew without comments, as NetworkManager does.
bool is_rendered(std::string_view bytes);
/// Whether rdmastate wrote these bytes: by their first line, or by a keyfile's digest, which stays where NetworkManager
/// has written the profile anew, without its comments.
bool carries_mark(std::string_view bytes);

}  // namespace rdmastate
