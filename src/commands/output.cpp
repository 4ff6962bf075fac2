#include "commands/output.h"

#include "core/error.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sinew {

std::string toString(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw usageError("standard output cannot be written");
}

} // namespace sinew
