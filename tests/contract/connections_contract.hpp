// SPDX-License-Identifier: Apache-2.0
// What every implementation of Connections says of a session.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "host/host.hpp"

namespace rdmastate {

class ConnectionsUnderTest {
 public:
  virtual ~ConnectionsUnderTest() = default;
  virtual Host& host() = 0;
  /// From now on this process is an SSH server's, connected from and to `both`, 127.0.0.1.
  virtual void begin_session(const IpAddress& both) = 0;
};

struct ConnectionsFactory {
  std::string name;
  std::function<std::unique_ptr<ConnectionsUnderTest>()> make;
};
inline std::string connections_factory_name(const testing::TestParamInfo<ConnectionsFactory>& info) {
  return info.param.name;
}
inline void PrintTo(const ConnectionsFactory& factory, std::ostream* out) { *out << factory.name; }

class ConnectionsContract : public testing::TestWithParam<ConnectionsFactory> {
 protected:
  std::vector<Connection> sessions();
  std::unique_ptr<ConnectionsUnderTest> bed = GetParam().make();
};

}  // namespace rdmastate
