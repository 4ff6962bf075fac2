// Who moves whom when a motion is put on a model, by hand: where names say nothing or the wrong
// thing, and where the two rest poses differ in a way of their own.
#pragma once

#include "core/transform.h"

#include <glm/vec3.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace sinew {

struct MotionMap {
  // The model's joint: the motion's joint that moves it; none: it stays still.
  std::map<std::string, std::optional<std::string>> joints;
  // The model's joint: a rotation that is added in its own frame, in degrees about X, then Y, then
  // Z.
  std::map<std::string, glm::vec3> offsets;

  bool operator==(const MotionMap&) const = default;
};

// {"joints": {"Foot.L": "LeftFoot", "Hat": null}, "offsets": {"Foot.L": [20, 0, 0]}}; both keys may
// be missing. Throws inputError with file and key.
MotionMap readMotionMap(const std::filesystem::path& path);
std::string motionMapText(const MotionMap& map); // as it is read

} // namespace sinew
