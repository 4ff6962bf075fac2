// Settings as no person would choose them, but may: every option anywhere in its range.
#pragma once

#include "app/settings.h"
#include "core/random.h"
#include "model/model.h"

namespace sinew {

// Clip, playback range and heat map are some of the model's, or none. What the model would have to
// be bound again for (methods, their parameters, influences, differences) is that of `bound`, where
// that is given: binding takes much longer than a frame.
Settings randomSettings(const Model& model, Random& random, const Settings* bound = nullptr);

} // namespace sinew
