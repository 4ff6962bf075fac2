#include "app/sidecar.h"

#include "app/load_model.h"
#include "core/file.h"

#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

fs::path sidecarPath(const std::string& model, std::string_view ending) {
  const std::string demo = demoName(model);
  return fs::path(demo.empty() ? model : demo).concat(ending);
}

std::string findSidecar(const std::string& model, std::string_view ending) {
  if (!demoName(model).empty()) return {};
  for (const fs::path& path :
       {sidecarPath(model, ending), fs::path(model).replace_extension().concat(ending)}) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return {};
}

std::uint64_t sidecarLimit(const Model& model) {
  constexpr std::uint64_t kKilobyte = 1024;
  return kKilobyte * (4096 + vertexCount(model) + 16 * model.hierarchy.nodes.size() +
                      model.morphTargets.size() + model.clips.size());
}

std::string readAbout(const Model& model, const fs::path& path) {
  return readFile(path, sidecarLimit(model));
}

} // namespace sinew
