#include "gl/fence.h"

#include <utility>

namespace sinew {

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
  constexpr GLuint64 kNanoseconds = 1'000'000'000; // of one try
  GLenum state = GL_TIMEOUT_EXPIRED;
  for (int i = 0; i < 60 && state == GL_TIMEOUT_EXPIRED; ++i)
    state = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, kNanoseconds);
  glDeleteSync(sync_);
  sync_ = nullptr;
}

} // namespace sinew
