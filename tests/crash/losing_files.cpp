// SPDX-License-Identifier: Apache-2.0
#include "crash/losing_files.hpp"

namespace rdmastate {

void LosingFiles::changed(const std::string& path, std::optional<FileContent> content) {
  now_.unsynced.push_back({path, std::move(content)});
  moments_.push_back(now_);
}

void LosingFiles::stage(const std::string& path, const FileContent& content) {
  inner_.stage(path, content);
  staged_.insert(path);
}

void LosingFiles::sync_staged() {
  inner_.sync_staged();
  staged_.clear();
}

// A file that was staged and not synced has its name and no bytes.
void LosingFiles::replace(const std::string& path, const FileContent& content) {
  inner_.replace(path, content);
  FileContent written = host_.model().files.at(path);
  if (staged_.erase(path) > 0 && written.meta.type == FileType::regular) written.bytes.clear();
  changed(path, std::move(written));
}

void LosingFiles::remove(const std::string& path) {
  inner_.remove(path);
  changed(path, std::nullopt);
}

void LosingFiles::sync_directories() {
  inner_.sync_directories();
  now_.durable = after_power_cut(now_, kept_subsets(now_).back());  // the last subset is all changes
  now_.unsynced.clear();
  moments_.push_back(now_);
}

// Of a log that is not synced all may be there, or what was synced of it; what counts is its last line.
void LosingFiles::append(const std::string& path, std::string_view bytes, bool durable) {
  inner_.append(path, bytes, durable);
  const FileContent written = host_.model().files.at(path);
  std::erase_if(now_.unsynced, [&](const Unsynced& one) { return one.path == path; });
  if (!durable) return changed(path, written);
  now_.durable[path] = written;
  moments_.push_back(now_);
}

std::map<std::string, FileContent> after_power_cut(const DiskMoment& moment, const std::set<std::size_t>& kept) {
  auto files = moment.durable;
  for (const std::size_t number : kept) {
    const auto& [path, content] = moment.unsynced[number];
    if (content) {
      files[path] = *content;
    } else {
      files.erase(path);
    }
  }
  // What stands in a directory that was lost is lost with it.
  std::erase_if(files, [&](const auto& file) {
    const auto slash = file.first.rfind('/');
    return slash != 0 && !files.contains(file.first.substr(0, slash));
  });
  return files;
}

std::vector<std::set<std::size_t>> kept_subsets(const DiskMoment& moment) {
  constexpr std::size_t few = 4;
  const std::size_t count = moment.unsynced.size();
  std::set<std::size_t> all;
  for (std::size_t i = 0; i < count; ++i) all.insert(i);
  std::vector<std::set<std::size_t>> subsets;
  if (count <= few) {
    for (std::size_t mask = 0; mask < std::size_t{1} << count; ++mask) {
      auto& kept = subsets.emplace_back();
      for (std::size_t i = 0; i < count; ++i)
        if ((mask >> i & 1U) != 0) kept.insert(i);
    }
    return subsets;
  }
  subsets.emplace_back();
  for (std::size_t i = 0; i < count; ++i) {
    subsets.push_back({i});
    auto& but_one = subsets.emplace_back(all);
    but_one.erase(i);
  }
  subsets.push_back(all);
  return subsets;
}

}  // namespace rdmastate
