// SPDX-License-Identifier: Apache-2.0
#include "sys/dynamic.hpp"

#include <dlfcn.h>

#include "base/error.hpp"

namespace rdmastate {
namespace {

// Why the last call of dlopen(3) failed.
std::string reason() {
  const char* text = ::dlerror();
  return text == nullptr ? "no reason is given" : text;
}

}  // namespace

DynamicLibrary::DynamicLibrary(const char* file, const char* packages)
    : file_(file), packages_(packages), handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr)
    throw Error(std::string("the library ") + file_ + " cannot be opened (" + reason() + "): install " + packages_);
}

void* DynamicLibrary::address_of(const char* name) const {
  void* address = ::dlsym(handle_, name);
  if (address == nullptr)
    throw Error(std::string("the library ") + file_ + " has no function " + name + ": it is too old, install a newer " +
                packages_);
  return address;
}

}  // namespace rdmastate
