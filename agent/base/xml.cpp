// SPDX-License-Identifier: Apache-2.0
#include "base/xml.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"

namespace rdmastate::xml {
namespace {

constexpr std::size_t longest = 1U << 20U;
constexpr std::size_t deepest = 32;

struct FreeParser {
  void operator()(XML_Parser parser) const noexcept { XML_ParserFree(parser); }
};
using Parser = std::unique_ptr<XML_ParserStruct, FreeParser>;

// What the callbacks gather. Expat calls them from C, so that none may throw: a refusal stops the parser instead.
struct Reading {
  XML_Parser parser = nullptr;
  std::vector<Element> elements = {};
  std::vector<std::size_t> open = {};  ///< indexes of the elements that have not ended
  std::string refusal = {};

  std::size_t at() const { return static_cast<std::size_t>(XML_GetCurrentByteIndex(parser)); }
  std::size_t length() const { return static_cast<std::size_t>(XML_GetCurrentByteCount(parser)); }
  void refuse(const char* why) {
    refusal = why;
    XML_StopParser(parser, XML_FALSE);
  }
};

void begin_element(void* data, const char* name, const char** attributes) {
  Reading& reading = *static_cast<Reading*>(data);
  if (reading.open.size() == deepest) return reading.refuse("it has more than 32 levels");
  Element element;
  element.name = name;
  for (; *attributes != nullptr; attributes += 2) element.attributes.emplace(attributes[0], attributes[1]);
  element.depth = reading.open.size();
  element.begin = reading.at();
  element.inner_begin = reading.at() + reading.length();
  reading.open.push_back(reading.elements.size());
  reading.elements.push_back(std::move(element));
}

// Of <one/> the end has no bytes of its own, and the parser stands behind the tag or at its beginning.
void end_element(void* data, const char*) {
  Reading& reading = *static_cast<Reading*>(data);
  Element& element = reading.elements[reading.open.back()];
  reading.open.pop_back();
  const bool has_end_tag = reading.length() != 0 && reading.at() >= element.inner_begin;
  element.inner_end = has_end_tag ? reading.at() : element.inner_begin;
  element.end = has_end_tag ? reading.at() + reading.length() : element.inner_begin;
}

void refuse_doctype(void* data, const char*, const char*, const char*, int) {
  static_cast<Reading*>(data)->refuse("it has a document type (DOCTYPE)");
}

[[noreturn]] void refuse(const Reading& reading) {
  const std::string why = reading.refusal.empty() ? XML_ErrorString(XML_GetErrorCode(reading.parser)) : reading.refusal;
  throw Error(fmt::format("line {}: {}", XML_GetCurrentLineNumber(reading.parser), why));
}

}  // namespace

std::string_view Element::value(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? std::string_view() : std::string_view(found->second);
}

// The encoding is given to the parser, which then ignores what the text says of its own, but for UTF-16's mark of byte
// order. Such a text has NUL bytes, and its places would not be those of the bytes.
std::vector<Element> elements(std::string_view text) {
  if (text.size() > longest) throw Error("it has more than 1 MiB");
  if (text.find('\0') != std::string_view::npos) throw Error("it is not UTF-8: it has a NUL byte");
  const Parser parser(XML_ParserCreate("UTF-8"));
  if (!parser) throw Error("there is no memory to read it");
  Reading reading{parser.get()};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), begin_element, end_element);
  XML_SetStartDoctypeDeclHandler(parser.get(), refuse_doctype);
  if (XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE) != XML_STATUS_OK) refuse(reading);
  return std::move(reading.elements);
}

}  // namespace rdmastate::xml
