// SPDX-License-Identifier: Apache-2.0
// Libraries opened on first use: a run that needs none of them does not pay for loading them.
#pragma once

#include <string>

namespace rdmastate {

/// A shared library that stays open until the process ends. A missing library or symbol throws an Error that names the
/// packages which bring it.
class DynamicLibrary {
 public:
  /// `file` is its soname; `packages` completes the sentence "install ...". Both are string literals: they are kept.
  DynamicLibrary(const char* file, const char* packages);

  /// The function of that name as a pointer of type `Function`, a type that nothing checks. Throws Error where there is
  /// none.
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  const char* file_;
  const char* packages_;
  void* handle_;
};

/// A member of a table of functions: the declaration in the library's C header gives the name and the type. The member
/// `library` stands before it.
///   struct Kmod { DynamicLibrary library{...}; RDMASTATE_FUNCTION(library, kmod_new); };
///   dynamic_table<Kmod>().kmod_new(...)
#define RDMASTATE_FUNCTION(library, name) decltype(&::name) name = (library).function<decltype(&::name)>(#name)

/// The one table of its type, made when it is first asked for. When that throws, the next call tries again.
template <class Table>
const Table& dynamic_table() {
  static const Table table;
  return table;
}

}  // namespace rdmastate
