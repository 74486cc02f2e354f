// SPDX-License-Identifier: Apache-2.0
#include "base/fields_schema.hpp"

#include <fmt/format.h>

namespace rdmastate {
namespace {

Json schema_of(const Record& record);

// In JSON each key of an object is a string, so that a number or a boolean as a key needs a pattern.
Json key_schema(const ValueType& key) {
  if (key.form == JsonForm::string) return parse_json(key.schema());
  return {{"pattern", key.form == JsonForm::integer ? "^[0-9]+$" : "^(true|false)$"}};
}

Json schema_of(const ValueType& type) {
  switch (type.shape) {
    case Shape::scalar:
      return parse_json(type.schema());
    case Shape::list:
      return {{"type", "array"}, {"items", schema_of(*type.element)}};
    case Shape::map:
      return {{"type", "object"},
              {"propertyNames", key_schema(*type.key)},
              {"additionalProperties", schema_of(*type.element)}};
    case Shape::record:
      return schema_of(type.record());
  }
  return {};
}

// Only a scalar's example is a JSON value as it stands; the others are YAML, for people.
Json example_of(const FieldInfo& field) {
  const Scalar scalar{field.rules.example};
  switch (core_type(scalar)) {
    case CoreType::integer:
    case CoreType::boolean:
      return field.type->form == JsonForm::string ? Json(scalar.text) : parse_json(scalar.text);
    case CoreType::null:
    case CoreType::real:
    case CoreType::string:
      break;
  }
  return Json(scalar.text);
}

Json schema_of(const FieldInfo& field) {
  Json json = schema_of(*field.type);
  std::string doc(field.doc);
  if (!field.rules.on_create.empty()) doc += fmt::format(" An object that is created gets {}.", field.rules.on_create);
  json["description"] = doc;
  if (field.type->shape == Shape::scalar && !field.rules.example.empty())
    json["examples"] = Json::array({example_of(field)});
  return json;
}

Json schema_of(const Record& record) {
  Json json{{"type", "object"}, {"description", record.doc}, {"additionalProperties", false}};
  Json required = Json::array();
  Json properties = Json::object();
  for (const auto& field : record.fields) {
    properties[std::string(field.name)] = schema_of(field);
    if (field.rules.required) required.push_back(field.name);
  }
  json["properties"] = std::move(properties);
  if (!required.empty()) json["required"] = std::move(required);
  return json;
}

}  // namespace

Json json_schema(const Record& record) {
  Json json{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", record.name}};
  json.update(schema_of(record));
  return json;
}

}  // namespace rdmastate
