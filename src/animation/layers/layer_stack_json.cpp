#include "animation/layers/field_json.h"
#include "animation/layers/layer_stack.h"
#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

using Of = FieldInfo::Of;

Json toJson(const Layer& layer) {
  Json json{{"name", layer.name}, {"kind", std::string(kindWord(layer.kind))}};
  const auto write = [&](const FieldInfo& info, const auto& value) {
    json[std::string(info.name)] = toJson(info, value);
  };
  visitFields(layer, write);
  Json mask = Json::array();
  for (const MaskEntry& entry : layer.mask)
    mask.push_back({{"joint", entry.joint}, {"branch", entry.branch}, {"weight", entry.weight}});
  json["mask"] = mask;
  visitKindFields(layer.kind, write);
  return json;
}

// Why a value of the right type is invalid; empty if it is valid.
template <class T>
std::string problemWith(const Model& model, const FieldInfo& info, const T& value) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int>) {
    const auto v = static_cast<float>(value);
    if (info.minimum < info.maximum && !(v >= info.minimum && v <= info.maximum))
      return fmt::format("'{}' is {}; it goes from {} to {}", info.name, value, info.minimum,
                         info.maximum);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (info.of == Of::joint && !findNode(model.hierarchy, value))
      return fmt::format("'{}': the model has no joint '{}'", info.name, value);
    if (info.of == Of::clip && value != "none" && value != "bind") try {
        findClip(model, value);
      } catch (const Error& error) {
        return fmt::format("'{}': {}", info.name, error.what());
      }
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    for (const std::string& name : value)
      if (std::string problem = problemWith(model, info, name); !problem.empty()) return problem;
  } else if constexpr (std::is_same_v<T, std::vector<vec2>>) {
    if (!isMonotone(value))
      return fmt::format("'{}' does not rise; its points go from 0 to 1, the first numbers rising, "
                         "the second never falling",
                         info.name);
  }
  return {};
}

Mask readMask(JsonObject& layer) {
  Mask mask;
  for (const JsonValue& each : layer.list("mask", "mask entry")) {
    MaskEntry& entry = mask.emplace_back();
    if (each.json().is_string()) {
      entry.joint = each.text();
      continue;
    }
    JsonObject object(each);
    object.readIfThere("joint", entry.joint);
    object.readIfThere("branch", entry.branch);
    object.readIfThere("weight", entry.weight);
    object.rejectUnknown();
  }
  return mask;
}

// Replaces clip indices by names: an index changes its meaning when clips are added.
struct NameClips {
  const Model& model;
  template <class T>
  void operator()(const FieldInfo& info, T& value) const {
    if constexpr (std::is_same_v<T, std::string>)
      if (info.of == Of::clip && value != "none" && value != "bind")
        value = clipWord(model, findClip(model, value));
  }
};

// How messages name a layer: with its own name where it has one.
JsonObject namedLayer(const JsonValue& value) {
  std::string name;
  JsonObject(value).readIfThere("name", name);
  return JsonObject(name.empty() ? value
                                 : JsonValue(value.json(), value.path(),
                                             fmt::format("{} ('{}')", value.name(), name)));
}

Layer readLayer(const Model& model, const JsonValue& value) {
  Layer layer;
  JsonObject object = namedLayer(value);
  object.readIfThere("name", layer.name);
  std::string kind;
  object.readIfThere("kind", kind);
  const std::vector<std::string_view> kinds = kindWords();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw object.wrong(kind.empty() ? "has no 'kind'" : fmt::format("'kind' is '{}'", kind),
                       fmt::format("one of {}", fmt::join(kinds, ", ")));
  const auto read = [&](const FieldInfo& info, auto& field) { readField(object, info, field); };
  layer.kind = parseLayerKind(kind);
  visitFields(layer, read);
  layer.mask = readMask(object);
  visitKindFields(layer.kind, read);
  object.rejectUnknown();
  if (const std::string problem = findProblem(model, layer); !problem.empty())
    throw object.wrong(problem);
  visitKindFields(layer.kind, NameClips{model});
  return layer;
}

} // namespace

std::string layerStackToJson(const LayerStack& stack) {
  Json layers = Json::array();
  for (const Layer& layer : stack.layers)
    layers.push_back(toJson(layer));
  return Json{{"sinew", "layers"}, {"seconds", stack.seconds}, {"layers", layers}}.dump(
             1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

LayerStack layerStackFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  const char* expected = R"(not a layer stack: expected {"sinew": "layers", "layers": [...]})";
  if (!json.is_object() || !json.contains("layers")) throw inputError(path, expected);
  JsonObject object = readDocument(json, path, "layers", expected);
  LayerStack stack;
  object.readIfThere("seconds", stack.seconds);
  if (stack.seconds < 0.0f)
    throw object.wrong(fmt::format("'seconds' is {}", stack.seconds), "0: without end");
  for (const JsonValue& layer : object.list("layers", "layer"))
    stack.layers.push_back(readLayer(model, layer));
  object.rejectUnknown();
  return stack;
}

std::string findProblem(const Model& model, const Layer& layer) {
  std::string problem;
  const auto look = [&](const FieldInfo& info, const auto& value) {
    if (problem.empty()) problem = problemWith(model, info, value);
  };
  visitFields(layer, look);
  visitKindFields(layer.kind, look);
  for (const MaskEntry& entry : layer.mask)
    if (problem.empty() && !findNode(model.hierarchy, entry.joint))
      problem = fmt::format("'mask': the model has no joint '{}'", entry.joint);
  for (const MaskEntry& entry : layer.mask)
    if (problem.empty() && !(entry.weight >= 0.0f && entry.weight <= 1.0f))
      problem = fmt::format("'mask': the weight of '{}' is {}; it goes from 0 to 1", entry.joint,
                            entry.weight);
  const auto whole = [&](const auto& kind) {
    if constexpr (requires { findProblem(model, kind); })
      if (problem.empty()) problem = findProblem(model, kind);
  };
  std::visit(whole, layer.kind);
  return problem;
}

} // namespace sinew
