#include "skinning/variant.h"

namespace sinew {

std::vector<std::string> makeDefines(const Variant& variant) {
  std::vector<std::string> defines;
  const auto number = [&](std::string_view name, std::uint32_t value) {
    if (value > 0) defines.push_back(std::string(name) + ' ' + std::to_string(value));
  };
  const auto choice = [&](const char* name, bool on) {
    if (on) defines.emplace_back(name);
  };
  number("INFLUENCES", variant.influences);
  number("ATTACHMENTS", variant.attachments);
  choice("SPLINES_VECTORIZED", variant.vectorized);
  choice("PLAIN_MIXING", variant.plainMixing);
  choice("SPLINE_TRANSFORM", variant.splineTransform);
  choice("SPLINE_TEXTURE", variant.splineTexture);
  choice("EXACT_NORMALS", variant.normals == NormalMode::exact);
  choice("SHARED_SURFACE", variant.sharedSurface);
  choice("NO_NORMALS", variant.normals == NormalMode::none);
  choice("FREE_SPLINES", variant.freeSplines);
  number("ROTATION_ROW", variant.rotationRow);
  number("JOINT_ROW", variant.jointRow);
  number("TWIST_ROW", variant.twistRow);
  for (const Variant::Define& define : variant.own)
    defines.push_back(std::string(define.name) + ' ' + std::to_string(define.value));
  return defines;
}

} // namespace sinew
