// SPDX-License-Identifier: Apache-2.0
// Files that remember what was synced, and what a power cut leaves of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/recorded/recorded.hpp"

namespace rdmastate {

/// One change that waits for a sync: the path becomes this; nullopt: it goes.
struct Unsynced {
  std::string path;
  std::optional<FileContent> content;
};

/// What is on the disk at one moment: what stays, and what may.
struct DiskMoment {
  std::map<std::string, FileContent> durable;
  std::vector<Unsynced> unsynced;
};

/// The files of a recorded host, with what each call promises written down: stage() nothing, sync_staged() the bytes of
/// what is staged, replace() the bytes but not the name, sync_directories() all names, append() what it is asked for.
class LosingFiles final : public Files {
 public:
  /// `host` must outlive this object.
  explicit LosingFiles(RecordedHost& host) : host_(host), inner_(host.host().files), now_{host.model().files, {}} {}

  /// What was on the disk after each change or sync, in their order.
  const std::vector<DiskMoment>& moments() const { return moments_; }

  std::optional<FileMeta> meta(const std::string& path) override { return inner_.meta(path); }
  std::optional<std::string> read(const std::string& path, std::size_t limit) override {
    return inner_.read(path, limit);
  }
  std::optional<FileStamp> stamp(const std::string& path) override { return inner_.stamp(path); }
  std::optional<FileContent> load(const std::string& path) override { return inner_.load(path); }
  std::vector<std::string> list(const std::string& directory) override { return inner_.list(directory); }

  void stage(const std::string& path, const FileContent& content) override;
  void sync_staged() override;
  void discard_staged() override { inner_.discard_staged(); }
  void replace(const std::string& path, const FileContent& content) override;
  void remove(const std::string& path) override;
  void sync_directories() override;
  void append(const std::string& path, std::string_view bytes, bool durable) override;

 private:
  void changed(const std::string& path, std::optional<FileContent> content);

  RecordedHost& host_;
  Files& inner_;
  std::set<std::string> staged_;  ///< whose bytes are not synced
  DiskMoment now_;
  std::vector<DiskMoment> moments_;
};

/// The files after a power cut that kept the unsynced changes of these numbers.
std::map<std::string, FileContent> after_power_cut(const DiskMoment& moment, const std::set<std::size_t>& kept);
/// All subsets of few unsynced changes; of many none, all, each alone and all but each.
std::vector<std::set<std::size_t>> kept_subsets(const DiskMoment& moment);

}  // namespace rdmastate
