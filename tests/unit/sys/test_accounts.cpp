// SPDX-License-Identifier: Apache-2.0
// What every implementation of Accounts answers, and the lock that other programs take too.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "host/recorded/recorded.hpp"
#include "sys/accounts.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

HostModel model() {
  HostModel made;
  made.files["/etc/passwd"] = {{FileType::regular, 0644, 0, 0}, "root:x:0:0:root:/root:/bin/sh\n", {}};
  made.files["/etc/group"] = {{FileType::regular, 0644, 0, 0}, "root:x:0:\n", {}};
  made.directory = {{"ldapuser"}, {"ldapgroup"}, {70000}};
  return made;
}

void expect_answers(Accounts& accounts) {
  EXPECT_TRUE(accounts.knows_user("root"));
  EXPECT_TRUE(accounts.knows_group("root"));
  EXPECT_TRUE(accounts.uses_id(0));
  EXPECT_FALSE(accounts.knows_user("no_such_user"));
  EXPECT_FALSE(accounts.knows_group("no_such_group"));
  EXPECT_FALSE(accounts.uses_id(4123456789U));
  EXPECT_FALSE(accounts.knows_user(""));
}

TEST(Accounts, OfThisHost) {
  const Root root("/");
  NameServices services(root);
  expect_answers(services);
}

TEST(Accounts, OfARecord) {
  RecordedHost host(model());
  Accounts& accounts = *host.host().accounts;
  expect_answers(accounts);
  EXPECT_TRUE(accounts.knows_user("ldapuser") && accounts.knows_group("ldapgroup") && accounts.uses_id(70000));
  EXPECT_FALSE(accounts.knows_user("ldapgroup"));
  EXPECT_EQ(read_host_model(write_host_model(host.model()), "again").directory, model().directory);
}

// In nsswitch.conf(5) a blank may stand before the colon, and none has to stand behind it.
TEST(Accounts, AreCompleteWhereOnlyLocalServicesAreAsked) {
  const TemporaryDirectory directory;
  std::filesystem::create_directories(directory.path() / "etc");
  const Root root(directory.path());
  NameServices services(root);
  const auto is_complete = [&](const std::string& text) {
    std::ofstream(directory.path() / "etc/nsswitch.conf") << text;
    return services.directory().complete;
  };
  EXPECT_TRUE(services.directory().complete);
  EXPECT_TRUE(is_complete("# passwd: ldap\npasswd: files systemd\ngroup: files [SUCCESS=merge] systemd\nhosts: dns\n"));
  EXPECT_TRUE(is_complete("passwd:files\ngroup :files  # ldap\n"));
  EXPECT_FALSE(is_complete("passwd: files sss\n"));
  EXPECT_FALSE(is_complete("passwd:files ldap\n"));
  EXPECT_FALSE(is_complete("group :ldap\n"));
}

// As lckpwdf(3) takes it, in a process of its own: such a lock is never in one's own way.
bool others_may_lock(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    ::_exit(fd >= 0 && ::fcntl(fd, F_SETLK, &whole) == 0 ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status == 0;
}

TEST(Accounts, KeepOthersOutWhileTheyWork) {
  const TemporaryDirectory directory;
  std::filesystem::create_directories(directory.path() / "etc");
  const std::string path = directory.path() / "etc/.pwd.lock";
  const Root root(directory.path());
  NameServices services(root);
  bool done = false;
  services.locked([&] {
    EXPECT_FALSE(others_may_lock(path));
    done = true;
  });
  EXPECT_TRUE(done);
  EXPECT_TRUE(others_may_lock(path));
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0600});
}

}  // namespace
}  // namespace rdmastate
