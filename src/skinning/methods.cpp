#include "skinning/methods.h"

#include "core/error.h"
#include "skinning/method_entries.h"
#include "skinning/spline.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sinew {
namespace {

std::string withDashes(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

constexpr std::array<std::string_view, 1> kStaticShaders{"skinning/static.glsl"};
constexpr std::array<std::string_view, 1> kStaticTangentShaders{"skinning/static_tangent.glsl"};

Binding bindNothing(const Rig& rig, const BindOptions& /*options*/) {
  Binding binding;
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  return binding;
}

bool packNothing(const Rig& /*rig*/, const Binding& /*binding*/,
                 std::span<const mat4> /*modelFromNode*/, std::span<vec4> /*rows*/) {
  return false;
}

void copyBindPose(const BindVertices& vertices, const Binding& /*binding*/,
                  const Palette& /*palette*/, SkinnedMesh& out) {
  out.positions.assign(vertices.positions.begin(), vertices.positions.end());
  out.normals.assign(vertices.normals.begin(), vertices.normals.end());
}

std::vector<vec4> copyTangents(const BindVertices& vertices, const Binding& /*binding*/,
                               const Palette& /*palette*/) {
  return {vertices.tangents.begin(), vertices.tangents.end()};
}

std::vector<Method> makeTable() {
#ifdef SINEW_FEW_METHODS // the smaller program of scripts/web_package
  return {dqsMethod(), bonesBlendingMethod(), corMethod()};
#else
  std::vector<Method> table = {
      rigidMethod(),        lbsMethod(), dqsMethod(),  bonesBlendingMethod(), arcSplineMethod(),
      bezierSplineMethod(), corMethod(), stbsMethod(), ddmMethod(),
  };
  table.push_back(perJointMethod(table));
  return table;
#endif
}

std::span<const Method>& currentMethods() {
  static const std::vector<Method> kTable = makeTable();
  static std::span<const Method> list = kTable;
  return list;
}

} // namespace

std::span<const Method> methods() {
  return currentMethods();
}

std::span<const Method> replaceMethods(std::span<const Method> list) {
  return std::exchange(currentMethods(), list);
}

const Method& findMethod(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Method& method : methods()) {
    if (method.name == withDashes(name)) return method;
    names.push_back(method.name);
  }
  throw unknownName("method", name, names);
}

const Method& staticMethod() {
  static const Method kStatic = {.name = "static",
                                 .title = "Unskinned",
                                 .shortTitle = "Unskinned",
                                 .paper = "",
                                 .summary = "The bind pose: the base line of what skinning costs.",
                                 .parameters = {},
                                 .shaders = kStaticShaders,
                                 .bind = bindNothing,
                                 .pack = packNothing,
                                 .skin = copyBindPose,
                                 .tangentShaders = kStaticTangentShaders,
                                 .skinTangents = copyTangents};
  return kStatic;
}

std::vector<float> parameterValues(std::span<const Parameter> parameters,
                                   const BindOptions& options) {
  std::vector<float> values = options.parameters;
  values.resize(parameters.size());
  for (std::size_t i = options.parameters.size(); i < parameters.size(); ++i)
    values[i] = parameters[i].value;
  return values;
}

bool takesTangents(const Rig& rig, const Method& method, const Binding& binding) {
  return !rig.tangents.empty() && binding.tangents && binding.variant.hasNormals() &&
         method.skinTangents != nullptr;
}

void packPalette(const Method& method, const Rig& rig, const Binding& binding,
                 std::span<const mat4> modelFromNode, Palette& out, std::span<const float> twists) {
  out.rows.resize(static_cast<std::size_t>(binding.entryCount) * binding.rowsPerEntry);
  out.nonUniformScale = method.pack(rig, binding, modelFromNode, out.rows);
  if (method.usesFreeSplines && !twists.empty())
    method.addRotations(rig, binding, twists, out.rows);
}

} // namespace sinew
