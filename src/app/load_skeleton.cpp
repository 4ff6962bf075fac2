#include "app/load_skeleton.h"

#include "core/file.h"
#include "weights/skeleton_tgf.h"
#include "weights/templates/skeleton_template.h"

#include <string_view>

namespace sinew {

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

} // namespace sinew
