// The table of skinning methods.
#pragma once

#include "skinning/method.h"

#include <string>

namespace sinew {

std::span<const Method> methods();

// Replaces the table by the caller's list, for tests of a method that is not in it, and returns the
// table before. Not safe beside other threads.
std::span<const Method> replaceMethods(std::span<const Method> list);

// By name; '_' and '-' are the same. Throws usageError that lists the names.
const Method& findMethod(std::string_view name);

// The bind pose drawn as it is, ignoring the skeleton: the base line of every cost. Not in the
// table, as it is no skinning method.
const Method& staticMethod();

} // namespace sinew
