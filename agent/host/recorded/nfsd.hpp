// SPDX-License-Identifier: Apache-2.0
// Implements Nfsd, the interface to the kernel's NFS server, for a recorded host; starts, stops, reads and writes it.
#pragma once

#include <string_view>

#include "base/json.hpp"
#include "host/nfsd.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

class JsonObject;

/// The unit that starts the server.
inline constexpr std::string_view nfs_server_name = "nfs-server.service";

/// The interface to the record's NFS server, whose values are RecordedNfsd (model.hpp). listen() adds listeners; only
/// stopping the server removes them.
class RecordedNfsServer final : public Nfsd {
 public:
  RecordedNfsServer(HostModel& model, CallLog& log) : model_(model), log_(log) {}
  std::optional<NfsdState> look() override;
  std::vector<NfsdClient> clients() override;
  void listen(const NfsListener& listener) override;
  void set_threads(std::uint32_t count) override;

 private:
  HostModel& model_;
  CallLog& log_;
};

namespace nfsd {
/// start() runs the server as its unit does: with the threads and the listener for RDMA that nfs.conf or a drop-in asks
/// for, one for TCP, and the exports of its files. stop() ends all of them.
void start(HostModel& model);
void stop(HostModel& model);
/// Exports what the files say, and nothing else, as `exportfs -r` does. Does nothing where no server runs.
void export_files(HostModel& model);
}  // namespace nfsd

/// Reads the record's object "nfsd", and writes it.
RecordedNfsd read_nfsd(JsonObject& in);
Json nfsd_json(const RecordedNfsd& nfsd);

}  // namespace rdmastate
