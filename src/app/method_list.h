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

struct Settings;

struct MethodChoice {
  const Method* method = nullptr; // entry of the table of methods
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

// What the settings ask of a method when it is bound. A parameter that the method does not have is
// ignored, so that one --set serves a comparison.
BindOptions makeBindOptions(const Settings& settings, const Method& method);

// The same for a choice of the settings' methods: its own parameters win.
BindOptions makeBindOptions(const Settings& settings, const MethodChoice& choice);

// The choice's parameters, and those of the settings that it does not name.
ParameterSettings allParameters(const Settings& settings, const MethodChoice& choice);

// A parameter of the settings that none of these methods has would do nothing: throws usageError
// that names it, behind `before`.
void checkParametersUsed(const Settings& settings, std::span<const MethodChoice> methods,
                         std::string_view before = {});

// The method of a command that shows one. Throws usageError where the settings name several.
const MethodChoice& onlyMethod(const Settings& settings);

} // namespace sinew
