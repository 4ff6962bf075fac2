// Objects of an FBX file and the connections between them, while they are made.
#pragma once

#include "export/fbx/record.h"

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <map>
#include <vector>

namespace sinew {

inline constexpr std::int64_t kFbxTicks = 46186158000; // per second
inline constexpr std::int64_t kFbxSceneRoot = 0;       // id of what everything stands below

// Names of the sets of texture coordinates, by which textures are connected to them.
inline constexpr std::array<const char*, 2> kFbxTexcoords{"UVMap", "UVMap2"};

struct FbxNewObject {
  std::int64_t id = 0;
  FbxRecord* record = nullptr;
};

class FbxScene {
 public:
  // kind: the record's name; category: what is put behind the object's name ("Model" of a Model,
  // "SubDeformer" of a Deformer).
  FbxNewObject add(std::string_view kind, std::string_view category, std::string_view name,
                   std::string_view subtype);
  void connect(std::int64_t child, std::int64_t parent);
  void connect(std::int64_t child, std::int64_t parent, std::string_view property);

  // "Definitions", "Objects" and "Connections".
  void write(std::string& file) const;

 private:
  FbxRecord objects_{"Objects"};
  FbxRecord connections_{"Connections"};
  std::map<std::string, std::int32_t, std::less<>> counts_; // number of objects of each kind
  std::int64_t lastId_ = 1'000'000;
};

// As the format has them: column by column, which it calls row by row of row vectors.
std::vector<double> fbxNumbers(const glm::dmat4& m);

// Seconds in the format's ticks.
std::int64_t fbxTime(double seconds);

} // namespace sinew
