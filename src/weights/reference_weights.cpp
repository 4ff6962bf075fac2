#include "weights/reference_weights.h"

#include "core/error.h"
#include "core/file.h"
#include "core/json_text.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIndex = 10'000'000; // vertices and bones: each vertex takes memory

void normaliseReference(std::vector<Influence>& vertex) {
  std::erase_if(vertex, [](const Influence& i) { return !(i.weight > 0.0f); });
  double sum = 0.0;
  for (const Influence& i : vertex)
    sum += static_cast<double>(i.weight);
  std::sort(vertex.begin(), vertex.end(),
            [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  for (Influence& i : vertex)
    i.weight = static_cast<float>(static_cast<double>(i.weight) / sum);
}

void appendAll(std::vector<std::vector<Influence>>& vertices, Influences& out) {
  for (std::vector<Influence>& vertex : vertices) {
    normaliseReference(vertex);
    out.append(vertex);
  }
}

ReferenceWeights readLines(const fs::path& path) {
  ReferenceWeights out;
  std::vector<std::vector<Influence>> vertices;
  std::istringstream file(readFile(path.string()));
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::istringstream words(line);
    std::size_t vertex = 0;
    if (!(words >> vertex)) continue; // a blank line, or a comment
    std::uint32_t bone = 0;
    char colon = 0;
    float weight = 0.0f;
    std::vector<Influence> read;
    while (words >> bone >> colon >> weight)
      read.push_back({bone, weight});
    const auto isFar = [](const Influence& i) { return i.joint >= kMaxIndex; };
    if (!words.eof() || read.empty() || vertex >= kMaxIndex ||
        std::any_of(read.begin(), read.end(), isFar))
      throw inputError(fmt::format("{}:{}", path.string(), number),
                       "is not 'vertex bone:weight ...'");
    for (const Influence& i : read)
      out.columns = std::max(out.columns, std::size_t{i.joint} + 1);
    vertices.resize(std::max(vertices.size(), vertex + 1));
    vertices[vertex] = std::move(read);
  }
  appendAll(vertices, out.influences);
  return out;
}

ReferenceWeights readDmat(const fs::path& path) {
  const std::string text = readFile(path.string());
  std::istringstream file(text);
  std::size_t count = 0;
  ReferenceWeights out;
  if (!(file >> out.columns >> count) || out.columns == 0 || count == 0)
    throw inputError(path.string(), "does not begin with the numbers of bones and vertices");
  if (count > text.size() / out.columns) // each weight takes a character at least
    throw inputError(
        path.string(),
        fmt::format("is too short for the weights of {} bones at {} vertices", out.columns, count));
  std::vector<std::vector<Influence>> vertices(count);
  for (std::uint32_t bone = 0; bone < out.columns; ++bone)
    for (std::vector<Influence>& vertex : vertices) {
      float weight = 0.0f;
      if (!(file >> weight))
        throw inputError(path.string(), fmt::format("ends among the weights of bone {}", bone));
      if (weight > 0.0f) vertex.push_back({bone, weight});
    }
  appendAll(vertices, out.influences);
  return out;
}

ReferenceWeights readJson(const fs::path& path) {
  using Json = nlohmann::ordered_json;
  const Json file = parseJson(readFile(path), path.string());
  const auto wrong = [&](const std::string& what) {
    return inputError(path.string(), "is not a weights file: " + what,
                      R"(give {"joints": [NAME, ...], "weights": [[[joint, weight], ...], ...]})");
  };
  const auto readList = [&](const char* key) {
    const auto found = file.is_object() ? file.find(key) : file.end();
    if (found == file.end() || !found->is_array())
      throw wrong(fmt::format("it has no list '{}'", key));
    return *found;
  };
  ReferenceWeights out;
  for (const Json& name : readList("joints")) {
    if (!name.is_string()) throw wrong(fmt::format("the joint {} is no name", shown(name)));
    out.names.push_back(name.get<std::string>());
  }
  out.columns = out.names.size();
  const auto isPair = [&](const Json& pair) {
    return pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
           pair[0].get<std::uint64_t>() < out.columns && pair[1].is_number() &&
           std::isfinite(pair[1].get<float>());
  };
  for (const Json& written : readList("weights")) {
    std::vector<Influence> vertex;
    if (!written.is_array() || !std::all_of(written.begin(), written.end(), isPair))
      throw wrong(fmt::format("the weights of vertex {} are {}", out.influences.vertexCount(),
                              shown(written)));
    for (const Json& pair : written)
      vertex.push_back({pair[0].get<std::uint32_t>(), pair[1].get<float>()});
    normaliseReference(vertex);
    out.influences.append(vertex);
  }
  return out;
}

} // namespace

ReferenceWeights readReferenceWeights(const fs::path& path) {
  if (getExtension(path) == ".dmat") return readDmat(path);
  if (getExtension(path) == ".json") return readJson(path);
  return readLines(path);
}

std::vector<vec3> readObjVertices(const fs::path& path) {
  std::vector<vec3> out;
  std::istringstream file(readFile(path.string()));
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("v ")) continue;
    std::istringstream words(line.substr(2));
    vec3 p(0.0f);
    words >> p.x >> p.y >> p.z;
    out.push_back(p);
  }
  return out;
}

std::vector<std::uint32_t> verticesAt(const std::vector<vec3>& positions,
                                      const std::vector<vec3>& fileVertices,
                                      const std::filesystem::path& path) {
  std::vector<std::uint32_t> order(fileVertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return fileVertices[a].x < fileVertices[b].x;
  });
  const float near = 1e-6f * computeBounds(fileVertices).size();
  std::vector<std::uint32_t> out;
  for (const vec3& p : positions) {
    auto at = std::lower_bound(order.begin(), order.end(), p.x - near,
                               [&](std::uint32_t v, float x) { return fileVertices[v].x < x; });
    while (at != order.end() && fileVertices[*at].x <= p.x + near &&
           !(glm::length(fileVertices[*at] - p) <= near))
      ++at;
    if (at == order.end() || !(glm::length(fileVertices[*at] - p) <= near))
      throw inputError(path.string(), "has no vertex where the mesh has one",
                       "give the weights of the same mesh");
    out.push_back(*at);
  }
  return out;
}

} // namespace sinew
