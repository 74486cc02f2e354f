// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/recorded.hpp"

#include "host/recorded/accounts.hpp"
#include "host/recorded/connections.hpp"
#include "host/recorded/dcb.hpp"
#include "host/recorded/files.hpp"
#include "host/recorded/firewall.hpp"
#include "host/recorded/ifupdown.hpp"
#include "host/recorded/initrds.hpp"
#include "host/recorded/kernel.hpp"
#include "host/recorded/links.hpp"
#include "host/recorded/managers.hpp"
#include "host/recorded/modules.hpp"
#include "host/recorded/netplan.hpp"
#include "host/recorded/nfsd.hpp"
#include "host/recorded/rdma.hpp"
#include "host/recorded/timers.hpp"
#include "host/recorded/units.hpp"

namespace rdmastate {
namespace {

// Time passes only when a caller sleeps. After a second of that, duplicate address detection has ended.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(HostModel& model) : model_(model) {}
  std::int64_t now() override { return start + std::chrono::duration_cast<std::chrono::seconds>(passed_).count(); }
  std::chrono::milliseconds ticks() override { return passed_; }
  void sleep(std::chrono::milliseconds time) override {
    passed_ += time;
    detecting_ += time;
    if (detecting_ < detection) return;
    detecting_ = {};
    kernel::end_detection(model_);
  }

 private:
  static constexpr std::chrono::milliseconds detection{1000};
  static constexpr std::int64_t start = 1767225600;  // 2026-01-01 00:00:00 UTC
  HostModel& model_;
  std::chrono::milliseconds passed_{0};
  std::chrono::milliseconds detecting_{0};
};

}  // namespace

struct RecordedHost::Parts {
  Parts(HostModel given, std::string description_)
      : model(std::move(given)),
        description(std::move(description_)),
        clock(model),
        files(model, log),
        links(model, log),
        modules(model, log),
        rdma(model, log),
        networkmanager(model, log),
        networkd(model, log),
        connections(model, log),
        dcb(model, log),
        accounts(model),
        timers(model, log),
        units(model, log),
        nfsd(model, log),
        ifupdown(model, files, log),
        firewall(model, log),
        netplan(model, log),
        initrds(model, files, log) {}
  HostModel model;
  std::string description;
  CallLog log;
  VirtualClock clock;
  RecordedFiles files;
  RecordedLinks links;
  RecordedModules modules;
  RecordedRdma rdma;
  RecordedNetworkManager networkmanager;
  RecordedNetworkd networkd;
  RecordedConnections connections;
  RecordedDcb dcb;
  RecordedAccounts accounts;
  RecordedTimers timers;
  RecordedUnits units;
  RecordedNfsServer nfsd;
  RecordedIfupdown ifupdown;
  RecordedFirewall firewall;
  RecordedNetplan netplan;
  RecordedInitrds initrds;
};

RecordedHost::RecordedHost(HostModel model, std::string description) {
  add_parents(model.files);
  parts_ = std::make_unique<Parts>(std::move(model), std::move(description));
}
RecordedHost::~RecordedHost() = default;
RecordedHost::RecordedHost(RecordedHost&&) noexcept = default;

RecordedHost RecordedHost::from_json(std::string_view json, const std::string& name) {
  return RecordedHost(read_host_model(json, name), "recorded host " + name.substr(name.rfind('/') + 1));
}

// `udev` stays null: it is not modelled.
Host RecordedHost::host() {
  auto& parts = *parts_;
  Host host{parts.description, parts.files,           parts.clock,     &parts.links,       &parts.rdma,
            &parts.modules,    &parts.networkmanager, &parts.networkd, &parts.connections, &parts.dcb};
  host.accounts = &parts.accounts;
  host.timers = &parts.timers;
  host.units = &parts.units;
  host.nfsd = &parts.nfsd;
  host.ifupdown = &parts.ifupdown;
  host.firewall = &parts.firewall;
  host.netplan = &parts.netplan;
  host.initrds = &parts.initrds;
  host.unseen_kinds = &parts.model.unseen_kinds;
  return host;
}

const HostModel& RecordedHost::model() const { return parts_->model; }
HostModel& RecordedHost::model() { return parts_->model; }
void RecordedHost::fabric_changed() { kernel::fabric_changed(parts_->model); }

void RecordedHost::fail_call(std::size_t n, int number, When when) { parts_->log.fail(n, number, when); }
void RecordedHost::crash_at(std::size_t n, When when) { parts_->log.crash(n, when); }
void RecordedHost::clear_orders() { parts_->log.clear_orders(); }

const std::vector<std::string>& RecordedHost::calls() const { return parts_->log.calls(); }
const ReadCounts& RecordedHost::reads() const { return parts_->log.reads; }
void RecordedHost::reset_reads() { parts_->log.reads = {}; }

}  // namespace rdmastate
