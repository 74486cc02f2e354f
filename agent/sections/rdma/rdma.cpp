// SPDX-License-Identifier: Apache-2.0
// The Section `rdma`: the network namespace mode of RDMA. expand_rdma() wants the mode now, and as its twin the file of
// module options that sets it at boot; adopt_rdma() reads the mode back.
#include "sections/rdma/spec.hpp"

#include "base/template.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/rdma_system.hpp"
#include "sections/section.hpp"

namespace rdmastate {
namespace {

void check_rdma(const Spec&, Report&) {}

void expand_rdma(const Spec& spec, const Facts&, Backend, Desired& desired, Report&) {
  if (!spec.rdma || !spec.rdma->netns) return;
  const std::string file(common_layout().rdma_options);
  Wanted one{&rdma_system_kind, "netns", State(rdma_system_kind, RdmaSystemState{*spec.rdma->netns}), "rdma.netns"};
  one.twins.push_back({{file_kind.name, file}, TwinForm::whole_file});
  desired.add(std::move(one));
  const Template options("rdma-options.conf", escape_line);
  // The parameter netns_mode of ib_core: 1 is shared, 0 is exclusive.
  const std::string mode = *spec.rdma->netns == NetnsMode::shared ? "1" : "0";
  desired.add({&file_kind, file, State(file_kind, regular_file(options.render({{{"mode", mode}}}))), "rdma.netns"});
}

// `shared` is the kernel's default: it is adopted only where a file of rdmastate shows that a spec asks for it.
void adopt_rdma(const Adoption& from, Adopted& to) {
  const std::string file(common_layout().rdma_options);
  const bool is_ours = from.snapshot.exists(file);
  const auto mode = from.snapshot.netns_mode();
  if (!mode || (!is_ours && *mode == NetnsMode::shared)) return;
  to.spec.rdma = RdmaSection{mode};
  to.came_from("rdma.netns", is_ours ? place_of(file, 2) : "rdma system");
}

FilePlaces rdma_places() { return whole_files({common_layout().rdma_options}); }

}  // namespace

constinit const Section rdma_section{"rdma", check_rdma, expand_rdma, adopt_rdma, rdma_places};

}  // namespace rdmastate
