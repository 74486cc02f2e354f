// SPDX-License-Identifier: Apache-2.0
// Reads portlist, threads, nfsv4gracetime and clients/N/info of /proc/fs/nfsd (fs/nfsd/nfsctl.c) and exportfs's table,
// and writes "TRANSPORT PORT" to portlist and a number to threads.
#include "sys/nfsd.hpp"

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/text.hpp"
#include "host/nfs_exports.hpp"
#include "sys/codec/nfsd_codec.hpp"

namespace rdmastate {
namespace {

const std::string directory = "/proc/fs/nfsd/";
const std::string clients_directory = directory + "clients";
constexpr std::size_t most = 1U << 20U;  // of a file, in bytes
constexpr std::size_t most_exports = 16U << 20U;

}  // namespace

std::uint32_t KernelNfsd::number(const char* file) const {
  std::uint32_t value = 0;
  const std::string text = root_.read(directory + file, most).value_or("");
  return Text<std::uint32_t>::read({trimmed(text, " \t\r\n"), /*plain=*/true}, value) ? 0 : value;
}

std::optional<NfsdState> KernelNfsd::look() {
  const auto portlist = root_.read(directory + "portlist", most);
  if (!portlist) return std::nullopt;
  NfsdState state{number("threads"), codec::listeners_from(*portlist), number("nfsv4gracetime")};
  if (state.threads != 0) state.exports = exports_in(root_.read(export_table, most_exports).value_or(""));
  return state;
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

// Refuses two writes that would do more than change a number: any number starts a server that does not run, and 0 stops
// one that runs.
void KernelNfsd::set_threads(std::uint32_t count) {
  in_context("giving the NFS server " + std::to_string(count) + " threads", [&] {
    if (count == 0) throw Error("that would stop it");
    if (number("threads") == 0) throw Error("it does not run");
    root_.write_attribute(directory + "threads", std::to_string(count) + "\n");
  });
}

}  // namespace rdmastate
