// An Inter-Quake Model file, version 2, as its lists: Lee Salzman, "Inter-Quake Model Format",
// iqm.txt of the IQM development kit.
#pragma once

#include "core/transform.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// What is wrong in a file, without its path.
class IqmError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct IqmMesh {
  std::string name, material;
  std::uint32_t firstVertex = 0, vertices = 0;
  std::uint32_t firstTriangle = 0, triangles = 0;
};

struct IqmJoint {
  std::string name;
  std::int32_t parent = -1; // index of an earlier joint; -1: none
  Transform rest;
};

// Where a joint is in each frame: up to ten numbers; those in the mask change.
struct IqmPose {
  std::int32_t parent = -1;
  std::uint32_t mask = 0;
  float offset[10] = {};
  float scale[10] = {};
};

struct IqmAnimation {
  std::string name;
  std::uint32_t firstFrame = 0, frames = 0;
  float framesPerSecond = 0.0f;
  bool loops = false;
};

enum class IqmArray : std::uint8_t { position, texcoord, normal, tangent, joints, weights, color };

class IqmDocument {
 public:
  // bytes: the whole file. Every list lies within it. Throws IqmError.
  explicit IqmDocument(std::string bytes);

  std::uint32_t vertexCount() const { return vertices_; }
  const std::vector<IqmMesh>& meshes() const { return meshes_; }
  const std::vector<IqmJoint>& joints() const { return joints_; }
  const std::vector<IqmPose>& poses() const { return poses_; }
  const std::vector<IqmAnimation>& animations() const { return animations_; }
  std::uint32_t triangleCount() const { return triangles_; }
  std::uint32_t frameCount() const { return frames_; }
  std::uint64_t fileBytes() const { return bytes_.size(); }

  // Vertices of a triangle, in the file's order.
  std::uint32_t corner(std::uint32_t triangle, std::uint32_t corner) const;
  // The numbers of a vertex array, `components` of each vertex; integers as fractions of their
  // largest value where `normalised`. Empty where the file has none.
  std::vector<float> array(IqmArray which, std::uint32_t components, bool normalised) const;
  // The transform of a pose in a frame.
  Transform readPoseTransform(std::uint32_t pose, std::uint32_t frame) const;

  // Lists that the reader has no use for.
  std::uint32_t otherArrays() const { return otherArrays_; }
  bool hasTangents() const { return hasTangents_; }
  std::uint32_t extensions() const { return extensions_; }

 private:
  struct ArrayPlace {
    std::uint32_t kind = 0, format = 0, size = 0, at = 0;
  };

  template <class T>
  T numberAt(std::size_t at) const;
  // The place of a list of the header; checks that it lies within the file.
  std::size_t list(std::size_t field, std::uint32_t count, std::size_t bytesEach,
                   const char* what) const;
  std::uint32_t countAt(std::size_t field) const { return numberAt<std::uint32_t>(16 + 4 * field); }
  std::string textAt(std::uint32_t offset) const;
  void readMeshes();
  void readArrays();
  void readJoints();
  void readPoses();
  void readAnimations();

  std::string bytes_;
  std::uint32_t vertices_ = 0, triangles_ = 0, frames_ = 0, channels_ = 0;
  std::size_t trianglesAt_ = 0, framesAt_ = 0;
  std::vector<IqmMesh> meshes_;
  std::vector<IqmJoint> joints_;
  std::vector<IqmPose> poses_;
  std::vector<std::uint32_t> firstChannel_; // per pose, among a frame's channels
  std::vector<IqmAnimation> animations_;
  std::vector<ArrayPlace> arrays_;
  std::uint32_t otherArrays_ = 0, extensions_ = 0;
  bool hasTangents_ = false;
};

} // namespace sinew
