// SPDX-License-Identifier: Apache-2.0
// Two ends of a conversation over 127.0.0.1: whole lines come, long ones and late ones do not.
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "base/error.hpp"
#include "sys/peers.hpp"

namespace rdmastate {
namespace {

using std::chrono::milliseconds;

// Another build's tests may run at the same time: each process has a hundred ports of its own.
std::uint16_t port_of(int number) { return static_cast<std::uint16_t>(20000 + ::getpid() % 100 * 100 + number); }
constexpr milliseconds soon{5000};

/// A listener in a thread of its own and a connector, at the first of fifty ports that is free.
struct Talk {
  Talk() {
    TcpPeers peers;
    for (int number = 0; !near && number < 50; ++number) {
      const std::uint16_t port = port_of(number);
      std::thread listener([&, port] {
        try {
          far = TcpPeers().await_one({"127.0.0.1", port}, milliseconds(1000));
        } catch (const Error&) {
        }
      });
      for (int tries = 0; !near && tries < 50; ++tries) {
        try {
          near = peers.connect({"127.0.0.1", port}, soon);
        } catch (const SystemError&) {
          std::this_thread::sleep_for(milliseconds(10));
        }
      }
      listener.join();
      if (!far) near.reset();
    }
  }
  std::unique_ptr<Conversation> near;
  std::unique_ptr<Conversation> far;
};

std::string refusal(Conversation& conversation, milliseconds patience) {
  try {
    conversation.hear(patience);
  } catch (const Error& error) {
    return error.what();
  }
  return "a line came";
}

TEST(Peers, LinesComeWholeAndInOrder) {
  Talk talk;
  ASSERT_TRUE(talk.near && talk.far);
  EXPECT_EQ(talk.far->with(), "127.0.0.1");
  const std::string longest(Conversation::longest, 'x');
  talk.near->say("one");
  talk.near->say("");
  std::thread writer([&] { talk.near->say(longest); });
  EXPECT_EQ(talk.far->hear(soon), "one");
  EXPECT_EQ(talk.far->hear(soon), "");
  EXPECT_EQ(talk.far->hear(soon), longest);
  writer.join();
  talk.far->say("back");
  EXPECT_EQ(talk.near->hear(soon), "back");
}

TEST(Peers, ALineThatIsTooLongIsRefused) {
  Talk talk;
  ASSERT_TRUE(talk.near && talk.far);
  std::thread writer([&] { talk.near->say(std::string(Conversation::longest + 1, 'x')); });
  EXPECT_NE(refusal(*talk.far, soon).find("more than 65536 bytes"), std::string::npos);
  writer.join();
}

TEST(Peers, WhoIsLateOrGoneIsNamed) {
  Talk talk;
  ASSERT_TRUE(talk.near && talk.far);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(*talk.far, milliseconds(50)), "the peer 127.0.0.1 did not answer in time");
  EXPECT_LT(std::chrono::steady_clock::now() - start, soon);
  talk.near.reset();
  EXPECT_EQ(refusal(*talk.far, soon), "the peer 127.0.0.1 closed the connection");
}

TEST(Peers, NobodyIsWaitedForWithoutEnd) {
  EXPECT_THROW(TcpPeers().await_one({"127.0.0.1", port_of(60)}, milliseconds(20)), Error);
  EXPECT_THROW(TcpPeers().connect({"127.0.0.1", port_of(61)}, soon), SystemError);
  EXPECT_THROW(TcpPeers().await_one({"localhost", port_of(60)}, milliseconds(20)), Error) << "a name was looked up";
}

}  // namespace
}  // namespace rdmastate
