// SPDX-License-Identifier: Apache-2.0
// RoCE ports whose GIDs, indexes or MTUs are not what programs need; and ports and buses that are slow.
#include <fmt/format.h>

#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

constexpr const char* link_local = "fe80:0000:0000:0000:0000:00ff:fe00:0210";
constexpr const char* by_v4 = "0000:0000:0000:0000:0000:ffff:c000:0201";  // 192.0.2.1

// compute.json's adapters 8 and 9 are Ethernet.
void put_gid(HostModel& model, const std::string& device, unsigned index, const std::string& gid,
             const std::string& type) {
  const std::string path = "/sys/class/infiniband/" + device + "/ports/1/";
  put(model, path + fmt::format("gids/{}", index), gid + "\n");
  put(model, path + fmt::format("gid_attrs/types/{}", index), type + "\n");
}

void put_table(HostModel& model, const std::string& device, unsigned v4_index) {
  put_gid(model, device, 0, link_local, "IB/RoCE v1");
  put_gid(model, device, 1, link_local, "RoCE v2");
  put_gid(model, device, v4_index, by_v4, "RoCE v2");
}

void put_bus(HostModel& model, const std::string& pci, const char* speed, const char* width, const char* most) {
  const std::string path = "/sys/bus/pci/devices/" + pci + "/";
  put(model, path + "current_link_speed", speed);
  put(model, path + "current_link_width", width);
  put(model, path + "max_link_speed", "16.0 GT/s PCIe\n");
  put(model, path + "max_link_width", most);
}

}  // namespace

std::vector<Illness> ethernet_illnesses() {
  return {
      {"gid-missing", "compute", "mlx5_8/1", Severity::error,
       [](HostModel& model) {
         put_table(model, "mlx5_8", 3);
         Address address;
         address.link = link(model, "enp170s0f0np0").index;
         EXPECT_FALSE(Text<IpInterface>::read({"198.51.100.7/24", false}, address.value));
         model.addresses.push_back(address);
       },
       "198.51.100.7/24",
       [](HostModel& model) { put_gid(model, "mlx5_8", 4, "0000:0000:0000:0000:0000:ffff:c633:6407", "RoCE v2"); }},
      {"roce-no-address", "compute", "mlx5_8/1", Severity::info,
       [](HostModel& model) { put_gid(model, "mlx5_8", 1, link_local, "RoCE v2"); }, "link-local",
       [](HostModel& model) { put_gid(model, "mlx5_8", 2, by_v4, "RoCE v2"); }},
      {"roce-v2-missing", "compute", "mlx5_8/1", Severity::info,
       [](HostModel& model) { put_gid(model, "mlx5_8", 0, by_v4, "IB/RoCE v1"); }, "RoCE v1 GIDs alone",
       [](HostModel& model) { put_gid(model, "mlx5_8", 1, by_v4, "RoCE v2"); }},
      {"roce-default-v1", "compute", "mlx5_8/1", Severity::info,
       [](HostModel& model) {
         put_table(model, "mlx5_8", 3);
         model.roce[{"mlx5_8", 1}] = {{RoceMode::v1, RoceMode::v2}, {RoceMode::v1, 0}};
       },
       "default_mode: v2",
       [](HostModel& model) {
         model.roce[{"mlx5_8", 1}] = {{RoceMode::v1, RoceMode::v2}, {RoceMode::v2, 0}};
       }},
      {"gid-index-differs", "compute", "", Severity::info,
       [](HostModel& model) {
         put_table(model, "mlx5_8", 3);
         put_table(model, "mlx5_9", 5);
       },
       "3 on mlx5_8/1; 5 on mlx5_9/1", [](HostModel& model) { put_gid(model, "mlx5_9", 3, by_v4, "RoCE v2"); }},
      {"gid-index-differs", "compute", "", Severity::info,
       [](HostModel& model) {
         put_table(model, "mlx5_8", 3);
         put_table(model, "mlx5_9", 33);  // behind 31 free entries, the most that a table in use has here
       },
       "3 on mlx5_8/1; 33 on mlx5_9/1"},
      {"gid-index-wrong", "compute", "mlx5_8/1", Severity::warning,
       [](HostModel& model) {
         put_table(model, "mlx5_8", 3);
         put(model, "/etc/nccl.conf", "NCCL_DEBUG=INFO\nNCCL_IB_GID_INDEX=4\n");
       },
       "no such GID", [](HostModel& model) { put(model, "/etc/nccl.conf", "NCCL_IB_GID_INDEX=3\n"); }},
      {"gid-index-wrong", "compute", "mlx5_8/1", Severity::warning,
       [](HostModel& model) {
         put_table(model, "mlx5_8", 3);
         put(model, "/etc/environment", "NCCL_IB_GID_INDEX=\"0\"\n");
       },
       "of RoCE v1"},
      {"roce-mtu", "compute", "mlx5_8/1", Severity::info,
       [](HostModel& model) { link(model, "enp170s0f0np0").mtu = 1500; }, "1024 bytes",
       [](HostModel& model) { link(model, "enp170s0f0np0").mtu = 4200; }},
      {"pause-beside-pfc", "compute", "mlx5_8/1", Severity::warning,
       [](HostModel& model) {
         RecordedLink& port = *model.find("enp170s0f0np0");
         port.dcb.emplace().flow_control = FlowControl{1U << 3U, 8, 0, 0};
         port.pause = PauseState{false, true, true, std::nullopt};
       },
       "ethtool -A enp170s0f0np0 rx off tx off",
       [](HostModel& model) {
         model.find("enp170s0f0np0")->pause = PauseState{false, false, false, std::nullopt};
       }},
      {"width-degraded", "storage", "mlx5_0/1", Severity::warning,
       [](HostModel& model) { port(model).rate = "50 Gb/sec (1X HDR)"; }, "one lane",
       [](HostModel& model) { port(model).rate = "200 Gb/sec (4X HDR)"; }},
      {"rate-uneven", "compute", "mlx5_3/1", Severity::info,
       [](HostModel& model) { port(model, 3).rate = "200 Gb/sec (4X HDR)"; }, "400 Gb/sec",
       [](HostModel& model) { port(model, 3).rate = port(model, 2).rate; }},
      {"pcie-slow", "storage", "mlx5_0", Severity::warning,
       [](HostModel& model) { put_bus(model, "0000:41:00.0", "8.0 GT/s PCIe\n", "16\n", "16\n"); }, "carries 126 Gb/s",
       [](HostModel& model) { put_bus(model, "0000:41:00.0", "16.0 GT/s PCIe\n", "16\n", "16\n"); }},
      {"pcie-degraded", "head", "mlx5_0", Severity::info,
       [](HostModel& model) { put_bus(model, "0000:21:00.0", "16.0 GT/s PCIe\n", "8\n", "16\n"); }, "x8",
       [](HostModel& model) { put_bus(model, "0000:21:00.0", "16.0 GT/s PCIe\n", "16\n", "16\n"); }},
      {"pcie-errors", "storage", "mlx5_0", Severity::warning,
       [](HostModel& model) {
         put(model, "/sys/bus/pci/devices/0000:41:00.0/aer_dev_nonfatal", "Undefined 0\nTLP 2\nTOTAL_ERR_NONFATAL 2\n");
       },
       "2 nonfatal errors",
       [](HostModel& model) {
         put(model, "/sys/bus/pci/devices/0000:41:00.0/aer_dev_nonfatal", "Undefined 0\nTLP 0\nTOTAL_ERR_NONFATAL 0\n");
       }},
      {"pcie-errors", "storage", "mlx5_0", Severity::info,
       [](HostModel& model) {
         put(model, "/sys/bus/pci/devices/0000:41:00.0/aer_dev_correctable", "RxErr 7\nTOTAL_ERR_COR 7\n");
       }},
      {"numa-unknown", "storage", "mlx5_0", Severity::info,
       [](HostModel& model) {
         put(model, "/sys/devices/system/node/online", "0-1\n");
         put(model, "/sys/bus/pci/devices/0000:41:00.0/numa_node", "-1\n");
       },
       "nodes 0-1", [](HostModel& model) { put(model, "/sys/bus/pci/devices/0000:41:00.0/numa_node", "1\n"); }},
  };
}

}  // namespace rdmastate::doctor
