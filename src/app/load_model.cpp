#include "app/load_model.h"

#include "animation/retarget/motion.h"
#include "core/error.h"
#include "core/file.h"
#include "demo/demo.h"
#include "weights/skeleton_tgf.h"
#include "weights/templates/skeleton_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

namespace sinew {
namespace {

std::string freeName(const std::string& wanted, const std::string& stem,
                     const std::vector<std::string>& taken) {
  const auto isTaken = [&](const std::string& name) {
    return std::ranges::find(taken, name) != taken.end();
  };
  if (!wanted.empty() && !isTaken(wanted)) return wanted;
  std::string name = stem;
  for (int n = 2; isTaken(name); ++n)
    name = fmt::format("{} {}", stem, n);
  return name;
}

} // namespace

std::string demoName(const std::string& name) {
  constexpr std::string_view kPrefix = "demo:";
  return name.rfind(kPrefix, 0) == 0 ? name.substr(kPrefix.size()) : std::string();
}

Model loadModel(const std::string& name, const LoadOptions& options) {
  ImportOptions import;
  import.progress = options.progress;
  import.up = options.up;
  import.decodeTextures = options.textures;
  import.checkTextures = true;
  import.textureFolders.assign(options.textureFolders.begin(), options.textureFolders.end());
  const IsolationLimits limits{options.seconds, options.megabytes};
  const std::string demo = demoName(name);
  Model model = demo.empty() ? importIsolated(name, import, limits) : findDemo(demo).make();
  if (options.motion.empty()) return model;
  import.decodeTextures = import.checkTextures = false;
  import.up = UpAxis::automatic;
  MotionReport report =
      applyMotion(model, importIsolated(options.motion, import, limits), options.motionMap);
  if (!report.unmatched.empty())
    model.warnings.push_back(fmt::format(
        "{} of {} moved joints of {} have no match in the model", report.unmatched.size(),
        report.unmatched.size() + report.matched.size(), options.motion));
  if (options.report != nullptr) *options.report = std::move(report);
  return model;
}

Skeleton loadSkeleton(const std::string& name, const JoinedMeshes& mesh,
                      const LoadOptions& options) {
  static constexpr std::string_view kTemplate = "template:";
  if (name.starts_with(kTemplate))
    return templateSkeleton(std::string_view(name).substr(kTemplate.size()), mesh.positions,
                            mesh.triangles);
  if (getExtension(name) == ".tgf") return readTgf(name);
  LoadOptions joints = options;
  joints.textures = false;
  Model model = loadModel(name, joints);
  if (model.path.empty()) model.path = name; // a demo
  return extractSkeleton(model);
}

std::vector<std::string> clipNames(const Model& model) {
  std::vector<std::string> names;
  for (const Clip& clip : model.clips)
    names.push_back(clip.name);
  return names;
}

AddedMotion motionFor(const Model& model, const std::string& file, const LoadOptions& options,
                      std::vector<std::string>& taken) {
  ImportOptions import;
  import.progress = options.progress;
  import.decodeTextures = false;
  const Model motion = demoName(file).empty()
                           ? importIsolated(file, import, {options.seconds, options.megabytes})
                           : loadModel(file);
  Model moved = model;
  moved.clips.clear();
  AddedMotion out;
  out.unmatched = applyMotion(moved, motion, options.motionMap).unmatched;
  out.clips = std::move(moved.clips);
  const std::string stem =
      demoName(file).empty() ? std::filesystem::path(file).stem().string() : demoName(file);
  for (Clip& clip : out.clips) {
    clip.name = freeName(clip.name, stem, taken);
    taken.push_back(clip.name);
  }
  return out;
}

void addMotions(Model& model, const std::vector<std::string>& files, const LoadOptions& options) {
  std::vector<std::string> taken = clipNames(model);
  for (const std::string& file : files) {
    AddedMotion added = motionFor(model, file, options, taken);
    if (!added.unmatched.empty())
      model.warnings.push_back(fmt::format("{} moved joints of {} have no match in the model",
                                           added.unmatched.size(), file));
    std::ranges::move(added.clips, std::back_inserter(model.clips));
  }
}

} // namespace sinew
