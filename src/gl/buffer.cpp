#include "gl/buffer.h"

#include <cassert>
#include <utility>

namespace sinew {

GLuint BufferKind::create() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return name;
}

void BufferKind::destroy(GLuint name) {
  glDeleteBuffers(1, &name);
}

// GL_COPY_WRITE_BUFFER throughout: it belongs to no vertex array and to no shader.
Buffer::Buffer(std::span<const std::byte> bytes, GLenum usage)
    : handle_(Handle<BufferKind>::make()), size_(bytes.size()) {
  glBindBuffer(GL_COPY_WRITE_BUFFER, name());
  glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(size_), bytes.data(), usage);
}

Buffer::Buffer(std::size_t size, GLenum usage) : handle_(Handle<BufferKind>::make()), size_(size) {
  glBindBuffer(GL_COPY_WRITE_BUFFER, name());
  glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(size_), nullptr, usage);
}

void Buffer::replace(std::span<const std::byte> bytes, GLenum usage) {
  if (!handle_) handle_ = Handle<BufferKind>::make();
  size_ = bytes.size();
  glBindBuffer(GL_COPY_WRITE_BUFFER, name());
  glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(size_), nullptr, usage);
  glBufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(size_), bytes.data());
}

void Buffer::update(std::size_t offset, std::span<const std::byte> bytes) {
  assert(offset + bytes.size() <= size_);
  glBindBuffer(GL_COPY_WRITE_BUFFER, name());
  glBufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset),
                  static_cast<GLsizeiptr>(bytes.size()), bytes.data());
}

std::byte* mapForWriting(const Buffer& buffer) {
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
  return static_cast<std::byte*>(
      glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(buffer.size()),
                       GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_UNSYNCHRONIZED_BIT));
}

bool unmapWritten(const Buffer& buffer) {
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
  return glUnmapBuffer(GL_COPY_WRITE_BUFFER) == GL_TRUE;
}

void readBuffer(const Buffer& buffer, std::span<std::byte> out) {
  assert(out.size() <= buffer.size());
  glBindBuffer(GL_COPY_READ_BUFFER, buffer.name());
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(out.size()), out.data());
}

Fence Fence::here() {
  Fence fence;
  fence.sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  return fence;
}

Fence::~Fence() {
  if (sync_ != nullptr) glDeleteSync(sync_);
}

Fence::Fence(Fence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}

Fence& Fence::operator=(Fence&& other) noexcept {
  std::swap(sync_, other.sync_);
  return *this;
}

void Fence::wait() {
  if (sync_ == nullptr) return;
  constexpr GLuint64 kNanoseconds = 1'000'000'000; // timeout of one try
  GLenum state = GL_TIMEOUT_EXPIRED;
  for (int i = 0; i < 60 && state == GL_TIMEOUT_EXPIRED; ++i)
    state = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, kNanoseconds);
  glDeleteSync(sync_);
  sync_ = nullptr;
}

} // namespace sinew
