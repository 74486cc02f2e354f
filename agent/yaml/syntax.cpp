// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax.hpp"

#include <array>
#include <string>

namespace rdmastate::yaml {
namespace {

struct Words {
  std::string_view says;  // how the text of yaml-cpp 0.7 begins (exceptions.h, ErrorMsg)
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view check_indentation = "check the indentation of this line and of the one above";
constexpr std::string_view quote_it = "put the text in quotes";
constexpr std::string_view no_tags = "write the value without it; a text that begins with ! goes in quotes";
constexpr std::string_view no_aliases = "write the value out; a text that begins with * or & goes in quotes";

constexpr std::array words{
    Words{"illegal tab when looking for indentation", "a tab in the indentation", "indent with spaces"},
    Words{"end of map not found", "expected a key of the map above, or its end", check_indentation},
    Words{"end of sequence not found", "expected an item of the list above, or its end", check_indentation},
    Words{"end of map flow not found", "this { has no }", "close it, or put a comma between its entries"},
    Words{"end of sequence flow not found", "this [ has no ]", "close it, or put a comma between its items"},
    Words{"illegal flow end", "a bracket that closes nothing", quote_it},
    Words{"illegal map value", "a ':' where no value can begin",
          "a text with ': ' in it goes in quotes; otherwise check the indentation"},
    Words{"illegal map key", "a '?' where no key can begin", quote_it},
    Words{"illegal block entry", "a '- ' where no list can begin", "begin the list on the next line"},
    Words{"unknown token", "a character that no plain text can begin with", quote_it},
    Words{"illegal EOF in scalar", "a quote that is never closed", ""},
    Words{"illegal document indicator in scalar", "the document ends within quotes", "close the quotes"},
    Words{"illegal character in scalar", "a character that cannot stand here", quote_it},
    Words{"unknown escape character", "an unknown escape in double quotes",
          "write \\\\ for a backslash, or use single quotes"},
    Words{"bad character found while scanning hex number", "an escape without its hexadecimal digits", ""},
    Words{"invalid unicode", "an escape that is no Unicode character", ""},
    Words{"the referenced anchor is not defined", "aliases are not supported", no_aliases},
    Words{"alias not found after *", "a '*' that names no alias", quote_it},
    Words{"anchor not found after &", "a '&' that names no anchor", quote_it},
    Words{"illegal character found while scanning alias", "aliases are not supported", no_aliases},
    Words{"illegal character found while scanning anchor", "anchors are not supported", no_aliases},
    Words{"cannot assign multiple anchors", "anchors are not supported", no_aliases},
    Words{"cannot assign multiple aliases", "aliases are not supported", no_aliases},
    Words{"aliases can't have any content", "aliases are not supported", no_aliases},
    Words{"cannot assign multiple tags", "tags are not supported", no_tags},
    Words{"tag handle with no suffix", "tags are not supported", no_tags},
    Words{"end of verbatim tag not found", "tags are not supported", no_tags},
    Words{"illegal character found while scanning tag handle", "tags are not supported", no_tags},
    Words{"cannot set zero indentation", "a block of text with an indentation of 0", ""},
    Words{"unexpected character in block scalar", "text behind the | or > of a block",
          "begin the text on the next line"},
    Words{"bad file", "nested too deeply", ""},  // what its guard against deep recursion throws (depthguard.h)
};

}  // namespace

Complaint explain_syntax(std::string_view yaml_cpp_says) {
  for (const auto& [says, message, hint] : words)
    if (yaml_cpp_says.starts_with(says)) return {std::string(message), {}, std::string(hint), Severity::error};
  return {"not YAML: " + std::string(yaml_cpp_says), {}, {}, Severity::error};
}

}  // namespace rdmastate::yaml
