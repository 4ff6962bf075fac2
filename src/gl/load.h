// The functions of the current context: loading them, its limits, errors and objects.
#pragma once

#include <cstddef>
#include <string>

namespace sinew {

// Loads the OpenGL 3.3 core functions of the current context; in a Debug build also turns on debug
// output. Throws graphicsError where the context is older than 3.3.
using GlFunction = void (*)();
void loadGl(GlFunction (*getProcAddress)(const char* name));

// Call before the context is destroyed, after all its objects have been deleted. Deleting an OpenGL
// object later crashes at once, whether or not the driver would report it.
void unloadGl();

// The limits of the current context.
struct GlLimits {
  int uniformBlockBytes = 0;       // GL_MAX_UNIFORM_BLOCK_SIZE, at least 16384
  int vertexUniformComponents = 0; // GL_MAX_VERTEX_UNIFORM_COMPONENTS, at least 1024
  int textureBufferTexels = 0;     // GL_MAX_TEXTURE_BUFFER_SIZE, at least 65536
  int textureSize = 0;             // GL_MAX_TEXTURE_SIZE
  int samples = 0;                 // GL_MAX_SAMPLES
  int vertexAttributes = 0;        // GL_MAX_VERTEX_ATTRIBS
};
struct GlInfo {
  std::string vendor, renderer, version, glsl;
  GlLimits limits;
  bool software = false; // llvmpipe, softpipe, ...
  bool timesGpu = false; // timer queries tell the GPU's time; a software renderer's do not
};
GlInfo glInfo();

// Whether it has compute shaders and shader storage buffers: OpenGL 4.3.
bool hasCompute();

// Waits until the GPU has done all that it was given.
void finishGl();

// Throws graphicsError with every pending GL error; `where` says what was being done.
void checkGlErrors(const std::string& where);

// The number of objects in the current context: buffers, textures, vertex arrays, framebuffers,
// renderbuffers, shaders, programs and queries, whoever made them. Looks at all names below a
// limit, because drivers give out the lowest free name. No program is in use afterwards: a program
// that is deleted while in use would still exist.
std::size_t countGlObjects();

} // namespace sinew
