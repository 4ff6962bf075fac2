// The table of skinning methods.
#pragma once

#include "skinning/method.h"

#include <string>

namespace sinew {

std::span<const Method> methods();

// Adds a method to the end of the table for as long as it lives: for tests, and for programs with a
// method of their own. The last one made ends first. Not safe beside other threads.
class ScopedMethod {
 public:
  explicit ScopedMethod(const Method& method);
  ~ScopedMethod();
  ScopedMethod(const ScopedMethod&) = delete;
  ScopedMethod& operator=(const ScopedMethod&) = delete;
};

// By name; '_' and '-' are the same. Throws usageError that lists the names.
const Method& findMethod(std::string_view name);

// The bind pose drawn as it is, ignoring the skeleton: the base line of every cost. Not in the
// table, as it is no skinning method.
const Method& staticMethod();

} // namespace sinew
