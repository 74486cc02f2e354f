// SPDX-License-Identifier: Apache-2.0
// Who is installed, and whom presets enable.
#include "host/managers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "host/presets.hpp"
#include "host/snapshot.hpp"
#include "recorded_hosts.hpp"

namespace rdmastate {
namespace {

std::string says(std::string_view text) {
  const auto said = preset_in(text, "NetworkManager.service");
  return said ? *said ? "enable" : "disable" : "nothing";
}

TEST(Presets, TheFirstLineThatFitsCounts) {
  EXPECT_EQ("enable", says("enable NetworkManager.service\n"));
  EXPECT_EQ("enable", says("  enable\tNetworkManager.service  \ndisable *\n"));
  EXPECT_EQ("disable", says("disable *\nenable NetworkManager.service\n"));
  EXPECT_EQ("disable", says("ignore Network?anager.*\n"));
  EXPECT_EQ("enable", says("enable NetworkManager.serv[hi]ce with instances\n"));
}

TEST(Presets, WhatIsNoLineOfOneSaysNothing) {
  for (const char* text :
       {"", "#enable NetworkManager.service\n", "; enable NetworkManager.service\n", "enable\n",
        "enable networkmanager.service\n", "enable NetworkManager\n", "mask NetworkManager.service\n"})
    EXPECT_EQ("nothing", says(text)) << text;
}

class Managers : public ::testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    FileContent file;
    file.meta.mode = 0644;
    file.bytes = text;
    put(path, file);
  }
  void put_link(const std::string& path, const std::string& target) {
    FileContent file;
    file.meta.type = FileType::symlink;
    file.bytes = target;
    put(path, file);
  }

  std::string by_presets() {
    std::string text;
    std::vector<std::string> unseen;
    Host host = host_.host();
    for (const auto& one : preset_managers(Snapshot(host), unseen))
      text += fmt::format("{}: {}\n", one.name, *one.preset);
    return text;
  }

  std::string enabled() {
    Host host = host_.host();
    std::string text;
    for (const auto& one : read_managers(Snapshot(host))) text += one.name + " by " + one.evidence + "\n";
    return text;
  }

  std::string installed() {
    std::vector<std::string> unseen;
    Host host = host_.host();
    const auto names = installed_managers(Snapshot(host), unseen);
    return names ? fmt::format("{}", fmt::join(*names, " ")) : "not known";
  }

 private:
  void put(const std::string& path, const FileContent& file) {
    FileContent directory;
    directory.meta = {FileType::directory, 0755, 0, 0};
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
      host_.model().files.try_emplace(path.substr(0, at), directory);
    host_.model().files.insert_or_assign(path, file);
  }

  RecordedHost host_ = make_small_host();
};

constexpr const char* unit = "/usr/lib/systemd/system/NetworkManager.service";

TEST_F(Managers, WhatNoPresetNamesIsEnabled) {
  EXPECT_EQ("", by_presets());
  put(unit, "[Unit]\n");
  EXPECT_EQ("networkmanager: no preset says otherwise\n", by_presets());
}

// systemctl mask --runtime.
TEST_F(Managers, AUnitThatIsMaskedBelowRunIsNone) {
  put(unit, "[Unit]\n");
  put_link("/run/systemd/system/NetworkManager.service", "/dev/null");
  EXPECT_EQ("", by_presets());
}

TEST_F(Managers, PresetsAreReadInTheOrderOfTheirNames) {
  put(unit, "[Unit]\n");
  put("/usr/lib/systemd/system-preset/99-default-disable.preset", "disable *\n");
  EXPECT_EQ("", by_presets());
  put("/usr/lib/systemd/system-preset/90-default.preset", "enable NetworkManager.service\n");
  EXPECT_EQ("networkmanager: /usr/lib/systemd/system-preset/90-default.preset\n", by_presets());
  put("/etc/systemd/system-preset/10-site.preset", "disable NetworkManager.service\n");
  EXPECT_EQ("", by_presets());
  put("/etc/systemd/system-preset/90-default.preset", "# none\n");
  put("/etc/systemd/system-preset/10-site.preset", "enable Network*\n");
  EXPECT_EQ("networkmanager: /etc/systemd/system-preset/10-site.preset\n", by_presets());
}

TEST_F(Managers, AMaskedUnitIsEnabledByNobody) {
  put(unit, "[Unit]\n");
  put_link("/etc/systemd/system/NetworkManager.service", "/dev/null");
  EXPECT_EQ("", by_presets());
}

// On SUSE network.service is an alias of wicked.service, or of NetworkManager.service.
TEST_F(Managers, WickedIsEnabledWhereTheNetworkServiceIsItsOwn) {
  const std::string alias = "/etc/systemd/system/network.service";
  put_link(alias, "/usr/lib/systemd/system/NetworkManager.service");
  EXPECT_EQ("", enabled());
  put(alias, "[Unit]\n");
  EXPECT_EQ("", enabled());
  for (const char* target : {"/usr/lib/systemd/system/wicked.service", "wicked.service"}) {
    put_link(alias, target);
    EXPECT_EQ("wicked by " + alias + "\n", enabled());
  }
}

TEST_F(Managers, AreInstalledWithTheirPrograms) {
  EXPECT_EQ("", installed());
  put("/usr/sbin/NetworkManager", "");
  put("/usr/lib/systemd/systemd-networkd", "");
  put("/sbin/ifquery", "");
  put("/usr/lib/systemd/system/wicked.service", "[Unit]\n");
  EXPECT_EQ("networkmanager networkd ifupdown", installed());
}

}  // namespace
}  // namespace rdmastate
