// SPDX-License-Identifier: Apache-2.0
// KernelRdma's virtual functions: files of PCI functions in sysfs (drivers/pci/iov.c).
#include <charconv>

#include "base/error.hpp"
#include "sys/rdma.hpp"

namespace rdmastate {
namespace {

std::string directory_of(const std::string& pci) { return "/sys/bus/pci/devices/" + pci + "/"; }

std::string last_component(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The number in a file; nullopt: there is no such file.
std::optional<std::uint32_t> number_in(const Root& root, const std::string& path) {
  const auto text = root.read(path, 32);
  if (!text) return std::nullopt;
  std::uint32_t value = 0;
  std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

VirtualFunction function_at(const Root& root, const std::string& link) {
  VirtualFunction one;
  one.pci = last_component(root.read_link(link).value_or(""));
  one.driver = last_component(root.read_link(link + "/driver").value_or(""));
  one.netdevs = root.names(link + "/net");
  return one;
}

}  // namespace

std::optional<Sriov> KernelRdma::sriov(const std::string& pci) {
  const std::string directory = directory_of(pci);
  const auto total = pci.empty() ? std::nullopt : number_in(root_, directory + "sriov_totalvfs");
  if (!total) return std::nullopt;
  Sriov sriov;
  sriov.total = *total;
  sriov.autoprobe = number_in(root_, directory + "sriov_drivers_autoprobe").value_or(1) != 0;
  // Without virtual functions hardware may say 0.
  sriov.offset = std::max(number_in(root_, directory + "sriov_offset").value_or(1), 1U);
  sriov.stride = std::max(number_in(root_, directory + "sriov_stride").value_or(1), 1U);
  const std::uint32_t count = number_in(root_, directory + "sriov_numvfs").value_or(0);
  for (std::uint32_t i = 0; i < count; ++i)
    sriov.functions.push_back(function_at(root_, directory + "virtfn" + std::to_string(i)));
  return sriov;
}

void KernelRdma::set_vf_count(const std::string& pci, std::uint32_t count) {
  root_.write_attribute(directory_of(pci) + "sriov_numvfs", std::to_string(count) + "\n");
}

void KernelRdma::set_vf_autoprobe(const std::string& pci, bool on) {
  root_.write_attribute(directory_of(pci) + "sriov_drivers_autoprobe", on ? "1\n" : "0\n");
}

void KernelRdma::bind_vf(const std::string& vf_pci) {
  root_.write_attribute("/sys/bus/pci/drivers_probe", vf_pci + "\n");
}

void KernelRdma::unbind_vf(const std::string& vf_pci) {
  root_.write_attribute(directory_of(vf_pci) + "driver/unbind", vf_pci + "\n");
}

}  // namespace rdmastate
