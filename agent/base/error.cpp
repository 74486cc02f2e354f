// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <cstring>

namespace rdmastate {
namespace {

std::string sentence(const std::string& doing, int number, std::string_view kernel_says) {
  std::string text = doing + ": " + describe_errno(number);
  if (!kernel_says.empty()) text += std::string("; the kernel says: ") + std::string(kernel_says);
  return text;
}

}  // namespace

std::string describe_errno(int error_number) {
  const char* words = strerrordesc_np(error_number);
  const char* name = strerrorname_np(error_number);
  if (words == nullptr || name == nullptr) return "error " + std::to_string(error_number);
  return std::string(words) + " (" + name + ")";
}

SystemError::SystemError(const std::string& doing, int error_number, std::string_view kernel_says)
    : Error(sentence(doing, error_number, kernel_says)), number_(error_number) {}

}  // namespace rdmastate
