// The surroundings of the physically based look: a generated studio, or a picture.
#pragma once

#include "view/view.h"

namespace sinew {

// A grey room with a bright ceiling, a key light, a strip to the other side and a light behind. Its
// irradiance is that of the room and of the soft lights as a panorama would show them.
const Studio& studio();

// Light from a picture alone: it has no key light of its own, and mirrors as a soft light what
// comes from its main direction.
Studio fitStudio(const Irradiance& picture);

} // namespace sinew
