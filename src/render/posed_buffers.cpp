#include "render/posed_buffers.h"

#include "core/error.h"

#include <algorithm>

namespace sinew {
namespace {

// Attributes begin at addresses that vector instructions can write past the caches.
constexpr std::size_t kLine = 64;

std::size_t lines(std::size_t bytes) {
  return (bytes + kLine - 1) / kLine * kLine;
}

template <class T>
std::span<T> spanAt(std::byte* bytes, std::size_t at, std::size_t count) {
  return {reinterpret_cast<T*>(bytes + at), count};
}

} // namespace

// Returns the bytes of a buffer.
std::size_t PosedBuffers::layOut(std::size_t vertices, bool tangents) {
  normalsAt_ = lines(vertices * sizeof(vec3));
  tangentsAt_ = 2 * normalsAt_;
  return std::max(tangentsAt_ + (tangents ? vertices * sizeof(vec4) : 0), kLine);
}

void PosedBuffers::reserve(std::size_t vertices, bool tangents) {
  const std::size_t size = layOut(vertices, tangents);
  Buffer& buffer = buffers_[shown_].buffer;
  if (buffer.size() != size) buffer = Buffer(size, GL_STREAM_COPY);
}

PosedArrays PosedBuffers::map(std::size_t vertices, bool tangents) {
  const std::size_t size = layOut(vertices, tangents);
  // The draws since the last call read the buffer of that call.
  if (buffers_[shown_].buffer) buffers_[shown_].read = Fence::here();
  shown_ = (shown_ + 1) % buffers_.size();
  Slot& slot = buffers_[shown_];
  if (slot.buffer.size() != size)
    slot.buffer = Buffer(size, GL_STREAM_DRAW);
  else
    slot.read.wait();
  std::byte* bytes = mapForWriting(slot.buffer);
  if (bytes == nullptr)
    throw graphicsError("the driver maps no buffer", "use --skin-on vertex-shader");
  return {.positions = spanAt<vec3>(bytes, 0, vertices),
          .normals = spanAt<vec3>(bytes, normalsAt_, vertices),
          .tangents = spanAt<vec4>(bytes, tangentsAt_, tangents ? vertices : 0),
          .streaming = true};
}

void PosedBuffers::unmap() {
  if (!unmapWritten(buffers_[shown_].buffer))
    throw graphicsError("the driver has lost a mapped buffer", "use --skin-on vertex-shader");
}

} // namespace sinew
