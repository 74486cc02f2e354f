// SPDX-License-Identifier: Apache-2.0
// The floor that `plan` is measured against: the same linking, the same YAML events, the same files, the same dumps,
// and nothing made of any of it.
//
// bench_floor SPEC [FILES [DUMPS]]
//   FILES: lines `read PATH`, `look PATH` or `list PATH`; DUMPS: letters of l(inks), a(ddresses), 4 and 6 (routes)
#include <dirent.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace {

// What was seen, so that nothing of the work can be left out.
std::size_t counted = 0;

class Counter : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override { ++counted; }
  void OnDocumentEnd() override { ++counted; }
  void OnNull(const YAML::Mark&, YAML::anchor_t) override { ++counted; }
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override { ++counted; }
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string& value) override {
    counted += value.size();
  }
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    ++counted;
  }
  void OnSequenceEnd() override { ++counted; }
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    ++counted;
  }
  void OnMapEnd() override { ++counted; }
};

class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string& bytes) { setg(bytes.data(), bytes.data(), bytes.data() + bytes.size()); }
};

std::string read_file(const char* path) {
  std::string bytes;
  const int fd = ::open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return bytes;
  struct stat status {};
  ::fstat(fd, &status);
  std::array<char, 16384> buffer;
  for (ssize_t got = 0; (got = ::read(fd, buffer.data(), buffer.size())) > 0;)
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(fd);
  return bytes;
}

void look_at(const char* path) {
  struct stat status {};
  counted += ::lstat(path, &status) == 0 ? 1 : 0;
}

void list_directory(const char* path) {
  DIR* directory = ::opendir(path);
  if (directory == nullptr) return;
  while (const dirent* entry = ::readdir(directory)) counted += std::strlen(entry->d_name);
  ::closedir(directory);
}

void touch_files(const char* list) {
  std::string lines = read_file(list);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1);
    lines[end] = '\0';
    const std::string_view verb(lines.data() + at, 4);
    const char* path = lines.data() + at + 5;
    if (verb == "read") counted += read_file(path).size();
    if (verb == "look") look_at(path);
    if (verb == "list") list_directory(path);
    at = end + 1;
  }
}

void read_yaml(const char* path) {
  std::string bytes = read_file(path);
  ViewBuffer buffer(bytes);
  std::istream stream(&buffer);
  YAML::Parser parser(stream);
  Counter counter;
  while (parser.HandleNextDocument(counter)) {
  }
}

template <class Header>
void ask(nl_sock* socket, int type, unsigned char family, int header_size) {
  Header header{};
  std::memcpy(&header, &family, 1);  // each of them begins with its family
  nl_msg* message = nlmsg_alloc_simple(type, NLM_F_REQUEST | NLM_F_DUMP);
  nlmsg_append(message, &header, sizeof header, NLMSG_ALIGNTO);
  nl_send_auto(socket, message);
  nlmsg_free(message);
  for (bool done = false; !done;) {
    sockaddr_nl from{};
    unsigned char* raw = nullptr;
    int size = nl_recv(socket, &from, &raw, nullptr);
    if (size <= 0) std::exit(1);
    for (auto* one = reinterpret_cast<nlmsghdr*>(raw); nlmsg_ok(one, size); one = nlmsg_next(one, &size)) {
      done = done || one->nlmsg_type == NLMSG_DONE || one->nlmsg_type == NLMSG_ERROR;
      if (one->nlmsg_type < NLMSG_MIN_TYPE) continue;
      int rest = nlmsg_attrlen(one, header_size);
      for (nlattr* attribute = nlmsg_attrdata(one, header_size); nla_ok(attribute, rest);
           attribute = nla_next(attribute, &rest))
        ++counted;
    }
    std::free(raw);
  }
}

void dump_tables(std::string_view dumps) {
  constexpr std::size_t packet_size = 64U << 10U;
  nl_sock* socket = nl_socket_alloc();
  if (socket == nullptr || nl_connect(socket, NETLINK_ROUTE) < 0) std::exit(1);
  nl_socket_set_buffer_size(socket, 1 << 20, 0);
  nl_socket_set_msg_buf_size(socket, packet_size);
  nl_socket_disable_msg_peek(socket);
  const int on = 1;
  ::setsockopt(nl_socket_get_fd(socket), SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on);
  for (const char table : dumps) {
    if (table == 'l') ask<ifinfomsg>(socket, RTM_GETLINK, AF_UNSPEC, sizeof(ifinfomsg));
    if (table == 'a') ask<ifaddrmsg>(socket, RTM_GETADDR, AF_UNSPEC, sizeof(ifaddrmsg));
    if (table == '4') ask<rtmsg>(socket, RTM_GETROUTE, AF_INET, sizeof(rtmsg));
    if (table == '6') ask<rtmsg>(socket, RTM_GETROUTE, AF_INET6, sizeof(rtmsg));
  }
  nl_socket_free(socket);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  read_yaml(argv[1]);
  if (argc > 2) touch_files(argv[2]);
  if (argc > 3) dump_tables(argv[3]);
  std::printf("%zu\n", counted);
  return 0;
}
