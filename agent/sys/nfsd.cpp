// SPDX-License-Identifier: Apache-2.0
// Reads portlist, threads, nfsv4gracetime and clients/N/info of /proc/fs/nfsd (fs/nfsd/nfsctl.c), and writes "TRANSPORT
// PORT" to portlist.
#include "sys/nfsd.hpp"

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/text.hpp"
#include "sys/codec/nfsd_codec.hpp"

namespace rdmastate {
namespace {

const std::string directory = "/proc/fs/nfsd/";
const std::string clients_directory = directory + "clients";
constexpr std::size_t most = 1U << 20U;

}  // namespace

std::uint32_t KernelNfsd::number(const char* file) const {
  std::uint32_t value = 0;
  const std::string text = root_.read(directory + file, most).value_or("");
  return Text<std::uint32_t>::read({trimmed(text, " \t\r\n"), true}, value) ? 0 : value;
}

std::optional<NfsdState> KernelNfsd::look() {
  const auto portlist = root_.read(directory + "portlist", most);
  if (!portlist) return std::nullopt;
  return NfsdState{number("threads"), codec::listeners_from(*portlist), number("nfsv4gracetime")};
}

// A client that goes away while this reads is left out.
std::vector<NfsdClient> KernelNfsd::clients() {
  std::vector<NfsdClient> found;
  for (const auto& name : root_.names(clients_directory))
    if (const auto info = root_.read(clients_directory + "/" + name + "/info", most))
      if (auto client = codec::client_from(*info)) found.push_back(std::move(*client));
  return found;
}

void KernelNfsd::listen(const NfsListener& listener) {
  in_context("adding the listener " + listener_text(listener) + " to the NFS server",
             [&] { root_.write_attribute(directory + "portlist", listener_text(listener) + "\n"); });
}

}  // namespace rdmastate
