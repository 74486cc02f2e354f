// SPDX-License-Identifier: Apache-2.0
#include "platform/initrd.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace rdmastate {
namespace {

// What every maker copies. initramfs-tools 0.142: mkinitramfs copies modprobe.d, udev's hook every .link file. That
// hook copies udev rules too, but rdmastate's are no inputs: they start units, call rdma_rename or name interfaces of
// ib_ipoib, and such an image has none of these.
constexpr std::array of_every_maker{
    InitrdInput{"/etc/modprobe.d/", ".conf"},
    InitrdInput{"/etc/systemd/network/", ".link"},
};

// What dracut 049 to 107 copies with hostonly=yes, as RHEL, Fedora and SUSE set it: modprobe.d (its module
// kernel-modules), modules-load.d (systemd), .link files (the network modules), and mlx4.conf (rdma-core's own module
// rdma, which Debian's rdma-core has not). It copies no udev rule of rdmastate.
constexpr std::array of_dracut{
    InitrdInput{"/etc/modprobe.d/", ".conf"},
    InitrdInput{"/etc/systemd/network/", ".link"},
    InitrdInput{"/etc/modules-load.d/", ".conf", /*may_lack=*/true},
    InitrdInput{"/etc/rdma/mlx4.conf", ""},
};

// Debian's dracut (059 to 112) without a file that names more. It has .link files where package dracut-network is
// installed; without it no network interface appears before the real root, where udev reads them.
constexpr std::array of_debians_dracut{
    InitrdInput{"/etc/modprobe.d/", ".conf"},
    InitrdInput{"/etc/systemd/network/", ".link", /*may_lack=*/true},
};

constexpr std::string_view all_of_dracut = "dracut --force --regenerate-all";
constexpr std::string_view beside_the_kernel =
    "dracut --force --include FILE FILE IMAGE KERNEL, with an --include for each of these files,";

constexpr std::array makers{
    InitrdMaker{InitrdProgram::update_initramfs, DistroFamily::debian, "/boot/initrd.img-", "", of_every_maker,
                "update-initramfs -u -k all"},
    InitrdMaker{InitrdProgram::dracut, DistroFamily::rhel, "/boot/initramfs-", ".img", of_dracut, all_of_dracut},
    InitrdMaker{InitrdProgram::dracut, DistroFamily::suse, "/boot/initrd-", "", of_dracut, all_of_dracut},
    InitrdMaker{InitrdProgram::dracut, DistroFamily::debian, "/boot/initrd.img-", "", of_debians_dracut, all_of_dracut},
    // For systems that boot as an image (bootc, ostree), whose initrd lies beside the kernel: looked for in a tree
    // alone, since such a host does not make its initrd. It is made for any host (hostonly=no), and dracut then copies
    // nothing of /etc by itself.
    InitrdMaker{InitrdProgram::dracut, DistroFamily::rhel, "/usr/lib/modules/", "/initramfs.img", of_every_maker,
                beside_the_kernel},
};

}  // namespace

std::span<const InitrdMaker> initrd_makers() { return makers; }

const InitrdInput* initrd_input(const InitrdMaker& maker, std::string_view path) {
  const auto found = std::find_if(maker.inputs.begin(), maker.inputs.end(), [&](const InitrdInput& one) {
    if (one.suffix.empty()) return path == one.path;
    return path.starts_with(one.path) && path.ends_with(one.suffix) &&
           path.find('/', one.path.size()) == std::string_view::npos;
  });
  return found == maker.inputs.end() ? nullptr : &*found;
}

bool is_initrd_input(DistroFamily family, std::string_view path) {
  return std::any_of(makers.begin(), makers.end(), [&](const InitrdMaker& maker) {
    return (family == DistroFamily::other || maker.family == family) && initrd_input(maker, path) != nullptr;
  });
}

std::string initrd_image(const InitrdMaker& maker, std::string_view release) {
  return std::string(maker.before).append(release).append(maker.after);
}

std::optional<std::string> initrd_release(const InitrdMaker& maker, std::string_view path) {
  const bool fits = path.size() > maker.before.size() + maker.after.size() && path.starts_with(maker.before) &&
                    path.ends_with(maker.after);
  if (!fits) return std::nullopt;
  return std::string(path.substr(maker.before.size(), path.size() - maker.before.size() - maker.after.size()));
}

bool is_older_kernel(const std::string& a, const std::string& b) { return ::strverscmp(a.c_str(), b.c_str()) < 0; }

}  // namespace rdmastate
