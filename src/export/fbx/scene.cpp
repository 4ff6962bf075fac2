#include "export/fbx/scene.h"

#include <cmath>
#include <numeric>
#include <vector>

namespace sinew {

FbxNewObject FbxScene::add(std::string_view kind, std::string_view category, std::string_view name,
                           std::string_view subtype) {
  std::string full(name);
  full += std::string_view("\0\1", 2);
  full += category;
  FbxRecord& record = objects_.add(kind, ++lastId_, full, subtype);
  ++counts_[std::string(kind)];
  return {lastId_, &record};
}

void FbxScene::connect(std::int64_t child, std::int64_t parent) {
  connections_.add("C", "OO", child, parent);
}

void FbxScene::connect(std::int64_t child, std::int64_t parent, std::string_view property) {
  connections_.add("C", "OP", child, parent, property);
}

void FbxScene::write(std::string& file) const {
  FbxRecord definitions("Definitions");
  definitions.add("Version", 100);
  const std::int32_t settings = 1;
  definitions.add("Count",
                  std::accumulate(counts_.begin(), counts_.end(), settings,
                                  [](int sum, const auto& each) { return sum + each.second; }));
  definitions.add("ObjectType", "GlobalSettings").add("Count", settings);
  for (const auto& [kind, count] : counts_)
    definitions.add("ObjectType", kind).add("Count", count);
  definitions.write(file);
  objects_.write(file);
  connections_.write(file);
}

std::vector<double> fbxNumbers(const glm::dmat4& m) {
  std::vector<double> out;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      out.push_back(m[column][row]);
  return out;
}

std::int64_t fbxTime(double seconds) {
  return std::llround(seconds * static_cast<double>(kFbxTicks));
}

} // namespace sinew
