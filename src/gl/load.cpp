#include "gl/load.h"

#include "core/error.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <array>
#include <cstdio>
#include <initializer_list>

namespace sinew {
namespace {

#ifndef NDEBUG
void GLAD_API_PTR logMessage(GLenum /*source*/, GLenum type, GLuint /*id*/, GLenum severity,
                             GLsizei length, const GLchar* message, const void* /*user*/) {
  // Throwing through the driver's frames is not possible, so say it here; checkGlErrors() throws.
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || severity == GL_DEBUG_SEVERITY_LOW) return;
  fmt::print(stderr, "OpenGL {}: {}\n", type == GL_DEBUG_TYPE_ERROR ? "error" : "message",
             std::string_view(message, static_cast<std::size_t>(length)));
}

void logMessages() {
  if (sinew_GLAD_GL_KHR_debug == 0) return;
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS); // so that a debugger's stack shows the call at fault
  glDebugMessageCallback(logMessage, nullptr);
  // Advice on speed is for a profiler: that a painted mesh is written to again is meant.
  glDebugMessageControl(GL_DONT_CARE, GL_DEBUG_TYPE_PERFORMANCE, GL_DONT_CARE, 0, nullptr,
                        GL_FALSE);
}
#else
void logMessages() {}
#endif

std::string readString(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text != nullptr ? text : "";
}

int readInt(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

const char* errorName(GLenum error) {
  switch (error) {
  case GL_INVALID_ENUM:
    return "invalid enum";
  case GL_INVALID_VALUE:
    return "invalid value";
  case GL_INVALID_OPERATION:
    return "invalid operation";
  case GL_INVALID_FRAMEBUFFER_OPERATION:
    return "invalid framebuffer operation";
  case GL_OUT_OF_MEMORY:
    return "out of memory";
  default:
    return "unknown error";
  }
}

} // namespace

void loadGl(GlFunction (*getProcAddress)(const char* name)) {
  if (sinew_gladLoadGL(getProcAddress) == 0)
    throw graphicsError("the OpenGL functions cannot be loaded", "install a graphics driver");
  if (sinew_GLAD_GL_VERSION_3_3 == 0)
    throw graphicsError("OpenGL 3.3 is needed; this driver has " + readString(GL_VERSION),
                        "update the driver, or set LIBGL_ALWAYS_SOFTWARE=1 for Mesa's llvmpipe");
  logMessages();
}

void unloadGl() {
  sinew_glad_glDeleteBuffers = nullptr;
  sinew_glad_glDeleteFramebuffers = nullptr;
  sinew_glad_glDeleteProgram = nullptr;
  sinew_glad_glDeleteQueries = nullptr;
  sinew_glad_glDeleteRenderbuffers = nullptr;
  sinew_glad_glDeleteShader = nullptr;
  sinew_glad_glDeleteTextures = nullptr;
  sinew_glad_glDeleteVertexArrays = nullptr;
}

GlInfo glInfo() {
  GlInfo info;
  info.vendor = readString(GL_VENDOR);
  info.renderer = readString(GL_RENDERER);
  info.version = readString(GL_VERSION);
  info.glsl = readString(GL_SHADING_LANGUAGE_VERSION);
  info.limits = {.uniformBlockBytes = readInt(GL_MAX_UNIFORM_BLOCK_SIZE),
                 .vertexUniformComponents = readInt(GL_MAX_VERTEX_UNIFORM_COMPONENTS),
                 .textureBufferTexels = readInt(GL_MAX_TEXTURE_BUFFER_SIZE),
                 .textureSize = readInt(GL_MAX_TEXTURE_SIZE),
                 .samples = readInt(GL_MAX_SAMPLES),
                 .vertexAttributes = readInt(GL_MAX_VERTEX_ATTRIBS)};
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR", "Software Rasterizer"})
    info.software = info.software || info.renderer.find(name) != std::string::npos;
  GLint timerBits = 0;
  glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &timerBits);
  info.timesGpu = timerBits > 0 && !info.software;
  return info;
}

bool hasCompute() {
  const bool loaded = sinew_GLAD_GL_ARB_compute_shader != 0 &&
                      sinew_GLAD_GL_ARB_shader_image_load_store != 0 &&
                      sinew_GLAD_GL_ARB_shader_storage_buffer_object != 0;
  return loaded && 10 * readInt(GL_MAJOR_VERSION) + readInt(GL_MINOR_VERSION) >= 43;
}

void finishGl() {
  glFinish();
}

void checkGlErrors(const std::string& where) {
  std::string all;
  // A lost context reports errors for ever: stop after some.
  for (int i = 0; i < 16; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) break;
    all += fmt::format("{}{} (0x{:x})", all.empty() ? "" : ", ", errorName(error), error);
  }
  if (!all.empty()) throw graphicsError(where + ": OpenGL reports " + all);
}

std::size_t countGlObjects() {
  constexpr GLuint kNames = 1 << 14;
  glUseProgram(0);
  std::size_t count = 0;
  for (GLuint name = 1; name < kNames; ++name)
    for (const bool is : {glIsBuffer(name) == GL_TRUE, glIsTexture(name) == GL_TRUE,
                          glIsVertexArray(name) == GL_TRUE, glIsFramebuffer(name) == GL_TRUE,
                          glIsRenderbuffer(name) == GL_TRUE, glIsShader(name) == GL_TRUE,
                          glIsProgram(name) == GL_TRUE, glIsQuery(name) == GL_TRUE})
      count += is ? 1 : 0;
  return count;
}

} // namespace sinew
