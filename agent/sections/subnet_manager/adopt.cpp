// SPDX-License-Identifier: Apache-2.0
// Adopts section `subnet_manager` from a host's files: partitions from a file of rdmastate alone, foreign settings
// where the section has a field for them. Debian starts a unit for each port that its settings list (read_units).
// Elsewhere opensm.service runs a launcher, which starts an OpenSM for each port listed, else for each opensm.conf.N
// (read_launcher).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/lines.hpp"
#include "host/mark.hpp"
#include "platform/platform.hpp"
#include "resources/entry/text.hpp"
#include "sections/adopt.hpp"
#include "sections/ini_file.hpp"
#include "sections/subnet_manager/check.hpp"
#include "sections/subnet_manager/files.hpp"
#include "sections/subnet_manager/in_force.hpp"
#include "sections/subnet_manager/partitions_file.hpp"

namespace rdmastate {
namespace {

// Reads the section from the files: read() says in which order.
class SmReader {
 public:
  SmReader(const Adoption& from, const OpensmLayout& layout, Adopted& to) : from_(from), layout_(layout), to_(to) {}

  void read() {
    if (layout_.has_unit_per_port()) {
      read_units();
    } else if (from_.snapshot.exists(std::string(layout_.wants_link))) {
      read_launcher();
    }
    if (!section_) return;
    if (section_->run) read_partitions();
    if (section_->run) read_in_force();
    to_.came_from("subnet_manager", section_source_);
    to_.spec.subnet_manager = std::move(section_);
  }

 private:
  std::optional<std::string> text_of(const std::string& path) const { return from_.snapshot.read(path); }

  std::string setting(std::string_view name) const {
    const auto text = text_of(std::string(layout_.settings));
    const auto entry = text ? entry_in(EntryForm::shell, *text, name) : std::nullopt;
    return entry ? entry->value : "";
  }

  // Makes the section; it goes into the spec at the end of read().
  void begin_section(bool run, std::string source) {
    section_.emplace().run = run;
    section_source_ = std::move(source);
  }

  // Makes an instance of each port of a list of GUIDs. False: the list is empty, or holds something else.
  bool take_ports(const std::string& list) {
    const auto guids = guids_in(list);
    if (!guids || guids->empty()) return false;
    begin_section(/*run=*/true, fmt::format("{}, {}", layout_.settings, layout_.ports));
    for (const auto guid : *guids) section_->instances.emplace_back().port_guid = guid;
    return true;
  }

  void read_units() {
    const std::string ports = setting(layout_.ports);
    if (ports.empty()) return;
    if (ports == "NONE") return begin_section(/*run=*/false, fmt::format("{}, {}", layout_.settings, layout_.ports));
    if (!take_ports(ports)) {
      to_.left_out.push_back(fmt::format("OpenSM's {}=\"{}\" in {}: a spec names each port by its GUID", layout_.ports,
                                         ports, layout_.settings));
      return;
    }
    for (auto& instance : section_->instances) {
      const auto text = text_of(drop_in_path(layout_, instance.port_guid));
      if (!text || !carries_mark(*text)) continue;
      read_drop_in(*text, instance);
      if (!has_word(*text, "--config")) continue;  // a configuration that the command does not name is not read
      if (const auto config = text_of(opensm_config_on(layout_, instance.port_guid.value)))
        instance.options = sm_options_in(*config);
    }
  }

  void read_launcher() {
    if (!take_ports(setting(layout_.ports))) return read_configs();
    SmPriority priority;
    const std::string text = setting(layout_.priority);
    if (!Text<SmPriority>::read({text}, priority))
      for (auto& instance : section_->instances) instance.priority = priority;
  }

  // The paths of opensm.conf.N, sorted by N as a number: 10 after 9.
  std::vector<std::string> numbered_configs() const {
    std::vector<std::pair<unsigned, std::string>> numbered;
    for (const auto& file : from_.facts.opensm) {
      if (layout_.configs.empty() || !file.path.starts_with(layout_.configs)) continue;
      unsigned number = 0;
      std::from_chars(file.path.data() + layout_.configs.size(), file.path.data() + file.path.size(), number);
      numbered.emplace_back(number, file.path);
    }
    std::sort(numbered.begin(), numbered.end());
    std::vector<std::string> paths;
    for (auto& [number, path] : numbered) paths.push_back(std::move(path));
    return paths;
  }

  void read_configs() {
    std::vector<std::string> paths = numbered_configs();
    if (paths.empty()) paths.emplace_back(layout_.standard);
    for (const auto& path : paths) {
      const auto text = text_of(path);
      const auto instance = text ? instance_in_config(*text) : std::nullopt;
      if (!instance) continue;
      if (!section_) begin_section(/*run=*/true, path);
      section_->instances.push_back(*instance);
    }
    if (!section_)
      to_.left_out.push_back(
          fmt::format("opensm.service, which is enabled: {} names no port by its GUID", layout_.settings));
  }

  // Fills the field from a foreign setting, unless it has a value already or would refuse this one.
  template <class T>
  static void take(const SettingInForce& said, std::optional<T>& field) {
    T value;
    if (!field && !said.ours && !Text<T>::read({said.value}, value)) field = value;
  }

  // Whether a setting is one that `options` can hold. A foreign one is put there, unless there is one of this name
  // already.
  static bool take_option(const std::string& name, const SettingInForce& said, SmInstance& instance) {
    SmOption option;
    const Verbatim value{said.value};
    if (Text<SmOption>::read({name}, option) || judge_sm_option(option, value)) return false;
    if (!said.ours) instance.options.try_emplace(option, value);
    return true;
  }

  // Puts a foreign setting into its field, if the section has one. Returns whether it has, or rdmastate itself gives
  // the setting (log_file).
  static bool take_setting(const std::string& name, const SettingInForce& said, SmInstance& instance) {
    if (name == "sm_priority") take(said, instance.priority);
    if (name == "subnet_prefix") take(said, instance.subnet_prefix);
    const bool is_given = name == "sm_priority" || name == "subnet_prefix" ||
                          (name == "log_file" && said.value == log_path(instance.port_guid));
    return take_option(name, said, instance) || is_given;
  }

  // Takes the foreign settings of the instances that the section has a field for; lists the others as left out.
  void read_in_force() {
    std::set<std::string> left_out;
    for (const auto& one : opensm_in_force(from_.facts.opensm, layout_))
      for (auto& instance : section_->instances) {
        if (one.port.value_or(instance.port_guid) != instance.port_guid) continue;
        for (const auto& [name, said] : one.settings) {
          if (take_setting(name, said, instance) || said.ours || !left_out.insert(name + said.path).second) continue;
          to_.left_out.push_back(fmt::format(
              "{} {} of {}: a spec cannot say it; where the spec's files would end its effect, --adopt keeps it", name,
              said.value, said.path));
        }
      }
  }

  void read_partitions() {
    const auto text = text_of(std::string(layout_.partitions));
    if (!text) return;
    const auto written = partitions_in(*text);
    if (!carries_mark(*text) || !written) {
      to_.left_out.push_back(fmt::format("the partitions in {}, which rdmastate did not write", layout_.partitions));
      return;
    }
    std::optional<IbMtu> default_mtu;
    std::vector<PartitionRecord> partitions;
    for (const auto& [key, partition] : *written) {
      auto record = record_of_partition(key, partition);
      if (!record)
        return to_.left_out.push_back(
            fmt::format("the partitions in {}: a spec cannot say the name, a member, the MTU or the rate of {}",
                        layout_.partitions, partition.name));
      if (key == default_key)
        default_mtu = record->mtu;
      else
        partitions.push_back(std::move(*record));
    }
    section_->default_mtu = default_mtu;
    section_->partitions = std::move(partitions);
  }

  // nullopt where a spec has no value for a code: OpenSM reads any code up to 63.
  static std::optional<IbMtu> mtu_of(const WrittenPartition& partition) {
    for (IbMtu mtu{256}; mtu.bytes <= 4096; mtu.bytes *= 2)
      if (mtu.code() == partition.mtu) return mtu;
    return std::nullopt;
  }
  static std::optional<IbRate> rate_of(const WrittenPartition& partition) {
    return value_from<IbRate>(to_text(IbRate{partition.rate}));
  }

  // nullopt where a spec cannot say the partition: somebody may have changed the file by hand.
  static std::optional<PartitionRecord> record_of_partition(std::uint16_t key, const WrittenPartition& partition) {
    PartitionRecord record;
    if (Text<PartitionName>::read({partition.name}, record.name)) return std::nullopt;
    for (const auto& [member, membership] : partition.members)
      if (!value_from<Member>(to_text(member))) return std::nullopt;
    record.pkey.key.value = key | PKey::full_member;
    record.members = partition.members;
    record.ipoib = partition.ipoib;
    if (!partition.ipoib) return record;
    record.mtu = mtu_of(partition);
    record.rate = rate_of(partition);
    return record.mtu && record.rate ? std::optional(record) : std::nullopt;
  }

  static constexpr std::uint16_t default_key = 0x7fff;  // of the default partition, without bit 15

  const Adoption& from_;
  const OpensmLayout& layout_;
  Adopted& to_;
  std::optional<SubnetManagerSection> section_;
  std::string section_source_;
};

}  // namespace

void adopt_subnet_manager(const Adoption& from, Adopted& to) {
  const OpensmLayout* layout = opensm_layout(platform_of(from.facts).family);
  if (layout != nullptr) SmReader(from, *layout, to).read();
}

}  // namespace rdmastate
