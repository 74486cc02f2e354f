// SPDX-License-Identifier: Apache-2.0
// The contract of initrds on the recorded host.
#include "base/sha256.hpp"
#include "host/recorded/initrds.hpp"
#include "host/recorded/recorded.hpp"
#include "initrds_contract.hpp"
#include "unit/host/recorded_hosts.hpp"

namespace rdmastate {
namespace {

class RecordedInitrdsUnderTest final : public InitrdsUnderTest {
 public:
  explicit RecordedInitrdsUnderTest(InitrdProgram program) : program_(program) {
    auto& files = recorded_.model().files;
    files[path_of(program)] = {{FileType::regular, 0755, 0, 0}, "", {}};
    files["/lib/modules/" + release()] = {{FileType::directory, 0755, 0, 0}, "", {}};
    files["/etc/modprobe.d"] = {{FileType::directory, 0755, 0, 0}, "", {}};
    files[image()] = {{FileType::regular, 0600, 0, 0}, std::string(initrd_head), {}};
    add_parents(files);
  }
  Host& host() override { return host_; }
  std::string release() override { return "6.1.0-40-amd64"; }
  InitrdProgram program() override { return program_; }
  std::string image() override { return "/boot/initrd.img-6.1.0-40-amd64"; }
  std::optional<std::string> held(const std::string& path) override {
    if (const auto now = host_.files.read(path)) last_ = *now;
    const std::string line = "\n" + path + " " + sha256_hex(last_) + "\n";
    if (recorded_.model().files.at(image()).bytes.find(line) == std::string::npos) return std::nullopt;
    return last_;
  }

 private:
  InitrdProgram program_;
  RecordedHost recorded_ = make_small_host();
  Host host_ = recorded_.host();
  std::string last_;
};

InitrdsFactory recorded(const std::string& name, InitrdProgram program) {
  return {name, [program] { return std::make_unique<RecordedInitrdsUnderTest>(program); }};
}

INSTANTIATE_TEST_SUITE_P(Recorded, InitrdsContract,
                         testing::Values(recorded("initramfs_tools", InitrdProgram::update_initramfs),
                                         recorded("dracut", InitrdProgram::dracut)),
                         initrds_factory_name);

}  // namespace
}  // namespace rdmastate
