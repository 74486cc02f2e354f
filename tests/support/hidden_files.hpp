// SPDX-License-Identifier: Apache-2.0
// A recorded host one of whose files may not be read, as SELinux or a server of root's squashed files has it.
#pragma once

#include <cerrno>

#include "base/error.hpp"
#include "host/recorded/recorded.hpp"

namespace rdmastate {

/// The files of `inner`; to read the one at the path `hidden` fails with EACCES, while meta() and list() show it.
class HiddenFiles final : public Files {
 public:
  /// `inner` must outlive this object.
  HiddenFiles(Files& inner, std::string hidden) : inner_(inner), hidden_(std::move(hidden)) {}
  /// From now on it may be read.
  void reveal() { hidden_.clear(); }

  std::optional<FileMeta> meta(const std::string& path) override { return inner_.meta(path); }
  std::optional<std::string> read(const std::string& path, std::size_t limit) override {
    look(path);
    return inner_.read(path, limit);
  }
  std::optional<FileStamp> stamp(const std::string& path) override { return inner_.stamp(path); }
  std::optional<FileContent> load(const std::string& path) override {
    look(path);
    return inner_.load(path);
  }
  std::vector<std::string> list(const std::string& directory) override { return inner_.list(directory); }
  void stage(const std::string& path, const FileContent& content) override { inner_.stage(path, content); }
  void sync_staged() override { inner_.sync_staged(); }
  void discard_staged() override { inner_.discard_staged(); }
  void replace(const std::string& path, const FileContent& content) override { inner_.replace(path, content); }
  void remove(const std::string& path) override { inner_.remove(path); }
  void sync_directories() override { inner_.sync_directories(); }
  void append(const std::string& path, std::string_view bytes, bool durable) override {
    inner_.append(path, bytes, durable);
  }

 private:
  void look(const std::string& path) const {
    if (path == hidden_) throw SystemError("reading " + path, EACCES);
  }

  Files& inner_;
  std::string hidden_;
};

/// The host with these files instead of its own.
inline Host with_files(const Host& whole, Files& files) {
  // Names each member, so that a new one does not compile until it is passed on too.
  const auto& [description, its_files, clock, links, rdma, modules, networkmanager, networkd, connections, dcb, udev,
               accounts, initrds, given, timers, units, nfsd, ifupdown, firewall, netplan, unseen_kinds, is_rehearsal] =
      whole;
  return {description, files,    clock,    links,    rdma,         modules,     networkmanager, networkd,
          connections, dcb,      udev,     accounts, initrds,      given,       timers,         units,
          nfsd,        ifupdown, firewall, netplan,  unseen_kinds, is_rehearsal};
}

}  // namespace rdmastate
