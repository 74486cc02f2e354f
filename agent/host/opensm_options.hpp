// SPDX-License-Identifier: Apache-2.0
// A constant table of the options of opensm.conf: their names, the form of their values and their defaults; and
// functions that bring a value into one form, so that it can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rdmastate {

/// What an option's value is made of, as OpenSM reads it (osm_subnet.c, opts_parse_...).
enum class OpensmForm : std::uint8_t {
  number,    ///< decimal, or hexadecimal after 0x; a leading 0 would make it octal
  limit,     ///< a number, or -1 for the default
  guid,      ///< 64 bits in hexadecimal
  key,       ///< 64 bits that are a secret
  mask,      ///< 256 bits in hexadecimal
  boolean,   ///< TRUE; every other text means FALSE
  file,      ///< the path of a file that OpenSM reads
  engines,   ///< names of routing engines, commas between
  enforced,  ///< both, in, out or off
  list,      ///< numbers with commas and colons between
  text,      ///< anything else
};

/// Whether an option decides what the whole subnet is (its prefix, LIDs, links, routes, keys, partitions, QoS, and
/// which subnet manager is master), or how this host's OpenSM goes about it (its log, its timeouts, its pace).
enum class OpensmReach : std::uint8_t { fabric, host };

/// One option, as opensm.conf names it. A constant; it owns nothing.
struct OpensmOption {
  std::string_view name;
  OpensmForm form;
  std::string_view usual;  ///< the default, as opensm_value() writes it; several words: any of them; empty: none
  /// Of a number or limit: the largest that OpenSM takes, or that the MAD's field holds. 0 of other forms.
  std::uint64_t most = 0;
  OpensmReach reach = OpensmReach::fabric;
};

/// All that `opensm -c FILE` of OpenSM 3.3.23 writes, in that order (Debian 11 to 13 and Ubuntu 22.04 to 25.04 have
/// this version), and one older name that it still reads.
std::span<const OpensmOption> opensm_options();
/// By its name; nullptr: OpenSM ignores it, after a line "Unrecognized token" in its output.
const OpensmOption* opensm_option(std::string_view name);
/// The routing engines of OpenSM 3.3.23, as the comment in its own opensm.conf lists them.
std::span<const std::string_view> opensm_engines();

/// The most bytes of a line, with its end: OpenSM was seen to read the rest as a line of its own.
inline constexpr std::size_t longest_opensm_line = 1023;

/// The whole text as strtoul(text, end, 0) reads it: hexadecimal after 0x, octal after 0, else decimal; nullopt where
/// it is no number.
std::optional<std::uint64_t> opensm_number(std::string_view text);
/// A value in the one form of its OpensmForm, so that equal values are equal texts: numbers in decimal, GUIDs and keys
/// as 0x and 16 digits, masks without leading zeros, every boolean but TRUE as FALSE. Other forms, and a number, GUID
/// or key that is no number, stay as they are; of other forms "(null)", OpenSM's word for no value, becomes empty.
std::string opensm_value(const OpensmOption& option, std::string_view value);
/// Whether a value in the form of opensm_value() is the default; an empty one is.
bool is_usual(const OpensmOption& option, std::string_view value);

}  // namespace rdmastate
