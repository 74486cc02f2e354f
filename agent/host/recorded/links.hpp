// SPDX-License-Identifier: Apache-2.0
// Implements Links, the interface to network interfaces, addresses and routes, for a recorded host.
#pragma once

#include "host/links.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// Interfaces in memory that change and refuse as in the kernel (recorded/kernel.hpp). Every message that change()
/// would send is a call of its own in the log, so a failure ordered in the middle leaves the earlier ones done.
class RecordedLinks final : public Links {
 public:
  RecordedLinks(HostModel& model, CallLog& log) : model_(model), log_(log) {}

  std::size_t count() override;
  std::vector<Link> dump() override;
  std::optional<Link> find(const std::string& name) override;
  std::vector<Address> addresses(std::uint32_t link) override;
  std::vector<Route> routes(std::uint32_t link) override;

  void create(const NewIpoib& wanted) override;
  void change(const Link& link, const LinkChange& change) override;
  void create(const NewBond& wanted) override;
  void change(const Link& bond, const BondChange& change) override;
  void set_master(const Link& port, std::uint32_t bond) override;
  void remove(const Link& link) override;
  void add(const Address& address) override;
  void remove(const Address& address) override;
  void add(const Route& route) override;
  void remove(const Route& route) override;
  std::vector<VfSettings> vf_settings(const Link& link) override;
  void change_vf(const Link& link, std::uint32_t number, const VfSettings& settings) override;

 private:
  /// The name of the interface of this ifindex; "interface 7" where there is none.
  std::string name_of(std::uint32_t index) const;
  /// Logs a moving call and runs effect(RecordedLink&) on the interface; ENODEV where it is gone.
  template <class Effect>
  void move(const Link& link, std::string doing, Effect&& effect);

  HostModel& model_;
  CallLog& log_;
};

}  // namespace rdmastate
