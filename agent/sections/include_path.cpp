// SPDX-License-Identifier: Apache-2.0
#include "sections/include_path.hpp"

namespace rdmastate {

std::optional<Complaint> Text<IncludePath>::read(const Scalar& scalar, IncludePath& out) {
  const std::string_view text = scalar.text;
  if (text.empty() || text.back() == '/' || text.find('\0') != std::string_view::npos)
    return unexpected(wanted, scalar);
  // A checkout may lie anywhere, on the host that checks a spec and on the one that applies it.
  if (text.front() == '/')
    return unexpected(wanted, scalar, "is an absolute path", "copy the file beside this one, and name it from here");
  std::string path;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    at = end + 1;
    if (!part.empty() && part != ".") path.append(path.empty() ? "" : "/").append(part);
  }
  if (path.empty()) return unexpected(wanted, scalar);
  out.value = std::move(path);
  return std::nullopt;
}

}  // namespace rdmastate
