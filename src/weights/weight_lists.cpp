#include "weights/weight_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace sinew {
namespace {

constexpr float kSumTolerance = 0.01f; // for rounded numbers

Error makeVertexError(const JsonValue& vertex, const std::string& what) {
  return inputError(vertex.path(), fmt::format("{}: {}", vertex.name(), what));
}

Influence readPair(const JsonValue& vertex, const Json& pair,
                   const std::vector<std::uint32_t>& numbers) {
  if (!pair.is_array() || pair.size() != 2)
    throw makeVertexError(vertex, shown(pair) + " is not [number, weight]");
  if (!pair[0].is_number_unsigned() || pair[0].get<std::uint64_t>() >= numbers.size())
    throw makeVertexError(
        vertex, fmt::format("{} is none of the {} names", shown(pair[0]), numbers.size()));
  const float weight = pair[1].is_number() ? pair[1].get<float>() : NAN;
  if (!(weight >= 0.0f && weight <= 1.0f + kSumTolerance))
    throw makeVertexError(vertex, fmt::format("weight {} is not from 0 to 1", shown(pair[1])));
  return {numbers[pair[0].get<std::size_t>()], weight};
}

std::vector<Influence> readVertex(const JsonValue& vertex,
                                  const std::vector<std::uint32_t>& numbers, bool partial) {
  if (!vertex.json().is_array()) throw vertex.wrong("is not a list");
  std::vector<Influence> out;
  std::set<std::uint32_t> seen;
  double sum = 0.0;
  for (const Json& pair : vertex.json()) {
    out.push_back(readPair(vertex, pair, numbers));
    sum += static_cast<double>(out.back().weight);
    if (!seen.insert(out.back().joint).second)
      throw vertex.wrong(fmt::format("has {} twice", shown(pair[0])));
  }
  if (out.empty()) return out;
  const double apart = partial ? sum - 1.0 : std::abs(sum - 1.0);
  if (apart > static_cast<double>(kSumTolerance))
    throw makeVertexError(vertex, fmt::format("the weights sum to {:.4g}, {} 1", sum,
                                              partial ? "more than" : "not to"));
  if (apart > 1e-6)
    for (Influence& influence : out)
      influence.weight = static_cast<float>(static_cast<double>(influence.weight) / sum);
  std::erase_if(out, [](const Influence& influence) { return influence.weight == 0.0f; });
  std::stable_sort(out.begin(), out.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  return out;
}

} // namespace

void appendWeightLists(std::string& out, const char* namesKey,
                       const std::vector<std::string>& names, const char* weightsKey,
                       const Influences& influences) {
  auto at = std::back_inserter(out);
  fmt::format_to(at, "\"{}\": {}, \"{}\": [", namesKey,
                 Json(names).dump(-1, ' ', false, Json::error_handler_t::replace), weightsKey);
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    out += v == 0 ? "\n[" : ",\n[";
    const char* comma = "";
    for (const Influence& influence : influences.of(v)) {
      fmt::format_to(at, "{}[{}, {}]", comma, influence.joint, influence.weight);
      comma = ", ";
    }
    out += ']';
  }
  out += "\n]";
}

std::vector<std::uint32_t> readNames(const JsonValue& names, std::string_view kind,
                                     const std::map<std::string, std::uint32_t>& known) {
  std::vector<std::uint32_t> out;
  std::set<std::uint32_t> seen;
  for (const JsonValue& each : names.elements("entry", names.name())) {
    if (!each.json().is_string())
      throw each.wrong(fmt::format("is {}, not a name", shown(each.json())));
    const std::string name = each.text();
    const auto found = known.find(name);
    if (found == known.end())
      throw inputError(names.path(), fmt::format("the model has no {} '{}'", kind, name));
    if (!seen.insert(found->second).second)
      throw inputError(names.path(), fmt::format("'{}' is in {} twice", name, names.name()));
    out.push_back(found->second);
  }
  return out;
}

Influences readWeightLists(const JsonValue& lists, const std::vector<std::uint32_t>& numbers,
                           std::size_t vertices, bool partial) {
  const Json& all = lists.json();
  if (!all.is_array()) throw lists.wrong("is not a list");
  if (all.size() != vertices)
    throw inputError(lists.path(),
                     fmt::format("weights of {} vertices; the model has {}", all.size(), vertices));
  Influences out;
  for (std::size_t v = 0; v < vertices; ++v)
    out.append(
        readVertex(JsonValue(all[v], lists.path(), fmt::format("{} of vertex {}", lists.name(), v)),
                   numbers, partial));
  return out;
}

} // namespace sinew
