#include "skinning/methods.h"

#include "core/error.h"
#include "skinning/arc_spline.h"
#include "skinning/bezier_spline.h"
#include "skinning/bones_blending.h"
#include "skinning/dqs.h"
#include "skinning/lbs.h"
#include "skinning/rigid.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

std::string withDashes(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

Binding bindNothing(const Rig& rig, const BindOptions& /*options*/) {
  Binding binding;
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  return binding;
}

bool packNothing(const Rig& /*rig*/, const Binding& /*binding*/,
                 std::span<const mat4> /*modelFromNode*/, std::span<vec4> /*rows*/) {
  return false;
}

void copyBindPose(const Rig& rig, const Binding& /*binding*/, const Palette& /*palette*/,
                  SkinnedMesh& out) {
  out.positions = rig.positions;
  out.normals = rig.normals;
}

} // namespace

std::span<const Method> methods() {
  static const std::array kMethods = {
      rigidMethod(),         lbsMethod(),       dqsMethod(),
      bonesBlendingMethod(), arcSplineMethod(), bezierSplineMethod(),
  };
  return kMethods;
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
                                 .paper = "",
                                 .summary = "The bind pose, as a measure of what skinning costs.",
                                 .parameters = {},
                                 .bind = bindNothing,
                                 .pack = packNothing,
                                 .skin = copyBindPose};
  return kStatic;
}

void packPalette(const Method& method, const Rig& rig, const Binding& binding,
                 std::span<const mat4> modelFromNode, Palette& out) {
  out.rows.resize(static_cast<std::size_t>(binding.itemCount) * binding.rowsPerItem);
  out.nonUniformScale = method.pack(rig, binding, modelFromNode, out.rows);
}

} // namespace sinew
