// What the import tests share: files written for one test, and a model's vertices in a pose.
#pragma once

#include "animation/sample.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_files.h"
#include "import/import_model.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>

namespace sinew::test {

inline SkinnedMesh pose(const Model& model, const Rig& rig, const Pose& pose,
                        std::uint32_t influences = 12, const Method& method = findMethod("lbs")) {
  BindOptions options;
  options.influences = influences;
  const Binding binding = method.bind(rig, options);
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
  SkinnedMesh out;
  skinMorphed(method, rig, binding, palette, getMorphWeights(model, pose), out);
  return out;
}

inline SkinnedMesh posedAt(const Model& model, const Clip& clip, float time,
                           std::uint32_t influences = 12) {
  return pose(model, buildRig(model), sample(model, clip, time), influences);
}

inline SkinnedMesh atRest(const Model& model) {
  return pose(model, buildRig(model), restPose(model));
}

// The error importing a file ends in.
inline Error importError(const std::filesystem::path& path, const ImportOptions& options = {}) {
  try {
    importModel(path, options);
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("no error");
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

inline bool anyContains(const std::vector<std::string>& lines, std::string_view part) {
  for (const std::string& line : lines)
    if (contains(line, part)) return true;
  return false;
}

} // namespace sinew::test
