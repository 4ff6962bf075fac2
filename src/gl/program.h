// Shader programs from a listed order of parts.
#pragma once

#include "gl/handle.h"
#include "gl/shader_source.h"

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct ProgramKind {
  static GLuint create();
  static void destroy(GLuint name);
};

// One shader: #version, the defines ("NAME VALUE") and the declarations of its inputs, then the
// parts one after another. Each part has its own #line, so an error names the file and line it is
// in.
struct Stage {
  GLenum type = GL_VERTEX_SHADER;
  std::vector<std::string> defines;
  std::vector<ShaderSource> parts;
  std::string inputs = {};
  int version = 330; // GLSL version
};

// A uniform of one program. Not valid where the compiler dropped it; setting it then does nothing.
struct Uniform {
  GLint location = -1;
};

class Program {
 public:
  Program() = default;
  // captured: outputs written by transform feedback, each to its own buffer. Throws graphicsError
  // with one line "shaders/FILE:LINE: what" for the first error of the driver's log.
  explicit Program(std::span<const Stage> stages, std::span<const char* const> captured = {});

  void use() const;
  GLuint name() const { return handle_.name(); }
  explicit operator bool() const { return static_cast<bool>(handle_); }

  // Resolved by name: once after making the program, not while drawing.
  Uniform uniform(const char* name) const;

  // Sets a uniform of the program in use.
  static void set(Uniform uniform, int value);
  static void set(Uniform uniform, float value);
  static void set(Uniform uniform, const glm::vec2& value);
  static void set(Uniform uniform, const glm::vec3& value);
  static void set(Uniform uniform, const glm::vec4& value);
  static void set(Uniform uniform, const glm::ivec4& value);
  static void set(Uniform uniform, std::span<const glm::vec4> values);

  void bindBlock(const char* block, GLuint binding) const;

 private:
  Handle<ProgramKind> handle_;
};

// A driver's log with the lines of joined parts replaced by file and line; for Mesa's, NVIDIA's and
// AMD's ways of writing a place. files[0] is the preamble, the parts follow.
std::string nameFilesInLog(std::string_view log, std::span<const std::string> files);

} // namespace sinew
