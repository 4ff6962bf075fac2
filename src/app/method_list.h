// Several methods in one setting: "lbs,arc-spline:attachments=1:normals=exact". One entry is a
// method's name and, behind colons, parameters of its own, which win over those of --set.
#pragma once

#include "app/settings.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// As many as can be told apart beside one another.
inline constexpr std::size_t kMostViews = 6;

struct MethodChoice {
  std::string method;     // as in the table of methods
  std::string parameters; // "NAME=VALUE,...", as Settings::parameters
  bool operator==(const MethodChoice&) const = default;
};

// One to `most` of them; "all" stands for every method. Throws usageError for anything else:
// an unknown method, a parameter no method has, a value out of its range.
std::vector<MethodChoice> methodChoices(const std::string& text, std::size_t most = kMostViews);
std::string methodListOf(std::span<const MethodChoice> choices);

// For what shows one method. Throws usageError where the settings name several.
MethodChoice onlyMethod(const Settings& settings);

// "Arc-splines", and the parameters of its own that the method has: "Arc-splines, attachments=1".
std::string titleOf(const MethodChoice& choice);

} // namespace sinew
