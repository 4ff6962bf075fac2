// Methods as people choose them: "lbs,arc-spline:attachments=1:normals=exact" is parsed once, where
// it is typed or read. One entry is a method's name and, behind colons, parameters of its own,
// which win over those of --set.
#pragma once

#include "app/method_parameters.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct MethodChoice {
  const Method* method = nullptr; // of the table
  ParameterSettings parameters = {};
  bool operator==(const MethodChoice&) const = default;
};

// One or more; "all" stands for every method. Throws usageError for anything else: an unknown
// method, a parameter that no method has, a value out of its range.
std::vector<MethodChoice> parseMethods(std::string_view text);
std::string methodsText(std::span<const MethodChoice> choices);
std::string methodText(const MethodChoice& choice);

// "Arc-splines", and the parameters of its own that the method has: "Arc-splines, attachments=1".
std::string makeTitle(const MethodChoice& choice);

// The key that chooses the method with this number in the table, from 1, in the window; empty
// beyond the tenth.
std::string methodKey(std::size_t number);

} // namespace sinew
