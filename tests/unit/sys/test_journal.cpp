// SPDX-License-Identifier: Apache-2.0
// Entries as journald would get them, on a socket of the test's own.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <set>

#include "base/handle.hpp"
#include "sys/journal.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() : path_((directory_.path() / "socket").string()), fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  }

  // The native protocol, read by its description: NAME, newline, 8 bytes of length, the value, newline.
  std::map<std::string, std::string> entry() const {
    std::string bytes(1U << 16U, '\0');
    const ssize_t size = ::recv(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    std::map<std::string, std::string> fields;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t name = bytes.find('\n', at);
      std::uint64_t length = 0;
      std::memcpy(&length, bytes.data() + name + 1, sizeof(length));
      fields.emplace(bytes.substr(at, name - at), bytes.substr(name + 9, length));
      EXPECT_EQ(bytes[name + 9 + length], '\n');
      at = name + 10 + length;
    }
    return fields;
  }

  TemporaryDirectory directory_;
  std::string path_;
  UniqueFd fd_;
};

TEST_F(JournalTest, AnEntryIsFoundByItsFields) {
  Journal(path_).tell(RunEvent::undone, "000007", "no such device\nPRIORITY=0");
  const auto fields = entry();
  EXPECT_EQ(fields.at("MESSAGE"), "run 000007 failed, and the host is as before: no such device\nPRIORITY=0");
  EXPECT_EQ(fields.at("MESSAGE_ID"), "8ae59bf9d9194b84b7ea30410fdca842");
  EXPECT_EQ(fields.at("PRIORITY"), "3");
  EXPECT_EQ(fields.at("RDMASTATE_RUN"), "000007");
  EXPECT_EQ(fields.at("SYSLOG_IDENTIFIER"), "rdmastate");
  EXPECT_EQ(fields.size(), 5U);
}

TEST_F(JournalTest, EachEventHasAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (const auto& message : run_messages) {
    Journal(path_).tell(message.event, "000001");
    ids.insert(entry().at("MESSAGE_ID"));
  }
  EXPECT_EQ(ids.size(), run_messages.size());
}

TEST(JournalSocket, NobodyListeningIsNoFailure) {
  Journal("/nowhere/socket").tell(RunEvent::begun, "000001");
  Journal(std::string(200, 'x')).tell(RunEvent::begun, "000001");
}

}  // namespace
}  // namespace rdmastate
