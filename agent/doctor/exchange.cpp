// SPDX-License-Identifier: Apache-2.0
#include "doctor/exchange.hpp"

#include "base/error.hpp"

namespace rdmastate::doctor {
namespace {

constexpr std::chrono::milliseconds pause{1};

Trouble::Kind lost(std::size_t size) {
  return size == message_sizes.front() ? Trouble::Kind::no_answer : Trouble::Kind::large_lost;
}

}  // namespace

std::optional<Trouble> trouble_of(const std::function<std::optional<Trouble>()>& work) {
  try {
    return work();
  } catch (const SystemError& error) {
    return Trouble{Trouble::Kind::setup, error.what(), error.number()};
  } catch (const Error& error) {
    return Trouble{Trouble::Kind::setup, error.what()};
  }
}

std::string message_of(std::size_t size) {
  constexpr std::uint32_t odd = 0x9e3779b1;  // spreads a counter over all bits, so that no two packets are the same
  constexpr unsigned upper = 24;
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size; ++at)
    bytes[at] = static_cast<char>(static_cast<std::uint32_t>(at + size) * odd >> upper);
  return bytes;
}

std::optional<WorkEnd> Exchange::wait(WorkEnd::What what) {
  for (;;) {
    while (auto end = pair_.poll()) ended_.push_back(std::move(*end));
    for (auto one = ended_.begin(); one != ended_.end(); ++one)
      if (one->what == what) {
        WorkEnd end = std::move(*one);
        ended_.erase(one);
        return end;
      }
    if (clock_.ticks() >= end_) return std::nullopt;
    clock_.sleep(pause);
  }
}

std::optional<Trouble> Exchange::judge(const std::optional<WorkEnd>& end, std::size_t size, const char* missing) const {
  if (!end) return Trouble{lost(size), missing};
  if (end->how == WorkEnd::How::unanswered) return Trouble{lost(size), end->status};
  if (end->how != WorkEnd::How::done) return Trouble{Trouble::Kind::failed, end->status};
  return std::nullopt;
}

std::optional<Trouble> Exchange::send(std::size_t size) {
  pair_.send(message_of(size));
  return judge(wait(WorkEnd::What::send), size, "the send did not end in time");
}

std::optional<Trouble> Exchange::receive(std::size_t size) {
  const auto end = wait(WorkEnd::What::receive);
  if (auto trouble = judge(end, size, "no message came in time")) return trouble;
  if (end->bytes == message_of(size)) return std::nullopt;
  return Trouble{Trouble::Kind::bytes_differ,
                 std::to_string(size) + " bytes were sent, and " + std::to_string(end->bytes.size()) + " others came"};
}

}  // namespace rdmastate::doctor
