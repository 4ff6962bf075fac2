#include "weights/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace sinew {

std::string weightsToJson(std::span<const std::string> joints, const Influences& influences) {
  const nlohmann::json names(std::vector<std::string>(joints.begin(), joints.end()));
  std::string out =
      fmt::format("{{\"joints\": {}, \"weights\": [",
                  names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  auto at = std::back_inserter(out);
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    out += v == 0 ? "\n[" : ",\n[";
    const char* comma = "";
    for (const Influence& influence : influences.of(v)) {
      fmt::format_to(at, "{}[{}, {}]", comma, influence.joint, influence.weight);
      comma = ", ";
    }
    out += ']';
  }
  return out + "\n]}\n";
}

} // namespace sinew
