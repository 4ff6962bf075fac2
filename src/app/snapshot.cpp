#include "app/snapshot.h"

#include "animation/clip_keys.h"
#include "core/error.h"
#include "core/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "PLY is written as memory holds it");

template <class T>
void appendBytes(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A pose of huge scales within huge scales is of numbers that are finite, and its mesh is not.
void checkFinite(const SkinnedMesh& posed) {
  if (!allFiniteIn<vec3>(posed.positions) || !allFiniteIn<vec3>(posed.normals))
    throw Error(ErrorCause::input, "the posed mesh has positions or normals that are not finite: "
                                   "it is not written; choose another clip, time or pose");
}

} // namespace

std::string toPly(const Rig& rig, const SkinnedMesh& posed) {
  checkFinite(posed);
  std::string out = fmt::format("ply\nformat binary_little_endian 1.0\ncomment sinew\n"
                                "element vertex {}\n"
                                "property float x\nproperty float y\nproperty float z\n"
                                "property float nx\nproperty float ny\nproperty float nz\n"
                                "property float s\nproperty float t\n"
                                "element face {}\nproperty list uchar int vertex_indices\n"
                                "end_header\n",
                                posed.positions.size(), rig.triangles.size());
  for (std::size_t v = 0; v < posed.positions.size(); ++v) {
    appendBytes(out, posed.positions[v]);
    appendBytes(out, posed.normals[v]);
    appendBytes(out, rig.texcoords[v]);
  }
  for (const Triangle& triangle : rig.triangles) {
    appendBytes(out, std::uint8_t{3});
    appendBytes(out, triangle);
  }
  return out;
}

std::string toObj(const Model& model, const Rig& rig, const SkinnedMesh& posed) {
  checkFinite(posed);
  std::string out = "# sinew\n";
  auto at = std::back_inserter(out);
  for (const vec3& p : posed.positions)
    fmt::format_to(at, "v {:.9g} {:.9g} {:.9g}\n", p.x, p.y, p.z);
  // OBJ's texture origin is the lower left.
  for (const vec2& t : rig.texcoords)
    fmt::format_to(at, "vt {:.9g} {:.9g}\n", t.x, 1.0f - t.y);
  for (const vec3& n : posed.normals)
    fmt::format_to(at, "vn {:.9g} {:.9g} {:.9g}\n", n.x, n.y, n.z);
  for (std::size_t m = 0; m < rig.meshes.size(); ++m) {
    const RigMesh& mesh = rig.meshes[m];
    std::string name = model.meshes[m].name;
    for (char& c : name)
      if (static_cast<unsigned char>(c) <= ' ') c = '_';
    fmt::format_to(at, "o {}\n", name.empty() ? fmt::format("mesh{}", m) : name);
    for (std::uint32_t i = 0; i < mesh.triangleCount; ++i) {
      const auto [a, b, c] = rig.triangles[mesh.firstTriangle + i];
      fmt::format_to(at, "f {0}/{0}/{0} {1}/{1}/{1} {2}/{2}/{2}\n", a + 1, b + 1, c + 1);
    }
  }
  return out;
}

Clip layersClip(const Workbench& workbench, std::string name, Wrap wrap) {
  constexpr float kFramesPerSecond = 30.0f;
  const float seconds = playSeconds(workbench, wrap);
  if (!(seconds > 0.0f))
    throw usageError("the layers have no end: they cannot become a clip",
                     "give them \"seconds\", or play a clip below them");
  const double start = static_cast<double>(playedRange(workbench, wrap).begin);
  const auto frames = static_cast<int>(std::lround(seconds * kFramesPerSecond));
  PoseMemory memory;
  std::vector<Pose> poses(static_cast<std::size_t>(std::max(frames, 1)) + 1);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    // The last frame is where a loop has come round: just before it starts again.
    const bool last = i + 1 == poses.size();
    const double time = static_cast<double>(i) / static_cast<double>(kFramesPerSecond);
    poseAt(workbench, workbench.clip, start + (last ? static_cast<double>(seconds) - 1e-5 : time),
           wrap, memory, poses[i]);
  }
  return recordClip(workbench.model, std::move(name), poses, kFramesPerSecond);
}

} // namespace sinew
