// The control of one option, by the kind of its field.
#pragma once

#include "app/settings.h"

#include <string>

namespace sinew {

void control(const OptionInfo& info, bool& value);
void control(const OptionInfo& info, int& value);
void control(const OptionInfo& info, float& value);
void control(const OptionInfo& info, vec3& value);
void control(const OptionInfo& info, std::string& value); // only with choices; else nothing

// The help of the option under the mouse, and its name on the command line.
void tooltip(const OptionInfo& info);

} // namespace sinew
