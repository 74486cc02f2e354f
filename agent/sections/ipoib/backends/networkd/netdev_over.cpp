// SPDX-License-Identifier: Apache-2.0
// Edits a foreign .netdev file so that it says what the spec says of the child.
#include <fmt/format.h>

#include "base/ini_edit.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/ipoib/backends/networkd/keys.hpp"
#include "sections/ipoib/backends/networkd/text.hpp"

namespace rdmastate {
namespace {

// lay() edits the text; afterwards text() is the result, and `conflicts` says what the spec contradicts.
class NetdevOver {
 public:
  NetdevOver(const IpoibRecord& record, std::string theirs) : record_(record), edit_(ini::systemd, std::move(theirs)) {}

  void lay() {
    lay_key("NetDev", "Kind", "ipoib", [](const std::string& now) { return now == "ipoib"; });
    lay_key("IPoIB", "PartitionKey", to_text(*record_.pkey),
            [&](const std::string& now) { return networkd_pkey(now) == record_.pkey; });
    lay_values(netdev_keys(), record_, edit_);
  }

  const std::string& text() const { return edit_.text(); }
  std::vector<std::string> conflicts = {};  // for TakenOver::against

 private:
  // Sets a key that identifies the device. A foreign value means another device, so it is a conflict.
  template <class IsIt>
  void lay_key(std::string_view section, std::string_view key, const std::string& value, IsIt is_it) {
    const std::string now = edit_.file().value(section, key);
    if (is_it(now)) return;
    if (!now.empty())
      conflicts.push_back(fmt::format("[{}] {}={} differs from {}, which the spec asks of {}: take it out by hand",
                                      section, key, now, value, record_.interface_name()));
    edit_.set(section, key, value);
  }

  const IpoibRecord& record_;
  ini::Editor edit_;
};

}  // namespace

TakenOver netdev_file_over(const IpoibRecord& asked, const std::string& path, const State& theirs) {
  const auto& content = file_of(theirs).content;
  NetdevOver over(asked, content ? content->value : std::string());
  over.lay();
  State state(networkd_file_kind, wanted_networkd_file(path, with_parent_said(asked, "NetDev", over.text())));
  return {std::move(state), /*keeps_theirs=*/true, std::move(over.conflicts)};
}

}  // namespace rdmastate
