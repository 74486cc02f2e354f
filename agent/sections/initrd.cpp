// SPDX-License-Identifier: Apache-2.0
#include "sections/initrd.hpp"

#include "platform/initrd.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "resources/initrd/initrd.hpp"

namespace rdmastate {
namespace {

bool is_copied(DistroFamily family, const Wanted& one) {
  const bool has_bytes = one.kind == &file_kind || one.kind == &entry_kind;
  return has_bytes && one.state && is_initrd_input(family, one.kind->file_of_key(one.key));
}

}  // namespace

void add_initrd(const Spec& spec, const Facts& facts, Desired& desired) {
  if (spec.initrd == InitrdCare::leave) {
    desired.left.push_back(initrd_kind.name);  // a removal then brings no rebuild either (plan/items.cpp)
    return;
  }
  const DistroFamily family = platform_of(facts).family;
  InitrdState state;
  std::string path;  // of the spec: the first part that asks for a file in the image
  for (const auto& one : desired.wanted) {
    if (!is_copied(family, one)) continue;
    if (path.empty()) path = one.path;
    state.holds.emplace(one.key, initrd_digest(*one.state));
  }
  if (state.holds.empty()) return;
  desired.add({&initrd_kind, std::string(initrd_key), State(initrd_kind, std::move(state)), path});
}

}  // namespace rdmastate
