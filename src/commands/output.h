// What a command prints on stdout.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sinew {

// JSON as text, indented. Names in files may be in any encoding: bytes that are not UTF-8 become
// replacement characters.
std::string toString(const nlohmann::ordered_json& json);

// Prints text on stdout and makes sure it arrived: a full disk or closed pipe is an error.
void print(const std::string& text);

} // namespace sinew
