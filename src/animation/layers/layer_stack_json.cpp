#include "animation/layers/layer_stack_json.h"

#include "animation/layers/field_reader.h"
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
  visitFieldsOf(layer.kind, write);
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

Mask readMask(const Json& json, std::string_view path, const std::string& where) {
  if (!json.is_array()) throw inputError(path, where + " 'mask' is not a list of joints");
  Mask mask;
  for (const Json& each : json) {
    MaskEntry& entry = mask.emplace_back();
    if (each.is_string()) {
      entry.joint = each.get<std::string>();
      continue;
    }
    FieldReader reader(each, path, where + fmt::format(" mask entry {}", mask.size()));
    reader.field({"joint", {}}, entry.joint);
    reader.field({"branch", {}}, entry.branch);
    reader.field({"weight", {}, 0, 1}, entry.weight);
    reader.rejectUnknown();
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

Layer readLayer(const Model& model, const Json& json, std::size_t index, std::string_view path) {
  Layer layer;
  const std::string number = fmt::format("layer {}", index + 1);
  FieldReader(json, path, number).field({"name", {}}, layer.name);
  const std::string where =
      layer.name.empty() ? number : fmt::format("{} ('{}')", number, layer.name);
  FieldReader reader(json, path, where);
  const auto read = [&](const FieldInfo& info, auto& value) { reader.field(info, value); };
  reader.part("name");
  std::string kind;
  reader.field({"kind", {}}, kind);
  const std::vector<std::string_view> kinds = kindWords();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw reader.fail(kind.empty() ? "has no 'kind'" : fmt::format("'kind' is '{}'", kind),
                      fmt::format("one of {}", fmt::join(kinds, ", ")));
  layer.kind = kindOf(kind);
  visitFields(layer, read);
  if (const Json* mask = reader.part("mask")) layer.mask = readMask(*mask, path, where);
  visitFieldsOf(layer.kind, read);
  reader.rejectUnknown();
  if (const std::string problem = problemOf(model, layer); !problem.empty())
    throw reader.fail(problem, {});
  visitFieldsOf(layer.kind, NameClips{model});
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
  if (!json.is_object() || json.value("sinew", Json()) != "layers" || !json.contains("layers") ||
      !json["layers"].is_array())
    throw inputError(path, R"(not a layer stack: expected {"sinew": "layers", "layers": [...]})");
  LayerStack stack;
  FieldReader reader(json, path, "the layer stack");
  reader.part("sinew");
  reader.part("layers");
  reader.field({"seconds", {}}, stack.seconds);
  if (stack.seconds < 0.0f) throw reader.fail("'seconds' is negative", "0: without end");
  reader.rejectUnknown();
  for (const Json& layer : json["layers"])
    stack.layers.push_back(readLayer(model, layer, stack.layers.size(), path));
  return stack;
}

std::string problemOf(const Model& model, const Layer& layer) {
  std::string problem;
  const auto look = [&](const FieldInfo& info, const auto& value) {
    if (problem.empty()) problem = problemWith(model, info, value);
  };
  visitFields(layer, look);
  visitFieldsOf(layer.kind, look);
  for (const MaskEntry& entry : layer.mask)
    if (problem.empty() && !findNode(model.hierarchy, entry.joint))
      problem = fmt::format("'mask': the model has no joint '{}'", entry.joint);
  for (const MaskEntry& entry : layer.mask)
    if (problem.empty() && !(entry.weight >= 0.0f && entry.weight <= 1.0f))
      problem = fmt::format("'mask': the weight of '{}' is {}; it goes from 0 to 1", entry.joint,
                            entry.weight);
  const auto whole = [&](const auto& kind) {
    if constexpr (requires { problemOf(model, kind); })
      if (problem.empty()) problem = problemOf(model, kind);
  };
  std::visit(whole, layer.kind);
  return problem;
}

} // namespace sinew
