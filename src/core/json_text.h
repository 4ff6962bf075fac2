// JSON from outside: text into a document, and a document's values into messages.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace sinew {

// The document. Throws inputError with the place of what is wrong: text that is no JSON, a number
// no double holds, and brackets so deep within brackets that whoever walks them, a call each, might
// not come back.
nlohmann::ordered_json parseJson(std::string_view text, std::string_view path,
                                 std::string_view remedy = {});

// A value for a message: as it is written, or its beginning.
std::string shown(const nlohmann::ordered_json& value);

} // namespace sinew
