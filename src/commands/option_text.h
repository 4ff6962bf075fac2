// Words of an option that --help, the manual and the completions share.
#pragma once

#include "commands/command.h"

#include <string>
#include <vector>

namespace sinew {

// What stands for the value in a synopsis: "WxH", "bash|zsh|fish", "FILE", "NUMBER"; empty for a
// flag.
std::string valueText(const Option& option);

// What the option's field holds: "4", "lbs"; empty where it holds nothing or is not a field.
std::string defaultText(const Option& option);

// The words that a value is chosen from: the option's choices, or the names of methods, figures or
// built-in models ("demo:arm", where a file will do too). Empty: anything.
std::vector<std::string> valueWords(const Option& option);

} // namespace sinew
