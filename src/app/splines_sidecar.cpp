#include "app/splines_sidecar.h"

#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "skinning/methods.h"
#include "weights/spline_set_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSplinesEnding = ".splines.json";

} // namespace

fs::path splinesPath(const std::string& model) {
  return sidecarPath(model, kSplinesEnding);
}

void checkSplinesFile(const std::string& word) {
  if (word.empty() || word == "none" || word.ends_with(".json")) return;
  throw usageError(fmt::format("--splines '{}': expected FILE.json or none", word));
}

LaidSplines readSplines(Model& model, const std::string& name, const std::string& file) {
  if (file == "none") return {};
  LaidSplines laid;
  laid.path = file.empty() ? findSidecar(name, kSplinesEnding) : file;
  if (laid.path.empty()) return {};
  SplineSet set = splinesFromJson(model, readAbout(model, laid.path), laid.path);
  laid.set = std::make_shared<const SplineSet>(std::move(set));
  laid.bare = std::make_shared<const Model>(model);
  putSplines(model, *laid.set);
  if (file.empty())
    model.warnings.push_back(fmt::format("free splines are those of {}, beside the model; "
                                         "--splines none ignores them",
                                         laid.path));
  return laid;
}

std::string splinesIgnored(const Model& model, std::span<const Method* const> chosen) {
  if (model.splines.empty() ||
      std::ranges::any_of(chosen, [](const Method* method) { return usesFreeSplines(*method); }))
    return {};
  std::vector<std::string_view> those;
  for (const Method& method : methods())
    if (usesFreeSplines(method)) those.push_back(method.name);
  return fmt::format("{} free spline{} ignored: {} bends by joints; {} bend by splines",
                     model.splines.size(), model.splines.size() == 1 ? " is" : "s are",
                     chosen.empty() ? "the method" : chosen.front()->name, fmt::join(those, ", "));
}

} // namespace sinew
