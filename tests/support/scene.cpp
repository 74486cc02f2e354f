// SPDX-License-Identifier: Apache-2.0
#include "support/scene.hpp"

#include <fstream>
#include <regex>
#include <sstream>

#include "base/error.hpp"
#include "host/ifupdown.hpp"
#include "host/mounts.hpp"
#include "host/recorded/initrds.hpp"
#include "host/recorded/kernel.hpp"
#include "host/recorded/netplan.hpp"
#include "host/recorded/units.hpp"
#include "plan/applied.hpp"
#include "plan/print.hpp"
#include "spec/desire.hpp"

namespace rdmastate {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

HostModel guide_model() {
  HostModel model = read_host_model(file_text(RDMASTATE_EXAMPLE_HOSTS "/minimal.json"), "minimal.json");
  model.modules.loadable.insert("rdma_rxe");
  model.modules.depends["rdma_rxe"] = {"ib_core"};
  return model;
}

HostModel loaded_model() {
  RecordedHost host(guide_model());
  const Host doors = host.host();
  doors.modules->load({"ib_ipoib"});
  LinkChange up, down;
  up.up = true;
  down.up = false;
  for (const auto& link : doors.links->dump()) {
    if (!link.is_ipoib()) continue;
    doors.links->change(link, up);
    doors.links->change(link, down);
  }
  return host.model();
}

std::vector<const char*> every_back_end() {
  std::vector<const char*> names;
  for (const auto& one : Names<Backend>::table)
    if (one.value != Backend::automatic) names.push_back(one.text.data());  // a literal: it ends in a zero
  return names;
}

HostModel model_run_by(const std::string& backend) {
  HostModel model = loaded_model();
  const auto put = [&](const std::string& path, FileType type, std::string text = "") {
    model.files[path] = {{type, type == FileType::directory ? 0755U : 0644U, 0, 0}, std::move(text), {}};
  };
  for (const char* path : {"/etc/NetworkManager/system-connections", "/etc/systemd/network"})
    put(path, FileType::directory);
  if (backend == "netplan") return model_with_netplan("networkd");
  model.networkd = backend == "networkd";
  if (model.networkd) put("/run/systemd/netif/state", FileType::regular);
  if (backend == "networkmanager") {
    model.networkmanager.emplace();
    put("/run/NetworkManager/devices/1", FileType::regular);
  }
  if (backend == "wicked") put("/run/wicked", FileType::directory);
  if (backend == "ifupdown") put("/etc/network/interfaces", FileType::regular, "source /etc/network/interfaces.d/*\n");
  add_parents(model.files);
  return model;
}

HostModel model_with_netplan(const std::string& renderer) {
  HostModel model = model_run_by(renderer);
  model.files[std::string(netplan_program_path)].meta.mode = 0755;
  const std::string name = renderer == "networkd" ? "networkd" : "NetworkManager";
  model.files["/etc/netplan/01-site.yaml"] = {
      {FileType::regular, 0600, 0, 0},
      "network:\n  renderer: " + name + "\n  ethernets:\n    enp1s0: {dhcp4: true}\n",
      {}};
  add_parents(model.files);
  return model;
}

HostModel model_with_ifupdown() {
  HostModel model = model_run_by("ifupdown");
  for (const auto sign : ifupdown_signs) model.files["/usr" + std::string(sign)].meta.mode = 0755;
  model.files[std::string(ifstate_path)] = {{FileType::regular, 0644, 0, 0}, "lo=lo\n", {}};
  add_parents(model.files);
  return model;
}

Wish wish_for(const std::string& text, PlanOptions options) {
  Report report;
  const auto loaded = std::make_shared<std::optional<LoadedSpec>>(load_spec("spec.yaml", text, report));
  if (!*loaded || report.failed()) throw Error(render(report, false), ExitCode::bad_spec);
  options.id = (*loaded)->spec.id_or_default();
  Wish wish;
  wish.applied = [loaded] { return applied_text((*loaded)->spec); };
  wish.options = options;
  wish.desire = [loaded, adopting = options.adopt](const Facts& facts, const std::vector<Impossible>& impossible,
                                                   Report& more) {
    Desired desired = desire(**loaded, facts, impossible, more, adopting);
    if (more.failed()) throw Error(render(more, false), ExitCode::bad_spec);
    return desired;
  };
  return wish;
}

Desired desired_by(const std::string& spec, const Facts& facts) {
  Report report;
  return wish_for(spec).desire(facts, {}, report);
}

Listener deaf() {
  return {[](const Plan&) {}, [](const std::string&) {}, [](const std::string&) {}};
}

Outcome apply_spec(RecordedHost& host, const std::string& text, PlanOptions options) {
  Host doors = host.host();
  return apply(doors, wish_for(text, options), deaf());
}

Plan plan_spec(RecordedHost& host, const std::string& text, PlanOptions options) {
  Host doors = host.host();
  return plan_host(doors, wish_for(text, options));
}

namespace {

// Less what an image holds beside what its kind looks at: udev's rules, of which it says nothing.
std::string tracked(const std::string& image) {
  std::istringstream lines(image);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("/etc/udev/")) text += line + "\n";
  return text;
}

// netplan's generator makes it for its first .network file, and does not remove it with the last one.
constexpr std::string_view netplans_directory = "/run/systemd/network";

}  // namespace

std::string seen(HostModel model) {
  for (auto& [path, file] : model.files)
    if (file.bytes.starts_with(initrd_head)) file.bytes = tracked(file.bytes);
  std::erase_if(model.files, [](const auto& file) {
    return file.first.starts_with("/var/lib/rdmastate") || file.first == netplans_directory;
  });
  return comparable_text(model);
}

std::string seen(const RecordedHost& host) { return seen(host.model()); }

namespace {

// What systemd does with the links of these two.
void start_enabled(RecordedHost& host) {
  constexpr std::string_view targets[] = {"/etc/systemd/system/multi-user.target.wants/",
                                          "/etc/systemd/system/remote-fs.target.wants/"};
  const auto files = host.model().files;
  for (const auto& [path, file] : files) {
    const std::string unit = path.substr(path.rfind('/') + 1);
    for (const auto wants : targets)
      if (host.model().systemd && path.starts_with(wants) && has_unit(host.model(), unit))
        host.host().units->start(unit);
  }
}

// /run is empty at a boot: what programs have there now, the booted host says, and netplan's generator.
std::map<std::string, FileContent> files_at_boot(const HostModel& was, const HostModel& booted) {
  const auto is_of_boot = [](const auto& file) { return file.first.starts_with("/run/"); };
  auto files = was.files;
  std::erase_if(files, is_of_boot);
  std::copy_if(booted.files.begin(), booted.files.end(), std::inserter(files, files.end()), is_of_boot);
  return files;
}

}  // namespace

HostModel rebooted(const HostModel& was, const HostModel& booted, const std::string& boot_id) {
  HostModel model = booted;
  model.files = files_at_boot(was, booted);
  generate_in_place(model);
  model.files["/proc/sys/kernel/random/boot_id"].bytes = boot_id + "\n";
  model.files.erase(mountinfo_path);
  const auto loaded = model.modules.loaded;  // by the boot itself
  for (const auto& module : loaded) kernel::give_options(model, module);
  if (was.systemd) model.systemd.emplace();
  if (was.firewall) {  // it is enabled: its rules are what it has for good
    model.firewall = was.firewall;
    model.firewall->zones_of(FirewallStore::runtime) = model.firewall->zones_of(FirewallStore::permanent);
  }
  RecordedHost host(std::move(model));
  start_enabled(host);
  for (const auto& [path, file] : was.files) {
    if (!path.starts_with("/etc/modules-load.d/") || file.meta.type != FileType::regular) continue;
    std::istringstream lines(file.bytes);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && line[0] != '#') host.host().modules->load({line});
  }
  if (const auto options = was.files.find("/etc/modprobe.d/rdmastate-rdma.conf"); options != was.files.end())
    host.model().netns_mode =
        options->second.bytes.find("netns_mode=0") != std::string::npos ? NetnsMode::exclusive : NetnsMode::shared;
  const auto rules = was.files.find("/etc/udev/rules.d/70-rdmastate-ipoib.rules");
  if (rules == was.files.end()) return host.model();
  const std::regex naming("ATTR\\{address\\}==\"\\?\\*([0-9a-f:]+)\", NAME=\"([^\"]+)\"");
  for (std::sregex_iterator rule(rules->second.bytes.begin(), rules->second.bytes.end(), naming), end; rule != end;
       ++rule)
    for (auto& link : host.host().links->dump()) {
      std::string guid = to_text(link.port_guid());
      std::string wanted = (*rule)[1];
      std::erase(guid, ':');
      std::erase(wanted, ':');
      if (link.is_ipoib() && !link.is_child() && guid == wanted && link.name != (*rule)[2]) {
        LinkChange change;
        change.name = (*rule)[2];
        try {
          host.host().links->change(link, change);
        } catch (
            const SystemError& error) {  // udev gives up where another interface has the name: apply --boot mends it
          if (error.number() != EEXIST) throw;
        }
      }
    }
  return host.model();
}

void put(HostModel& model, const std::string& path, const std::string& text) {
  model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
  add_parents(model.files);
}

const Item* find_item(const Plan& plan, const Kind& kind, const std::string& key) {
  for (const auto& item : plan.items)
    if (item.kind == &kind && item.key == key) return &item;
  return nullptr;
}

std::unique_ptr<const Item> find_item(Plan&& plan, const Kind& kind, const std::string& key) {
  const Item* item = find_item(std::as_const(plan), kind, key);
  return item == nullptr ? nullptr : std::make_unique<const Item>(*item);
}

const Item* find_item(const Plan& plan, const Kind& kind) {
  for (const auto& item : plan.items)
    if (item.kind == &kind) return &item;
  return nullptr;
}

Gap gap_in(HostModel model, const std::string& text, const Kind& kind) {
  RecordedHost host(std::move(model));
  const Plan plan = plan_spec(host, text);
  const Item* item = find_item(plan, kind);
  return item == nullptr ? Gap{} : item->gap;
}

PlanOptions restarting(const std::string& unit) {
  PlanOptions options;
  options.restart.insert(unit);
  return options;
}

std::size_t count_calls(const RecordedHost& host, const std::string& call) {
  return static_cast<std::size_t>(std::count(host.calls().begin(), host.calls().end(), call));
}

std::string adopted(RecordedHost& host) {
  Host doors = host.host();
  Snapshot snapshot(doors);
  return adopted_text(spec_of_host(snapshot, read_facts(snapshot)), Comments::sources);
}

}  // namespace rdmastate
