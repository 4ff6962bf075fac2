#include "import/printable_names.h"

#include "core/text.h"
#include "import/append_node.h"
#include "import/clip_repairs.h"

#include <utility>

namespace sinew {
namespace {

// Whether the name had to change.
bool makePrintable(std::string& name) {
  std::string clean = printable(name);
  if (clean == name) return false;
  name = std::move(clean);
  return true;
}

template <class Named>
bool makePrintable(std::vector<Named>& all) {
  bool changed = false;
  for (Named& each : all)
    changed = makePrintable(each.name) || changed;
  return changed;
}

} // namespace

void makeNamesPrintable(Model& model) {
  if (makePrintable(model.hierarchy.nodes)) makeNamesUnique(model.hierarchy);
  if (makePrintable(model.clips)) nameClips(model.clips);
  makePrintable(model.splines);
  makePrintable(model.morphTargets);
  makePrintable(model.meshes);
  makePrintable(model.materials);
  for (Texture& texture : model.textures)
    makePrintable(texture.path);
  for (std::string& line : model.repairs)
    makePrintable(line);
  for (std::string& line : model.warnings)
    makePrintable(line);
}

} // namespace sinew
