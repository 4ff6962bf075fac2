// The parameters of methods as people write them: "attachments=1,parameter-source=zone".
#pragma once

#include "app/settings.h"
#include "skinning/method.h"

namespace sinew {

// What the settings ask of a method. A parameter the method does not have is left aside if another
// method has it, so that one text serves a comparison. Throws usageError for a name no method has,
// and for a value out of range or not among its choices.
BindOptions bindOptionsOf(const Settings& settings, const Method& method);

// Throws as bindOptionsOf does, whichever the method.
void checkParameters(const std::string& text);

// The settings' text with one parameter changed; a default value takes its entry out.
std::string withParameter(const std::string& text, const Parameter& parameter, float value);

// The value the text gives the parameter, or its default.
float parameterIn(const std::string& text, const Parameter& parameter);

} // namespace sinew
