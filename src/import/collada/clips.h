// The animations of a Collada file as clips.
#pragma once

#include "import/collada/controllers.h"

namespace sinew {

// One clip for each <animation_clip>, and one for animations that none of these plays. Components
// of transforms (a translation's X, a rotation's angle) move as their curves do, within 1e-6; keys
// of whole matrices become those of translation, rotation and scale, linear between them. size: of
// the model.
void readColladaClips(ColladaDocument& document, const ColladaNodes& nodes,
                      const ColladaControllers& controllers, float size, RepairLog& repairs,
                      UnusedCounts& unused, Model& model);

} // namespace sinew
