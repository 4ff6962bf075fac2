// Owner of one OpenGL name: move-only, deleted with its owner. Every class in gl/ is built on it.
//
// The context that made a name must be current when its owner dies.
#pragma once

#include <glad/gl.h>

#include <utility>

namespace sinew {

// Kind::create() returns a new name, Kind::destroy(name) deletes it. An empty handle is 0.
template <class Kind>
class Handle {
 public:
  Handle() = default;
  static Handle make() { return Handle(Kind::create()); }
  explicit Handle(GLuint name) : name_(name) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }

  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  void reset() {
    if (name_ != 0) Kind::destroy(name_);
  }
  GLuint name_ = 0;
};

} // namespace sinew
