// What a function of a Method is stored as. scripts/pose_module compiles the methods with a header
// of its own in the place of this one, for the module of pages packs palettes and does nothing
// else.
#pragma once

#include <functional>

namespace sinew {

template <class Signature>
using MethodFunction = std::function<Signature>;

} // namespace sinew
