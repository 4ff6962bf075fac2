// The parameters of methods as people write them: "attachments=1,parameter-source=zone".
#pragma once

#include "app/method_list.h"
#include "app/settings.h"
#include "skinning/method.h"

namespace sinew {

// What the settings ask of a method. A parameter the method does not have is left aside if another
// method has it, so that one text serves a comparison. Throws usageError for a name no method has,
// and for a value out of range or not among its choices.
BindOptions bindOptionsOf(const Settings& settings, const Method& method);

// The same for an entry of the settings' list of methods: its own parameters win.
BindOptions bindOptionsOf(const Settings& settings, const MethodChoice& choice);

// Throws as bindOptionsOf does, whichever the method.
void checkParameters(const std::string& text);

// The text with one parameter changed; the value it would have without an entry takes the entry
// out.
std::string withParameter(const std::string& text, const Parameter& parameter, float value,
                          float without);

// The value the text gives the parameter, or its default.
float parameterIn(const std::string& text, const Parameter& parameter);

// The word the text gives it; empty where it gives none.
std::string parameterWordIn(const std::string& text, const Parameter& parameter);

// What an entry of the list sets, then what the settings do: of two values the first counts.
std::string allParameters(const Settings& settings, const MethodChoice& choice);

} // namespace sinew
