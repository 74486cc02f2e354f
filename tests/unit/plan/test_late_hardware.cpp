// SPDX-License-Identifier: Apache-2.0
// Which gaps and complaints say that hardware may come late (Gap::comes_late, Complaint::comes_late), and which do not.
#include <fmt/format.h>

#include "resources/rdma_device/rdma_device.hpp"
#include "resources/roce_port.hpp"
#include "spec/desire.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string head = "version: 1\nnetwork: {backend: none}\n";
const std::string guid = "devices: [{match: {node_guid: \"f452:1403:007b:cba0\"}, ";
const std::string port = "ipoib: [{match: {port_guid: \"f452:1403:007b:cba1\"}, name: store0, ";
const std::string addresses = "ipv4: {method: manual, addresses: [192.0.2.1/24]}}]\n";
const std::string opensm = "subnet_manager: {run: true, instances: [{port_guid: \"0xf4521403007bcba1\"}]}\n";

using Change = void (*)(HostModel&);

void nothing(HostModel&) {}

// No adapter, and of the interfaces lo alone.
void no_adapter(HostModel& model) {
  model.devices.clear();
  std::erase_if(model.links, [](const auto& link) { return link.second.link.name != "lo"; });
  model.addresses.clear();
  model.routes.clear();
}

void no_ipoib(HostModel& model) {
  std::erase_if(model.links, [](const auto& link) { return link.second.link.is_ipoib(); });
  for (const char* module : {"ib_ipoib", "rdma_cm"})
    model.modules.loaded.erase(module), model.modules.loadable.erase(module);
}

void with_opensm(HostModel& model) {
  for (const char* unit : {"opensm", "opensm@"})
    model.files[fmt::format("/usr/lib/systemd/system/{}.service", unit)] = {
        {FileType::regular, 0644, 0, 0}, "[Install]\nWantedBy=network-online.target\n", {}};
  add_parents(model.files);
  model.systemd.emplace();
}

enum class Says { late, blocked, after, pending };

struct Row {
  const char* what;
  std::string spec;
  const char* kind;
  Says says;
  Change change = nothing;
};

const Row rows[] = {
    {"the device", guid + "name: hca9}]\n", "rdma_device", Says::late, no_adapter},
    {"the device's port types", guid + "ports: {1: {link_type: infiniband}}}]\n", "link_types", Says::late, no_adapter},
    {"the port's RoCE values", guid + "ports: {2: {roce: {tos: 106}}}}]\n", "roce_port", Says::late, no_adapter},
    {"the port's MTU", guid + "ports: {2: {mtu: 4200}}}]\n", "port_mtu", Says::late, no_adapter},
    {"an InfiniBand port has no MTU of its own", guid + "ports: {1: {mtu: 4200}}}]\n", "port_mtu", Says::blocked},
    {"the port's priorities", guid + "ports: {2: {qos: {pfc: [3]}}}}]\n", "qos_port", Says::late, no_adapter},
    {"the port's network device", guid + "ports: {2: {qos: {pfc: [3]}}}}]\n", "qos_port", Says::late,
     [](HostModel& model) {
       std::erase_if(model.links, [](const auto& link) { return link.second.link.name == "enp129s0d1"; });
     }},
    {"the port's virtual functions", guid + "ports: {1: {sriov: {vfs: 2}}}}]\n", "virtual_functions", Says::late,
     no_adapter},
    {"an adapter without virtual functions", guid + "ports: {1: {sriov: {vfs: 2}}}}]\n", "virtual_functions",
     Says::blocked},
    {"an InfiniBand port has no priorities", guid + "ports: {1: {qos: {pfc: [3]}}}}]\n", "qos_port", Says::blocked},
    {"a kernel without rdma_cm", guid + "ports: {2: {roce: {tos: 106}}}}]\n", "roce_port", Says::blocked, no_ipoib},
    {"the port", port + addresses, "ipoib_link", Says::late, no_adapter},
    {"what stands on the port", port + addresses, "address", Says::late, no_adapter},
    {"the interface, by its name", "ipoib: [{name: ib0, " + addresses, "ipoib_link", Says::late, no_adapter},
    {"ib_ipoib, loaded for a device that has come", port + addresses, "ipoib_link", Says::late},
    {"a kernel without ib_ipoib", port + addresses, "ipoib_link", Says::blocked, no_ipoib},
    {"ib_ipoib, a step", "modules: {load: [ib_ipoib]}\n" + port + addresses, "ipoib_link", Says::after},
    {"the network device", "soft_devices: [{name: rxe0, type: rxe, netdev: eth9}]\n", "soft_device", Says::late},
    {"a kernel without siw", "soft_devices: [{name: siw0, type: siw, netdev: eth9}]\n", "soft_device", Says::blocked},
    {"no such module", "modules: {load: [no_such_module]}\n", "module", Says::blocked, no_adapter},
    {"OpenSM's device", opensm, "opensm_unit", Says::late,
     [](HostModel& model) { no_adapter(model), with_opensm(model); }},
    {"OpenSM's device, by a step", "modules: {load: [rdma_rxe]}\n" + opensm, "opensm_unit", Says::after,
     [](HostModel& model) { no_adapter(model), with_opensm(model); }},
    {"OpenSM is not installed", opensm, "opensm_unit", Says::pending, no_adapter},
};

Says said_by(const Gap& gap) {
  EXPECT_FALSE(gap.comes_late && gap.blocked.empty() && gap.pending.empty());
  if (gap.comes_late) return Says::late;
  if (!gap.after.empty()) return Says::after;
  return gap.blocked.empty() ? Says::pending : Says::blocked;
}

TEST(LateHardware, AGapSaysWhetherWhatIsMissingMayCome) {
  for (const auto& row : rows) {
    HostModel model = guide_model();
    row.change(model);
    RecordedHost host(std::move(model));
    const Plan plan = plan_spec(host, head + row.spec);
    const auto item =
        std::find_if(plan.items.begin(), plan.items.end(), [&](const Item& one) { return one.kind->name == row.kind; });
    ASSERT_NE(item, plan.items.end()) << row.what;
    EXPECT_EQ(said_by(item->gap), row.says) << row.what << ": " << item->gap.blocked << item->gap.pending.sentence;
  }
}

// A host without adapter whose modules are loaded: nothing else is missing.
TEST(LateHardware, NothingElseIsMissingOnAHostWithoutAdapter) {
  const std::string all = "ports: {1: {link_type: infiniband}, 2: {roce: {tos: 106}, qos: {pfc: [3]}}}, name: hca9}]\n";
  HostModel model = loaded_model();
  no_adapter(model);
  RecordedHost host(std::move(model));
  const Plan plan = plan_spec(host, head + guid + all + port + addresses);
  std::size_t blocked = 0;
  for (const auto& item : plan.items) {
    EXPECT_EQ(item.gap.comes_late, !item.gap.blocked.empty()) << item.title() << ": " << item.gap.blocked;
    blocked += item.gap.blocked.empty() ? 0 : 1;
  }
  EXPECT_EQ(blocked, 6U);
}

// A match that fits several devices by now.
TEST(LateHardware, SeveralDevicesAreNoLateOne) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const Snapshot snapshot(doors);
  const Facts facts = read_facts(snapshot);
  const DeviceId id = device_id_from("driver mlx4_core");
  const State named(rdma_device_kind, RdmaDeviceState{id, DeviceName{"hca9"}});
  ASSERT_GT(meant_of(snapshot.devices(), id).size(), 1U);
  for (const Gap& gap : {rdma_device_kind.gap({facts, snapshot}, to_text(id), &named, Absent{}),
                         gap_without_device({facts, snapshot}, id)}) {
    EXPECT_FALSE(gap.blocked.empty());
    EXPECT_FALSE(gap.comes_late) << gap.blocked;
  }
}

// rdma-core loads rdma_cm for an adapter, a moment after that has come.
TEST(LateHardware, AModuleThatAnAdapterLoadsComesWithIt) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  const Snapshot snapshot(doors);
  const Facts facts = read_facts(snapshot);
  const std::string device = "node_guid f452:1403:007b:cba0";
  const State wanted(roce_port_kind, RocePortState{device_id_from(device), PortNumber{2}, {}, Tos{106}});
  const Gap gap = roce_port_kind.gap({facts, snapshot}, device + " port 2", &wanted, Absent{});
  EXPECT_TRUE(gap.comes_late) << gap.blocked;
}

// Whether all that the checks find on this host may come late; nullopt: they find nothing.
std::optional<bool> complaints_come_late(HostModel model, const std::string& spec) {
  RecordedHost host(std::move(model));
  Host doors = host.host();
  const Snapshot snapshot(doors);
  Report report;
  const auto loaded = load_spec("spec.yaml", spec, report);
  if (loaded) desire(*loaded, read_facts(snapshot), {}, report);
  const auto& all = report.diagnostics();
  if (all.empty()) return std::nullopt;
  return std::all_of(all.begin(), all.end(), [](const Diagnostic& one) { return one.complaint.comes_late; });
}

TEST(LateHardware, AComplaintSaysWhetherWhatIsMissingMayCome) {
  HostModel none = guide_model();
  no_adapter(none);
  HostModel networkd = model_run_by("networkd");
  no_adapter(networkd);
  HostModel managing = guide_model();
  with_opensm(managing);
  const std::string by_device = "ipoib: [{match: {device: mlx4_0, port: 1}, name: store0}]\n";
  EXPECT_EQ(complaints_come_late(guide_model(), head + by_device), std::nullopt);
  EXPECT_EQ(complaints_come_late(none, head + by_device), true);
  EXPECT_EQ(
      complaints_come_late(networkd, "version: 1\nnetwork: {backend: networkd}\n" + port + "named_by: link-file}]\n"),
      true);
  EXPECT_EQ(complaints_come_late(
                managing, head + "subnet_manager: {run: true, instances: [{port_guid: \"0002:c903:0031:7801\"}]}\n"),
            true);
  EXPECT_EQ(complaints_come_late(guide_model(), head + "devices: [{match: {driver: mlx4_core}, name: hca9}]\n"), false)
      << "ambiguous";
}

}  // namespace
}  // namespace rdmastate
