// Which way is up in a file that does not say.
#pragma once

#include "import/source_kind.h"
#include "model/model.h"

#include <cstdint>

namespace sinew {

enum class UpAxis : std::uint8_t { automatic, y, z };

// Whether the skeleton stands along Z: heads and necks lie over feet and toes (by the names of the
// joints) in that direction, in the bind pose of a skin or, without one, in the middle of most
// clips, or at rest. Where names do not say, whether its skin stands on the floor of Z, from 0 up,
// and not on that of Y, about whose 0 it lies.
bool standsAlongZ(const Model& model);

// Turns a model whose Z points up to Y up. automatic: where its format states no axes and
// standsAlongZ(), and says so in the warnings; z: always; y: never.
void rotateUpright(SourceKind kind, UpAxis up, Model& model);

} // namespace sinew
