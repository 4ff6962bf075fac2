#include "app/load_model.h"

#include "animation/retarget/motion.h"
#include "core/error.h"
#include "demo/demo.h"

#include <fmt/format.h>

namespace sinew {

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

} // namespace sinew
