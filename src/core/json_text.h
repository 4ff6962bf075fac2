// Untrusted JSON: parses text, and formats values for messages.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace sinew {

// The document. Throws inputError with line and column for invalid JSON, a number that does not fit
// a double, and brackets nested so deeply that recursive functions might overflow the stack.
nlohmann::ordered_json parseJson(std::string_view text, std::string_view path,
                                 std::string_view remedy = {});

// A value for a message: its text, or the beginning of it.
std::string shown(const nlohmann::ordered_json& value);

} // namespace sinew
