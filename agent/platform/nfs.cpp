// SPDX-License-Identifier: Apache-2.0
#include "platform/nfs.hpp"

#include "platform/layout.hpp"

namespace rdmastate {

NfsServerConf nfs_server_conf(const Platform& platform) {
  constexpr Version reads_conf{2, 1, 1};
  constexpr Version reads_conf_d{2, 5, 3};
  const Version& present = platform.versions.nfs_utils;
  if (present >= reads_conf_d) return {NfsServerForm::drop_in, common_layout().nfs_conf};
  if (present < reads_conf) return {NfsServerForm::unit, common_layout().nfs_unit};
  return {NfsServerForm::entry, platform.family == DistroFamily::suse ? "/etc/nfs.conf.local" : "/etc/nfs.conf"};
}

}  // namespace rdmastate
