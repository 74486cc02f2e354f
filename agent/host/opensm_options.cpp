// SPDX-License-Identifier: Apache-2.0
#include "host/opensm_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/ascii.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

// The names that the rows below use: a reach, and the largest numbers of the types of osm_subn_opt_t.
constexpr OpensmReach local = OpensmReach::host;
constexpr std::uint64_t u8 = 0xff;
constexpr std::uint64_t u16 = 0xffff;
constexpr std::uint64_t i31 = 0x7fffffff;
constexpr std::uint64_t u32 = 0xffffffff;

// Each makes one row of the table: option() of any form, the others of the form that they are called after.
constexpr OpensmOption option(std::string_view name, OpensmForm form, std::string_view usual, std::uint64_t most = 0,
                              OpensmReach reach = OpensmReach::fabric) {
  return {name, form, usual, most, reach};
}
constexpr OpensmOption number(std::string_view name, std::uint64_t most, std::string_view usual,
                              OpensmReach reach = OpensmReach::fabric) {
  return {name, OpensmForm::number, usual, most, reach};
}
constexpr OpensmOption yes_no(std::string_view name, std::string_view usual, OpensmReach reach = OpensmReach::fabric) {
  return {name, OpensmForm::boolean, usual, 0, reach};
}
constexpr OpensmOption file(std::string_view name, std::string_view usual, OpensmReach reach = OpensmReach::fabric) {
  return {name, OpensmForm::file, usual, 0, reach};
}

// A default of two words: where a distribution builds OpenSM for /etc/rdma, its defaults name files there.
constexpr std::array options{
    option("guid", OpensmForm::guid, "0x0000000000000000"),
    option("m_key", OpensmForm::key, "0x0000000000000000"),
    number("m_key_lease_period", u16, "0"),
    number("m_key_protection_level", 3, "0"),
    yes_no("m_key_lookup", "TRUE"),
    option("sm_key", OpensmForm::key, "0x0000000000000001"),
    option("sa_key", OpensmForm::key, "0x0000000000000001"),
    option("subnet_prefix", OpensmForm::guid, "0xfe80000000000000"),
    number("lmc", 7, "0"),
    yes_no("lmc_esp0", "FALSE"),
    number("sm_sl", 15, "0"),
    number("packet_life_time", 31, "18"),
    number("vl_stall_count", 7, "7"),
    number("leaf_vl_stall_count", 7, "7"),
    number("head_of_queue_lifetime", 31, "18"),
    number("leaf_head_of_queue_lifetime", 31, "16"),
    number("max_op_vls", 5, "5"),
    number("force_link_speed", 15, "15"),
    number("force_link_speed_ext", 31, "31"),
    number("force_link_width", u8, "255"),
    number("fdr10", 2, "1"),
    number("subnet_timeout", 31, "18"),
    number("local_phy_errors_threshold", 15, "8"),
    number("overrun_errors_threshold", 15, "8"),
    yes_no("use_mfttop", "TRUE"),
    file("partition_config_file", "/etc/opensm/partitions.conf /etc/rdma/partitions.conf"),
    yes_no("no_partition_enforcement", "FALSE"),
    option("part_enforce", OpensmForm::enforced, "both"),
    yes_no("allow_both_pkeys", "FALSE"),
    yes_no("keep_pkey_indexes", "TRUE"),
    number("sm_assigned_guid", u8, "0"),
    number("sweep_interval", u32, "10", local),
    yes_no("reassign_lids", "FALSE"),
    yes_no("force_heavy_sweep", "FALSE", local),
    yes_no("sweep_on_trap", "TRUE", local),
    yes_no("port_profile_switch_nodes", "FALSE"),
    file("port_prof_ignore_file", ""),
    file("hop_weights_file", ""),
    file("port_search_ordering_file", ""),
    file("dimn_ports_file", ""),  // the older name of port_search_ordering_file
    option("routing_engine", OpensmForm::engines, "minhop"),
    yes_no("avoid_throttled_links", "FALSE"),
    yes_no("connect_roots", "FALSE"),
    yes_no("use_ucast_cache", "FALSE"),
    file("lid_matrix_dump_file", ""),
    file("lfts_file", ""),
    file("root_guid_file", ""),
    file("cn_guid_file", ""),
    file("io_guid_file", ""),
    yes_no("quasi_ftree_indexing", "FALSE"),
    number("max_reverse_hops", u16, "0"),
    file("ids_guid_file", ""),
    file("guid_routing_order_file", ""),
    yes_no("do_mesh_analysis", "FALSE"),
    number("lash_start_vl", 14, "0"),
    number("nue_max_num_vls", u8, "1"),
    yes_no("nue_include_switches", "FALSE"),
    yes_no("port_shifting", "FALSE"),
    number("scatter_ports", u32, "0"),
    yes_no("guid_routing_order_no_scatter", "FALSE"),
    file("sa_db_file", ""),
    yes_no("sa_db_dump", "FALSE", local),
    file("torus_config", "/etc/opensm/torus-2QoS.conf /etc/rdma/torus-2QoS.conf"),
    number("sm_priority", 15, "0"),
    yes_no("ignore_other_sm", "FALSE"),
    number("sminfo_polling_timeout", u32, "10000"),
    number("polling_retry_number", u32, "4"),
    yes_no("honor_guid2lid_file", "FALSE"),
    number("max_wire_smps", i31, "4", local),
    number("max_wire_smps2", i31, "4", local),
    number("max_smps_timeout", u32, "600000", local),
    number("transaction_timeout", u32, "200", local),
    number("transaction_retries", u32, "3", local),
    number("long_transaction_timeout", u32, "500", local),
    number("max_msg_fifo_timeout", u32, "10000", local),
    yes_no("single_thread", "FALSE", local),
    yes_no("daemon", "FALSE"),
    yes_no("sm_inactive", "FALSE"),
    yes_no("babbling_port_policy", "FALSE"),
    yes_no("drop_event_subscriptions", "FALSE"),
    yes_no("ipoib_mcgroup_creation_validation", "TRUE"),
    yes_no("mcgroup_join_validation", "TRUE"),
    yes_no("use_original_extended_sa_rates_only", "FALSE"),
    yes_no("use_optimized_slvl", "FALSE"),
    yes_no("fsync_high_avail_files", "TRUE", local),
    yes_no("perfmgr", "FALSE", local),
    yes_no("perfmgr_redir", "TRUE", local),
    number("perfmgr_sweep_time_s", u16, "180", local),
    number("perfmgr_max_outstanding_queries", u32, "500", local),
    yes_no("perfmgr_ignore_cas", "FALSE", local),
    yes_no("perfmgr_rm_nodes", "TRUE", local),
    yes_no("perfmgr_log_errors", "TRUE", local),
    yes_no("perfmgr_query_cpi", "TRUE", local),
    yes_no("perfmgr_xmit_wait_log", "FALSE", local),
    number("perfmgr_xmit_wait_threshold", u32, "65535", local),
    option("event_db_dump_file", OpensmForm::text, "", 0, local),
    option("event_plugin_name", OpensmForm::text, "", 0, local),
    option("event_plugin_options", OpensmForm::text, "", 0, local),
    file("node_name_map_name", "", local),
    number("log_flags", u8, "3", local),
    yes_no("force_log_flush", "FALSE", local),
    option("log_file", OpensmForm::text, "/var/log/opensm.log", 0, local),
    number("log_max_size", u32, "0", local),
    yes_no("accum_log_file", "TRUE", local),
    file("per_module_logging_file", "/etc/opensm/per-module-logging.conf /etc/rdma/per-module-logging.conf", local),
    option("dump_files_dir", OpensmForm::text, "/var/log/", 0, local),
    yes_no("enable_quirks", "FALSE"),
    yes_no("no_clients_rereg", "FALSE"),
    yes_no("disable_multicast", "FALSE"),
    yes_no("exit_on_fatal", "TRUE", local),
    option("console", OpensmForm::text, "off", 0, local),
    number("console_port", u16, "10000", local),
    yes_no("qos", "FALSE"),
    file("qos_policy_file", "/etc/opensm/qos-policy.conf /etc/rdma/qos-policy.conf"),
    yes_no("suppress_sl2vl_mad_status_errors", "FALSE"),
    number("qos_max_vls", 15, "0"),
    option("qos_high_limit", OpensmForm::limit, "-1", 255),
    option("qos_vlarb_high", OpensmForm::list, ""),
    option("qos_vlarb_low", OpensmForm::list, ""),
    option("qos_sl2vl", OpensmForm::list, ""),
    number("qos_ca_max_vls", 15, "0"),
    option("qos_ca_high_limit", OpensmForm::limit, "-1", 255),
    option("qos_ca_vlarb_high", OpensmForm::list, ""),
    option("qos_ca_vlarb_low", OpensmForm::list, ""),
    option("qos_ca_sl2vl", OpensmForm::list, ""),
    number("qos_sw0_max_vls", 15, "0"),
    option("qos_sw0_high_limit", OpensmForm::limit, "-1", 255),
    option("qos_sw0_vlarb_high", OpensmForm::list, ""),
    option("qos_sw0_vlarb_low", OpensmForm::list, ""),
    option("qos_sw0_sl2vl", OpensmForm::list, ""),
    number("qos_swe_max_vls", 15, "0"),
    option("qos_swe_high_limit", OpensmForm::limit, "-1", 255),
    option("qos_swe_vlarb_high", OpensmForm::list, ""),
    option("qos_swe_vlarb_low", OpensmForm::list, ""),
    option("qos_swe_sl2vl", OpensmForm::list, ""),
    number("qos_rtr_max_vls", 15, "0"),
    option("qos_rtr_high_limit", OpensmForm::limit, "-1", 255),
    option("qos_rtr_vlarb_high", OpensmForm::list, ""),
    option("qos_rtr_vlarb_low", OpensmForm::list, ""),
    option("qos_rtr_sl2vl", OpensmForm::list, ""),
    yes_no("congestion_control", "FALSE"),
    option("cc_key", OpensmForm::key, "0x0000000000000000"),
    number("cc_max_outstanding_mads", u32, "500"),
    number("cc_sw_cong_setting_control_map", u32, "0"),
    option("cc_sw_cong_setting_victim_mask", OpensmForm::mask, "0x0"),
    option("cc_sw_cong_setting_credit_mask", OpensmForm::mask, "0x0"),
    number("cc_sw_cong_setting_threshold", 15, "0"),
    number("cc_sw_cong_setting_packet_size", u8, "0"),
    number("cc_sw_cong_setting_credit_starvation_threshold", 15, "0"),
    option("cc_sw_cong_setting_credit_starvation_return_delay", OpensmForm::list, "0:0"),
    number("cc_sw_cong_setting_marking_rate", u16, "0"),
    number("cc_ca_cong_setting_port_control", u16, "0"),
    number("cc_ca_cong_setting_control_map", u16, "0"),
    option("cc_ca_cong_setting_ccti_timer", OpensmForm::text, "0 0"),
    option("cc_ca_cong_setting_ccti_increase", OpensmForm::text, "0 0"),
    option("cc_ca_cong_setting_trigger_threshold", OpensmForm::text, "0 0"),
    option("cc_ca_cong_setting_ccti_min", OpensmForm::text, "0 0"),
    option("cc_cct", OpensmForm::list, ""),
    file("prefix_routes_file", "/etc/opensm/prefix-routes.conf /etc/rdma/prefix-routes.conf"),
    yes_no("consolidate_ipv6_snm_req", "FALSE"),
    option("log_prefix", OpensmForm::text, "", 0, local),
};

constexpr std::array<std::string_view, 11> engines{"minhop", "updn",       "dnup", "file",   "ftree", "lash",
                                                   "dor",    "torus-2QoS", "nue",  "dfsssp", "sssp"};

constexpr std::string_view no_text = "(null)";  // OpenSM writes it for an option without value

// "0x1f" of "0X0000001F": in small letters, and without the zeros before the first other digit.
std::string mask_value(std::string_view value) {
  if (value.starts_with("0x") || value.starts_with("0X")) value.remove_prefix(2);
  value.remove_prefix(std::min(value.find_first_not_of('0'), value.size()));
  return "0x" + ascii::lower(value.empty() ? "0" : value);
}

}  // namespace

std::span<const OpensmOption> opensm_options() { return options; }

const OpensmOption* opensm_option(std::string_view name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const OpensmOption& one) { return one.name == name; });
  return found == options.end() ? nullptr : &*found;
}

std::span<const std::string_view> opensm_engines() { return engines; }

std::optional<std::uint64_t> opensm_number(std::string_view text) {
  constexpr int hexadecimal = 16;
  constexpr int octal = 8;
  constexpr int decimal = 10;
  int base = decimal;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = hexadecimal;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.starts_with('0')) {
    base = octal;
  }
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string opensm_value(const OpensmOption& option, std::string_view value) {
  const auto number = opensm_number(value);
  switch (option.form) {
    case OpensmForm::number:
    case OpensmForm::limit:
      return number ? std::to_string(*number) : std::string(value);
    case OpensmForm::guid:
    case OpensmForm::key:
      return number ? fmt::format("{:#018x}", *number) : std::string(value);
    case OpensmForm::mask:
      return mask_value(value);
    case OpensmForm::boolean:
      return value == "TRUE" ? "TRUE" : "FALSE";  // opts_parse_boolean
    case OpensmForm::file:
    case OpensmForm::engines:
    case OpensmForm::enforced:
    case OpensmForm::list:
    case OpensmForm::text:
      break;
  }
  return value == no_text ? std::string() : std::string(value);
}

bool is_usual(const OpensmOption& option, std::string_view value) {
  const auto usual = words(option.usual);
  return value.empty() || value == option.usual || std::find(usual.begin(), usual.end(), value) != usual.end();
}

}  // namespace rdmastate
