// SPDX-License-Identifier: Apache-2.0
// What every implementation of Initrds does with the image of one kernel.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "host/host.hpp"

namespace rdmastate {

class InitrdsUnderTest {
 public:
  virtual ~InitrdsUnderTest() = default;
  virtual Host& host() = 0;
  /// The running kernel's; there is an image of it. Empty: there is none, and the case is skipped.
  virtual std::string release() = 0;
  virtual InitrdProgram program() = 0;
  virtual std::string image() = 0;
  /// The bytes of this file in the image, as another program finds them there; nullopt: it finds none. A recorded
  /// host's image has digests alone: there it is what was on the disk at the last call of held() that found the file,
  /// if the image has the digest of that.
  virtual std::optional<std::string> held(const std::string& path) = 0;
};

struct InitrdsFactory {
  std::string name;
  std::function<std::unique_ptr<InitrdsUnderTest>()> make;
};
inline std::string initrds_factory_name(const testing::TestParamInfo<InitrdsFactory>& info) { return info.param.name; }
inline void PrintTo(const InitrdsFactory& factory, std::ostream* out) { *out << factory.name; }

class InitrdsContract : public testing::TestWithParam<InitrdsFactory> {
 protected:
  void SetUp() override;
  void TearDown() override;
  void rebuild() { host.initrds->rebuild(bed->program(), bed->release(), bed->image()); }

  std::unique_ptr<InitrdsUnderTest> bed = GetParam().make();
  Host host = bed->host();
};

}  // namespace rdmastate
