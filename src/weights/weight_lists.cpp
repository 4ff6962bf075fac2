#include "weights/weight_lists.h"

#include "core/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr float kSumTolerance = 0.01f; // for rounded numbers

Influence readPair(const WeightListReader& reader, const Json& pair,
                   const std::vector<std::uint32_t>& numbers, const std::string& where) {
  if (!pair.is_array() || pair.size() != 2)
    throw reader.wrong(fmt::format("{}: {} is not [number, weight]", where, shown(pair)));
  if (!pair[0].is_number_unsigned() || pair[0].get<std::uint64_t>() >= numbers.size())
    throw reader.wrong(
        fmt::format("{}: {} is none of the {} names", where, shown(pair[0]), numbers.size()));
  const float weight = pair[1].is_number() ? pair[1].get<float>() : NAN;
  if (!(weight >= 0.0f && weight <= 1.0f + kSumTolerance))
    throw reader.wrong(fmt::format("{}: weight {} is not from 0 to 1", where, shown(pair[1])));
  return {numbers[pair[0].get<std::size_t>()], weight};
}

std::vector<Influence> readVertex(const WeightListReader& reader, const Json& list,
                                  const std::vector<std::uint32_t>& numbers,
                                  const std::string& where, bool partial) {
  if (!list.is_array()) throw reader.wrong(fmt::format("{} is not a list", where));
  std::vector<Influence> out;
  std::set<std::uint32_t> seen;
  double sum = 0.0;
  for (const Json& pair : list) {
    out.push_back(readPair(reader, pair, numbers, where));
    sum += static_cast<double>(out.back().weight);
    if (!seen.insert(out.back().joint).second)
      throw reader.wrong(fmt::format("{} has {} twice", where, shown(pair[0])));
  }
  if (out.empty()) return out;
  const double apart = partial ? sum - 1.0 : std::abs(sum - 1.0);
  if (apart > static_cast<double>(kSumTolerance))
    throw reader.wrong(fmt::format("{}: the weights sum to {:.4g}, {} 1", where, sum,
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
  fmt::format_to(
      at, "\"{}\": {}, \"{}\": [", namesKey,
      nlohmann::json(names).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
      weightsKey);
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

Error WeightListReader::wrong(const std::string& what) const {
  return inputError(path, what);
}

std::vector<std::uint32_t>
WeightListReader::numbered(const Json& names, const char* key, const char* kind,
                           const std::map<std::string, std::uint32_t>& known) const {
  if (!names.is_array()) throw wrong(fmt::format("'{}' is not a list of names", key));
  std::vector<std::uint32_t> out;
  std::set<std::uint32_t> seen;
  for (const Json& each : names) {
    if (!each.is_string())
      throw wrong(fmt::format("entry {} of '{}' is {}, not a name", out.size(), key, shown(each)));
    const auto name = each.get<std::string>();
    const auto found = known.find(name);
    if (found == known.end()) throw wrong(fmt::format("the model has no {} '{}'", kind, name));
    if (!seen.insert(found->second).second)
      throw wrong(fmt::format("'{}' is in '{}' twice", name, key));
    out.push_back(found->second);
  }
  return out;
}

Influences WeightListReader::lists(const Json& lists, const char* key,
                                   const std::vector<std::uint32_t>& numbers, std::size_t vertices,
                                   bool partial) const {
  if (!lists.is_array()) throw wrong(fmt::format("'{}' is not a list", key));
  if (lists.size() != vertices)
    throw wrong(fmt::format("weights of {} vertices; the model has {}", lists.size(), vertices));
  Influences out;
  for (std::size_t v = 0; v < lists.size(); ++v)
    out.append(
        readVertex(*this, lists[v], numbers, fmt::format("'{}' of vertex {}", key, v), partial));
  return out;
}

} // namespace sinew
