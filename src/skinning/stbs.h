// Stretchable and twistable bones (docs/methods.md; Jacobson and Sorkine 2011: Stretchable and
// Twistable Bones for Skeletal Shape Deformation): each bone twists and stretches evenly along its
// length, and bones are blended linearly.
#pragma once

#include "skinning/method.h"

namespace sinew {

Method stbsMethod();

} // namespace sinew
