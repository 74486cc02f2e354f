// SPDX-License-Identifier: Apache-2.0
// Specs as text, applied to recorded hosts: what golden, property and apply tests share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "apply/apply.hpp"
#include "host/recorded/recorded.hpp"

namespace rdmastate {

/// The file's bytes; a failure of the running test where it cannot be read.
std::string file_text(const std::string& path);

/// Makes a file of root, 0644, in the place of what was there, and the directories that lead to it.
void put(HostModel& model, const std::string& path, const std::string& text);

/// The guide's adapters in a Debian where nothing owns interfaces, ib_ipoib not loaded; with a kernel that has
/// rdma_rxe.
HostModel guide_model();

/// The same with ib_ipoib loaded: its three ports have their interfaces ib0, ib1, ib2, all down. They were up
/// once: until the first join of the broadcast group an interface has the port's largest MTU, and never again after it.
HostModel loaded_model();

/// The name of every back end (Names<Backend>): what a law that holds on all of them is tested with.
std::vector<const char*> every_back_end();

/// loaded_model() where the owner that a back end writes for is there: its daemon runs, and Facts see it; its folders.
HostModel model_run_by(const std::string& backend);
/// model_run_by("ifupdown") with Debian's ifup and ifdown, which hold lo alone.
HostModel model_with_ifupdown();
/// model_run_by() of the renderer, "networkd" or "networkmanager", with netplan and a file of the site that names it.
HostModel model_with_netplan(const std::string& renderer);

/// A wish for a spec's text. What is wrong with the spec is thrown as Error(bad_spec) with the rendered report.
Wish wish_for(const std::string& text, PlanOptions options = {});

/// What such a wish asks of a host with these facts.
Desired desired_by(const std::string& spec, const Facts& facts);

/// A listener that tells nobody.
Listener deaf();

/// apply() of wish_for() that text.
Outcome apply_spec(RecordedHost& host, const std::string& text, PlanOptions options = {});

/// plan_host() of wish_for() that text.
Plan plan_spec(RecordedHost& host, const std::string& text, PlanOptions options = {});

/// The plan's item of that resource; nullptr: it has none.
const Item* find_item(const Plan& plan, const Kind& kind, const std::string& key);
/// The same of the plan's first item of that kind.
const Item* find_item(const Plan& plan, const Kind& kind);
/// The same of a plan that ends with the expression: a copy of its item, which nobody can keep by a plain pointer.
std::unique_ptr<const Item> find_item(Plan&& plan, const Kind& kind, const std::string& key);
std::unique_ptr<const Item> find_item(Plan&& plan, const Kind& kind) = delete;
/// The gap of that item, in a plan of the spec with that text; an empty one where the plan has none.
Gap gap_in(HostModel model, const std::string& text, const Kind& kind);

/// Options of a plan that may restart that unit (--restart).
PlanOptions restarting(const std::string& unit);

/// How many of the host's calls were this one.
std::size_t count_calls(const RecordedHost& host, const std::string& call);

/// The spec that `show --as-spec` prints of the host, with comments on where each value comes from.
std::string adopted(RecordedHost& host);

/// All that kinds see of a host, less the runs.
std::string seen(HostModel model);

std::string seen(const RecordedHost& host);

/// The host after it lost power: another boot id, modules as `booted` has them and modules-load.d adds, ports'
/// interfaces as the kernel makes them and udev (our own rules) names them. Files stay, but those in /run, which are as
/// `booted` has them and netplan generates them.
HostModel rebooted(const HostModel& was, const HostModel& booted,
                   const std::string& boot_id = "b0071d00-0000-4000-8000-000000000002");

}  // namespace rdmastate
