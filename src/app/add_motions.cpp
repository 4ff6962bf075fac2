#include "app/add_motions.h"

#include "animation/retarget/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
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
