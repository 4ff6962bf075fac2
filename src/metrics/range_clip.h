// A clip that shows what a skin does where nothing else moves it.
#pragma once

#include "model/model.h"

namespace sinew {

// Every joint below another one, bent to either side about two axes across its bone; joints at the
// same level of the skeleton together. Without such joints it has no channels.
Clip rangeOfMotionClip(const Model& model);

} // namespace sinew
