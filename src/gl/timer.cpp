#include "gl/timer.h"

#include <algorithm>

namespace sinew {

GLuint QueryKind::create() {
  GLuint name = 0;
  glGenQueries(1, &name);
  return name;
}
void QueryKind::destroy(GLuint name) {
  glDeleteQueries(1, &name);
}

GpuTimer::GpuTimer() {
  for (auto& query : queries_)
    query = Handle<QueryKind>::make();
}

void GpuTimer::begin() {
  // Nobody has read for a whole ring: the oldest measurement gives its place to the new one.
  if (begun_ - returned_ == kRing) ++returned_;
  glBeginQuery(GL_TIME_ELAPSED, queries_[begun_ % kRing].name());
}

void GpuTimer::end() {
  glEndQuery(GL_TIME_ELAPSED);
  ++begun_;
}

std::optional<double> GpuTimer::poll() {
  return take(false);
}

std::optional<double> GpuTimer::wait() {
  return take(true);
}

std::optional<double> GpuTimer::take(bool block) {
  if (returned_ == begun_) return std::nullopt;
  const GLuint query = queries_[returned_ % kRing].name();
  if (!block) {
    GLuint ready = GL_FALSE;
    glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &ready);
    if (ready == GL_FALSE) return std::nullopt;
  }
  GLuint64 nanoseconds = 0;
  glGetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
  ++returned_;
  return static_cast<double>(nanoseconds) * 1e-6;
}

} // namespace sinew
