// Buffer objects: vertices, indices, uniform blocks, texels; and fences, to wait for what reads
// them.
#pragma once

#include "gl/handle.h"

#include <cstddef>
#include <span>

namespace sinew {

struct BufferKind {
  static GLuint create();
  static void destroy(GLuint name);
};

class Buffer {
 public:
  Buffer() = default; // empty: no GL object
  // usage: GL_STATIC_DRAW, GL_STREAM_DRAW, ...
  Buffer(std::span<const std::byte> bytes, GLenum usage);
  Buffer(std::size_t size, GLenum usage);

  // Replaces the whole contents; the old storage is orphaned, so a draw still reading it is not
  // waited for. Makes the object if there is none yet.
  void replace(std::span<const std::byte> bytes, GLenum usage = GL_STREAM_DRAW);

  // Writes a part of what is there.
  void update(std::size_t offset, std::span<const std::byte> bytes);

  GLuint name() const { return handle_.name(); }
  std::size_t size() const { return size_; }
  explicit operator bool() const { return static_cast<bool>(handle_); }

 private:
  Handle<BufferKind> handle_;
  std::size_t size_ = 0;
};

// The whole buffer for writing, its contents undefined; null where the driver cannot. Nothing waits
// for draws that read it: the caller does, by a Fence.
std::byte* mapForWriting(const Buffer& buffer);
bool unmapWritten(const Buffer& buffer); // false: what was written is lost

// GL_COPY_READ_BUFFER is used to read: no other binding is disturbed.
void readBuffer(const Buffer& buffer, std::span<std::byte> out);

// A place in the stream of commands, to wait for.
class Fence {
 public:
  Fence() = default; // nothing to wait for
  static Fence here();
  ~Fence();
  Fence(Fence&& other) noexcept;
  Fence& operator=(Fence&& other) noexcept;
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;

  // Returns when the GPU has done all before it.
  void wait();

 private:
  GLsync sync_ = nullptr;
};

} // namespace sinew
