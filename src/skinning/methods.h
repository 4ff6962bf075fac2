// The table of skinning methods.
#pragma once

#include "skinning/method.h"

#include <string>

namespace sinew {

std::span<const Method> methods();

// By name; '_' and '-' are the same. Throws usageError that lists the names.
const Method& findMethod(std::string_view name);

// The bind pose drawn as it is, ignoring the skeleton: what every cost is measured against. Not in
// the table, for it is no skinning method.
const Method& staticMethod();

} // namespace sinew
