// What a bake gives, as a method that is shown beside its target in any pose: linear blending with
// the new weights, and with helpers and the weights of corrective shapes fitted to that pose as
// they are to the frames of clips.
#pragma once

#include "bake/bake_run.h"
#include "skinning/method.h"

#include <memory>

namespace sinew {

// A bake and the rig of its model.
struct BakedSkin {
  std::shared_ptr<const BakeOutcome> outcome;
  Rig rig;
};

BakedSkin bakedSkin(std::shared_ptr<const BakeOutcome> outcome);

// Named "baked"; not one of methods(). The baked model stands in for the one that was baked: it
// binds `*skin` as that is at the time, and throws usageError for another rig.
Method bakedMethod(const std::shared_ptr<const BakedSkin>& skin);

} // namespace sinew
