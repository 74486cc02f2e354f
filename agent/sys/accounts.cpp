// SPDX-License-Identifier: Apache-2.0
#include "sys/accounts.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

constexpr const char* lock_path = "/etc/.pwd.lock";  // lckpwdf(3)
constexpr std::size_t longest_configuration = 1U << 20U;
constexpr std::chrono::seconds longest_wait{15};  // as lckpwdf(3) waits

/// Whether `ask` (getpwnam_r() or a similar function) finds an entry. It is called with a buffer, `room`, that grows
/// until the entry fits. False also where the call fails.
template <class Entry, class Ask>
bool is_known(Ask&& ask) {
  constexpr std::size_t most_room = 16U << 20U;
  std::vector<char> room(4096);
  while (true) {
    Entry entry{};
    Entry* found = nullptr;
    const int failure = ask(&entry, room.data(), room.size(), &found);
    if (failure != ERANGE || room.size() >= most_room) return failure == 0 && found != nullptr;
    room.resize(room.size() * 4);
  }
}

/// Takes a lock of the open file description without waiting. It and the POSIX lock that lckpwdf(3) takes exclude each
/// other. False: another process holds the lock.
bool try_lock(int fd) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (uninterrupted([&] { return ::fcntl(fd, F_OFD_SETLK, &whole); }) == 0) return true;
  if (errno != EAGAIN && errno != EACCES) throw SystemError(std::string("locking ") + lock_path, errno);
  return false;
}

}  // namespace

bool NameServices::knows_user(const std::string& name) {
  return is_known<passwd>([&](passwd* entry, char* room, std::size_t size, passwd** found) {
    return ::getpwnam_r(name.c_str(), entry, room, size, found);
  });
}

bool NameServices::knows_group(const std::string& name) {
  return is_known<group>([&](group* entry, char* room, std::size_t size, group** found) {
    return ::getgrnam_r(name.c_str(), entry, room, size, found);
  });
}

bool NameServices::uses_id(std::uint32_t id) {
  const bool is_users = is_known<passwd>([&](passwd* entry, char* room, std::size_t size, passwd** found) {
    return ::getpwuid_r(id, entry, room, size, found);
  });
  return is_users || is_known<group>([&](group* entry, char* room, std::size_t size, group** found) {
           return ::getgrgid_r(id, entry, room, size, found);
         });
}

// A line of nsswitch.conf(5) is "passwd: files ldap [NOTFOUND=return]": a database, services and, in brackets, actions.
// Names nobody: only a recorded host has the users, groups and ids of a Directory.
Directory NameServices::directory() {
  Directory directory;
  const auto is_local = [](const std::string& service) {
    constexpr std::array local{"files", "compat", "db", "systemd", "altfiles", "extrausers"};
    const bool is_action = service.starts_with('[') || service.ends_with(']');
    return is_action || std::find(local.begin(), local.end(), service) != local.end();
  };
  for_lines(root_.read("/etc/nsswitch.conf", longest_configuration).value_or(""), [&](std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view database = trimmed(line.substr(0, colon));
    if (database != "passwd" && database != "group") return;
    const auto services = words(line.substr(std::min(colon + 1, line.size())));
    directory.complete = directory.complete && std::all_of(services.begin(), services.end(), is_local);
  });
  return directory;
}

void NameServices::locked(const std::function<void()>& work) {
  constexpr mode_t private_mode = 0600;
  constexpr std::chrono::milliseconds pause{50};
  const UniqueFd fd = root_.open(lock_path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NOCTTY, private_mode);
  if (!fd) throw SystemError(std::string("opening ") + lock_path, ENOENT);
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  while (!try_lock(fd.get())) {
    if (std::chrono::steady_clock::now() >= end)
      throw Error(std::string(lock_path) +
                  " is held by another program that changes users or groups: try again when it "
                  "is done");
    std::this_thread::sleep_for(pause);
  }
  work();
}

}  // namespace rdmastate
