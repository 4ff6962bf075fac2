#include "import/iqm/document.h"

#include "core/text.h"
#include "import/load_value.h"

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace sinew {
namespace {

// Numbers of the header, in their order behind the magic word.
enum Field : std::size_t {
  kVersion,
  kFileSize,
  kFlags,
  kTextBytes,
  kTextAt,
  kMeshes,
  kMeshesAt,
  kArrays,
  kVertices,
  kArraysAt,
  kTriangles,
  kTrianglesAt,
  kAdjacencyAt,
  kJoints,
  kJointsAt,
  kPoses,
  kPosesAt,
  kAnimations,
  kAnimationsAt,
  kFrames,
  kFrameChannels,
  kFramesAt,
  kBoundsAt,
  kCommentBytes,
  kCommentAt,
  kExtensions,
  kExtensionsAt,
  kFieldCount
};

constexpr std::size_t kIqmHeaderBytes = 16 + 4 * kFieldCount;
constexpr std::uint32_t kLoop = 1;

// byte, ubyte, short, ushort, int, uint, half, float, double
constexpr std::array<std::size_t, 9> kFormatBytes = {1, 1, 2, 2, 4, 4, 2, 4, 8};
constexpr std::array<float, 6> kLargest = {127.0f,   255.0f,        32767.0f,
                                           65535.0f, 2147483647.0f, 4294967295.0f};

float readNumber(std::uint32_t format, const char* at) {
  switch (format) {
  case 0:
    return loadValue<std::int8_t>(at);
  case 1:
    return loadValue<std::uint8_t>(at);
  case 2:
    return loadValue<std::int16_t>(at);
  case 3:
    return loadValue<std::uint16_t>(at);
  case 4:
    return static_cast<float>(loadValue<std::int32_t>(at));
  case 5:
    return static_cast<float>(loadValue<std::uint32_t>(at));
  case 6:
    return glm::unpackHalf1x16(loadValue<std::uint16_t>(at));
  case 7:
    return loadValue<float>(at);
  default:
    return static_cast<float>(loadValue<double>(at));
  }
}

// Translation, rotation (x, y, z, w), scale.
Transform toTransform(const float* v) {
  Transform out;
  out.translation = {v[0], v[1], v[2]};
  const quat q(v[6], v[3], v[4], v[5]);
  const float length = glm::length(q);
  out.rotation = length > 1e-6f && std::isfinite(length) ? q / length : quat(1, 0, 0, 0);
  out.scale = {v[7], v[8], v[9]};
  return out;
}

} // namespace

template <class T>
T IqmDocument::numberAt(std::size_t at) const {
  return loadValue<T>(bytes_.data() + at);
}

IqmDocument::IqmDocument(std::string bytes) : bytes_(std::move(bytes)) {
  if (bytes_.size() < kIqmHeaderBytes) throw IqmError("it ends within its header");
  if (const std::uint32_t version = countAt(kVersion); version != 2)
    throw IqmError(fmt::format("it is of version {}, and version 2 is read", version));
  if (countAt(kFileSize) > bytes_.size())
    throw IqmError(fmt::format("it is cut short: it says it has {} bytes, but there are only {}",
                               countAt(kFileSize), bytes_.size()));
  vertices_ = countAt(kVertices);
  triangles_ = countAt(kTriangles);
  frames_ = countAt(kFrames);
  channels_ = countAt(kFrameChannels);
  extensions_ = countAt(kExtensions);
  list(kTextAt, countAt(kTextBytes), 1, "bytes of names");
  trianglesAt_ = list(kTrianglesAt, triangles_, 12, "triangles");
  framesAt_ = list(kFramesAt, frames_, 2 * std::size_t{channels_}, "frames");
  readMeshes();
  readArrays();
  readJoints();
  readPoses();
  readAnimations();
}

std::size_t IqmDocument::list(std::size_t field, std::uint32_t count, std::size_t bytesEach,
                              const char* what) const {
  const std::size_t at = countAt(field);
  if (count == 0) return 0;
  if (at > bytes_.size() || (bytesEach > 0 && count > (bytes_.size() - at) / bytesEach))
    throw IqmError(fmt::format("it declares {} {}, more than its {} bytes can hold", count, what,
                               bytes_.size()));
  return at;
}

std::string IqmDocument::textAt(std::uint32_t offset) const {
  if (offset >= countAt(kTextBytes)) return {};
  const std::string_view all =
      std::string_view(bytes_).substr(countAt(kTextAt), countAt(kTextBytes));
  return validUtf8(all.substr(offset, all.substr(offset).find('\0')));
}

void IqmDocument::readMeshes() {
  const std::uint32_t count = countAt(kMeshes);
  std::size_t at = list(kMeshesAt, count, 24, "meshes");
  for (std::uint32_t i = 0; i < count; ++i, at += 24) {
    const auto number = [&](std::size_t k) { return numberAt<std::uint32_t>(at + 4 * k); };
    IqmMesh mesh{textAt(number(0)), textAt(number(1)), number(2), number(3), number(4), number(5)};
    if (mesh.firstVertex > vertices_ || mesh.vertices > vertices_ - mesh.firstVertex ||
        mesh.firstTriangle > triangles_ || mesh.triangles > triangles_ - mesh.firstTriangle)
      throw IqmError(
          fmt::format("the mesh '{}' has vertices or triangles that do not exist", mesh.name));
    meshes_.push_back(std::move(mesh));
  }
}

void IqmDocument::readArrays() {
  const std::uint32_t count = countAt(kArrays);
  std::size_t at = list(kArraysAt, count, 20, "vertex arrays");
  for (std::uint32_t i = 0; i < count; ++i, at += 20) {
    const auto number = [&](std::size_t k) { return numberAt<std::uint32_t>(at + 4 * k); };
    const ArrayPlace place{number(0), number(2), number(3), number(4)};
    if (place.kind > static_cast<std::uint32_t>(IqmArray::color)) {
      ++otherArrays_;
      continue;
    }
    hasTangents_ = hasTangents_ || place.kind == static_cast<std::uint32_t>(IqmArray::tangent);
    if (place.format >= kFormatBytes.size() || place.size == 0 || place.size > 16)
      throw IqmError(
          fmt::format("a vertex array has {} components of format {}", place.size, place.format));
    const std::size_t bytesEach = kFormatBytes[place.format] * place.size;
    if (place.at > bytes_.size() ||
        (bytesEach > 0 && vertices_ > (bytes_.size() - place.at) / bytesEach))
      throw IqmError(fmt::format("it declares {} vertices, more than its {} bytes can hold",
                                 vertices_, bytes_.size()));
    arrays_.push_back(place);
  }
}

void IqmDocument::readJoints() {
  const std::uint32_t count = countAt(kJoints);
  std::size_t at = list(kJointsAt, count, 48, "joints");
  for (std::uint32_t i = 0; i < count; ++i, at += 48) {
    IqmJoint joint;
    joint.name = textAt(numberAt<std::uint32_t>(at));
    joint.parent = numberAt<std::int32_t>(at + 4);
    if (joint.parent >= static_cast<std::int32_t>(i))
      throw IqmError(fmt::format("the joint '{}' stands before its parent", joint.name));
    float values[10];
    std::memcpy(values, bytes_.data() + at + 8, sizeof values);
    joint.rest = toTransform(values);
    joints_.push_back(std::move(joint));
  }
}

void IqmDocument::readPoses() {
  const std::uint32_t count = countAt(kPoses);
  std::size_t at = list(kPosesAt, count, 88, "poses");
  std::uint32_t channels = 0;
  for (std::uint32_t i = 0; i < count; ++i, at += 88) {
    IqmPose pose;
    pose.parent = numberAt<std::int32_t>(at);
    if (pose.parent >= static_cast<std::int32_t>(i))
      throw IqmError(fmt::format("pose {} stands before its parent", i));
    pose.mask = numberAt<std::uint32_t>(at + 4) & 0x3ff;
    std::memcpy(pose.offset, bytes_.data() + at + 8, sizeof pose.offset);
    std::memcpy(pose.scale, bytes_.data() + at + 48, sizeof pose.scale);
    firstChannel_.push_back(channels);
    channels += static_cast<std::uint32_t>(std::popcount(pose.mask));
    poses_.push_back(pose);
  }
  if (count > 0 && channels != channels_)
    throw IqmError(fmt::format("its poses have {} channels, its frames {}", channels, channels_));
}

void IqmDocument::readAnimations() {
  const std::uint32_t count = countAt(kAnimations);
  std::size_t at = list(kAnimationsAt, count, 20, "animations");
  for (std::uint32_t i = 0; i < count; ++i, at += 20) {
    IqmAnimation animation;
    animation.name = textAt(numberAt<std::uint32_t>(at));
    animation.firstFrame = numberAt<std::uint32_t>(at + 4);
    animation.frames = numberAt<std::uint32_t>(at + 8);
    animation.framesPerSecond = numberAt<float>(at + 12);
    animation.loops = (numberAt<std::uint32_t>(at + 16) & kLoop) != 0;
    if (animation.firstFrame > frames_ || animation.frames > frames_ - animation.firstFrame)
      throw IqmError(
          fmt::format("the animation '{}' has frames that do not exist", animation.name));
    animations_.push_back(std::move(animation));
  }
}

std::uint32_t IqmDocument::corner(std::uint32_t triangle, std::uint32_t corner) const {
  return numberAt<std::uint32_t>(trianglesAt_ + 12 * std::size_t{triangle} +
                                 std::size_t{4} * corner);
}

std::vector<float> IqmDocument::array(IqmArray which, std::uint32_t components,
                                      bool normalised) const {
  std::vector<float> out;
  for (const ArrayPlace& place : arrays_) {
    if (place.kind != static_cast<std::uint32_t>(which)) continue;
    const std::size_t bytes = kFormatBytes[place.format];
    const float factor =
        normalised && place.format < kLargest.size() ? 1.0f / kLargest[place.format] : 1.0f;
    out.reserve(std::size_t{vertices_} * components);
    for (std::size_t v = 0; v < vertices_; ++v)
      for (std::uint32_t c = 0; c < components; ++c)
        out.push_back(c < place.size
                          ? factor * readNumber(place.format, bytes_.data() + place.at +
                                                                  bytes * (v * place.size + c))
                      : c == 3 ? 1.0f
                               : 0.0f);
    return out;
  }
  return out;
}

Transform IqmDocument::readPoseTransform(std::uint32_t pose, std::uint32_t frame) const {
  const IqmPose& p = poses_[pose];
  float values[10];
  std::size_t at = framesAt_ + 2 * (std::size_t{frame} * channels_ + firstChannel_[pose]);
  for (std::size_t i = 0; i < 10; ++i) {
    values[i] = p.offset[i];
    if ((p.mask >> i & 1u) == 0) continue;
    values[i] += static_cast<float>(numberAt<std::uint16_t>(at)) * p.scale[i];
    at += 2;
  }
  return toTransform(values);
}

} // namespace sinew
