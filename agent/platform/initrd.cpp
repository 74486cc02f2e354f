// SPDX-License-Identifier: Apache-2.0
#include "platform/initrd.hpp"

#include <algorithm>
#include <array>

namespace rdmastate {
namespace {

constexpr std::array of_initramfs_tools{
    InitrdInput{"/etc/modprobe.d/", ".conf"},
    InitrdInput{"/etc/systemd/network/", ".link"},
};

constexpr std::array of_dracut{
    InitrdInput{"/etc/modprobe.d/", ".conf"},
    InitrdInput{"/etc/systemd/network/", ".link"},
    InitrdInput{"/etc/modules-load.d/", ".conf", true},
    InitrdInput{"/etc/rdma/mlx4.conf", ""},
};

constexpr std::string_view all_of_dracut = "dracut --force --regenerate-all";

constexpr std::array makers{
    InitrdMaker{InitrdProgram::update_initramfs, DistroFamily::debian, "/boot/initrd.img-", "", of_initramfs_tools,
                "update-initramfs -u -k all"},
    InitrdMaker{InitrdProgram::dracut, DistroFamily::rhel, "/boot/initramfs-", ".img", of_dracut, all_of_dracut},
    InitrdMaker{InitrdProgram::dracut, DistroFamily::suse, "/boot/initrd-", "", of_dracut, all_of_dracut},
    InitrdMaker{InitrdProgram::dracut, DistroFamily::debian, "/boot/initrd.img-", "", of_initramfs_tools,
                all_of_dracut},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number or the other characters that a text begins with, without the zeros in front.
std::string_view take_part(std::string_view& text) {
  const bool number = is_digit(text.front());
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end]) == number) ++end;
  std::string_view part = text.substr(0, end);
  text.remove_prefix(end);
  while (number && part.size() > 1 && part.front() == '0') part.remove_prefix(1);
  return part;
}

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

bool is_older_kernel(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const bool numbers = is_digit(a.front()) && is_digit(b.front());
    const std::string_view left = take_part(a);
    const std::string_view right = take_part(b);
    if (numbers && left.size() != right.size()) return left.size() < right.size();
    if (left != right) return left < right;
  }
  return a.empty() && !b.empty();
}

}  // namespace rdmastate
