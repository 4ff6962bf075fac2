// What the settings ask of a method when it is bound.
#pragma once

#include "app/settings.h"

#include <span>

namespace sinew {

// A parameter that the method does not have is ignored, so that one --set serves a comparison.
BindOptions makeBindOptions(const Settings& settings, const Method& method);

// The same for a choice of the settings' methods: its own parameters win.
BindOptions makeBindOptions(const Settings& settings, const MethodChoice& choice);

// The choice's parameters, and those of the settings that it does not name.
ParameterSettings allParameters(const Settings& settings, const MethodChoice& choice);

// A parameter of the settings that none of these methods has would do nothing: throws usageError
// that names it.
void checkParametersUsed(const Settings& settings, std::span<const MethodChoice> methods);

// For what shows one method. Throws usageError where the settings name several.
const MethodChoice& onlyMethod(const Settings& settings);

} // namespace sinew
