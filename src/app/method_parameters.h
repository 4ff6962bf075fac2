// Parameters of methods, set by name: "attachments=1,parameter-source=zone" is parsed once, where
// it is typed or read.
#pragma once

#include "skinning/method.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A name means the same in every method that has it: the same range and choices.
struct ParameterSetting {
  std::string name; // name of a Parameter of some method
  float value = 0.0f;
  bool operator==(const ParameterSetting&) const = default;
};
using ParameterSettings = std::vector<ParameterSetting>; // each name at most once

// The command line's words before a parameter's name. Messages without them serve every host of the
// library: each has a way of its own to write a parameter.
inline constexpr std::string_view kSetOption = "--set ";

// The first of two values for one name counts. Throws usageError for a name that no method has, and
// for a value out of range or not among its choices. before: stands in messages before the name.
ParameterSettings parseParameters(std::string_view text, std::string_view before = {});
std::string parametersText(const ParameterSettings& settings, char separator = ',');

// Nothing where the settings do not name the parameter.
std::optional<float> findParameter(const ParameterSettings& settings, std::string_view name);

// The settings' value, or the parameter's default.
float parameterIn(const ParameterSettings& settings, const Parameter& parameter);

// The settings with one parameter changed; a value equal to `without`, which it would have without
// an entry, removes the entry.
ParameterSettings withParameter(ParameterSettings settings, const Parameter& parameter, float value,
                                float without);

// "zone", or "2" of a parameter without choices.
std::string parameterWord(const Parameter& parameter, float value);

} // namespace sinew
