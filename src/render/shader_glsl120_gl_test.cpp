// The GLSL 1.20 of every method, compiled and run in an OpenGL 2.1 context, beside the CPU
// reference.
#include "animation/sample.h"
#include "core/error.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "gl/glsl_text.h"
#include "gl/load.h"
#include "render/further_attributes.h"
#include "render/parity_test.h"
#include "render/shader_glsl120.h"
#include "render/test_models.h"
#include "render/vertex_layout.h"
#include "skinning/methods.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <doctest/doctest.h>
#include <glad/gl.h>
#include <glm/gtc/type_ptr.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sinew {
namespace {

template <class Function>
void load(Function& function, const char* name) {
  function = reinterpret_cast<Function>(eglGetProcAddress(name));
}

// What OpenGL 2.1 has as extensions: framebuffer objects and transform feedback.
void loadExtensions() {
  load(sinew_glad_glGenFramebuffers, "glGenFramebuffers");
  load(sinew_glad_glBindFramebuffer, "glBindFramebuffer");
  load(sinew_glad_glGenRenderbuffers, "glGenRenderbuffers");
  load(sinew_glad_glBindRenderbuffer, "glBindRenderbuffer");
  load(sinew_glad_glRenderbufferStorage, "glRenderbufferStorage");
  load(sinew_glad_glFramebufferRenderbuffer, "glFramebufferRenderbuffer");
  load(sinew_glad_glTransformFeedbackVaryings, "glTransformFeedbackVaryingsEXT");
  load(sinew_glad_glBindBufferBase, "glBindBufferBaseEXT");
  load(sinew_glad_glBeginTransformFeedback, "glBeginTransformFeedbackEXT");
  load(sinew_glad_glEndTransformFeedback, "glEndTransformFeedbackEXT");
}

// OpenGL 2.1 without a surface, through Mesa; current while it lives.
class OldContext {
 public:
  OldContext() {
    const auto getPlatformDisplay = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (getPlatformDisplay != nullptr)
      display_ = getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (display_ == EGL_NO_DISPLAY || eglInitialize(display_, nullptr, nullptr) == EGL_FALSE ||
        eglBindAPI(EGL_OPENGL_API) == EGL_FALSE)
      return;
    const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                       EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display_, wanted.data(), &config, 1, &count) == EGL_FALSE || count == 0)
      return;
    const std::array<EGLint, 5> version{EGL_CONTEXT_MAJOR_VERSION_KHR, 2,
                                        EGL_CONTEXT_MINOR_VERSION_KHR, 1, EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version.data());
    if (context_ == EGL_NO_CONTEXT) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_);
    sinew_gladLoadGL(eglGetProcAddress);
    loadExtensions();
  }
  ~OldContext() {
    if (context_ == EGL_NO_CONTEXT) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  OldContext(const OldContext&) = delete;
  OldContext& operator=(const OldContext&) = delete;

  explicit operator bool() const { return context_ != EGL_NO_CONTEXT; }

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

std::string getInfoLog(GLuint shader, GLuint program) {
  std::array<char, 2000> log{};
  glGetShaderInfoLog(shader, 1000, nullptr, log.data());
  std::string out = log.data();
  glGetProgramInfoLog(program, 1000, nullptr, log.data());
  return out + log.data();
}

// Builds a program that captures worldPosition and worldNormal. Binds locations by name.
GLuint buildProgram(const std::string& text, const Binding& binding) {
  const GLuint shader = glCreateShader(GL_VERTEX_SHADER);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  const GLuint program = glCreateProgram();
  glAttachShader(program, shader);
  for (const ShaderInput& input : shaderInputs(binding))
    glBindAttribLocation(program, input.location.value(), input.name.c_str());
  const std::array<const char*, 2> captured{"worldPosition", "worldNormal"};
  glTransformFeedbackVaryings(program, 2, captured.data(), GL_INTERLEAVED_ATTRIBS);
  glLinkProgram(program);
  GLint linked = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  INFO(text);
  INFO(getInfoLog(shader, program));
  CHECK(linked == GL_TRUE);
  glDeleteShader(shader);
  return program;
}

// A framebuffer is needed even where nothing is drawn.
void bindFramebuffer() {
  GLuint framebuffer = 0;
  GLuint color = 0;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glGenRenderbuffers(1, &color);
  glBindRenderbuffer(GL_RENDERBUFFER, color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
}

// Attributes as an engine of that time passes them: all of them read as floats.
void pointAttributes(const Rig& rig, const Binding& binding) {
  std::vector<Attribute> fixed;
  Attribute position{"bindPosition", AttributeFormat::float3, false, {}};
  Attribute normal{"bindNormal", AttributeFormat::float3, false, {}};
  for (const vec3& p : rig.positions)
    append(position, vec4(p, 0.0f));
  for (const vec3& n : rig.normals)
    append(normal, vec4(n, 0.0f));
  fixed.push_back(std::move(position));
  fixed.push_back(std::move(normal));
  GLuint location = 0;
  const auto point = [&](const Attribute& attribute) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(attribute.data.size()),
                 attribute.data.data(), GL_STATIC_DRAW);
    const bool bytes = attribute.format == AttributeFormat::uint8x4;
    const bool shorts = attribute.format == AttributeFormat::uint16x4 ||
                        attribute.format == AttributeFormat::unorm16x4;
    const bool unit = attribute.format == AttributeFormat::unorm16x4;
    const GLint count =
        bytes || shorts
            ? 4
            : static_cast<GLint>(attribute.data.size() / binding.vertexCount / sizeof(float));
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, count,
                          bytes    ? GL_UNSIGNED_BYTE
                          : shorts ? GL_UNSIGNED_SHORT
                                   : GL_FLOAT,
                          unit ? GL_TRUE : GL_FALSE, 0, nullptr);
  };
  for (const Attribute& attribute : fixed) {
    location = fixedLocation(attribute.name);
    point(attribute);
  }
  for (std::size_t i = 0; i < binding.attributes.size(); ++i) {
    location = bindingLocation(i);
    point(binding.attributes[i]);
  }
}

SkinnedMesh runShader(GLuint program, const Rig& rig, const Binding& binding,
                      const Palette& palette) {
  glUseProgram(program);
  if (const GLint location = glGetUniformLocation(program, "palette"); location >= 0)
    glUniform4fv(location, static_cast<GLsizei>(palette.rows.size()),
                 glm::value_ptr(palette.rows.front()));
  pointAttributes(rig, binding);
  GLuint captured = 0;
  const std::size_t count = rig.positions.size();
  glGenBuffers(1, &captured);
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, captured);
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(count * 6 * sizeof(float)),
               nullptr, GL_STATIC_READ);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
  glEndTransformFeedback();
  std::vector<std::array<vec3, 2>> values(count);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                     static_cast<GLsizeiptr>(count * 6 * sizeof(float)), values.data());
  CHECK(glGetError() == GL_NO_ERROR);
  SkinnedMesh out;
  for (const auto& [position, normal] : values) {
    out.positions.push_back(position);
    out.normals.push_back(normal);
  }
  return out;
}

// The pose `time` into the model's first clip.
std::vector<mat4> posedNodes(const Model& model, float time) {
  return modelFromNodes(model.hierarchy, sample(model, model.clips.front(), time));
}

// The vertices of one batch, as an engine splits the mesh by its list of entries.
struct BatchMesh {
  std::vector<std::uint32_t> source; // each vertex's index in the rig
  Rig rig;                           // positions and normals alone
  Binding binding;
  Palette palette;
};

BatchMesh batchMesh(const Rig& rig, const Binding& binding, const Palette& palette,
                    const std::vector<std::uint32_t>& batch, std::vector<Triangle>& triangles) {
  BatchMesh out;
  const auto place = [&](std::uint32_t entry) {
    return std::ranges::find(batch, entry) - batch.begin();
  };
  const auto isOfBatch = [&](const Triangle& triangle) {
    for (const Attribute& attribute : binding.attributes)
      for (const std::uint32_t v : triangle)
        for (int i = 0; attribute.palette && i < 4; ++i)
          if (place(readUint(attribute, v)[i]) == std::ssize(batch)) return false;
    return true;
  };
  std::erase_if(triangles, [&](const Triangle& triangle) {
    if (!isOfBatch(triangle)) return false;
    out.source.insert(out.source.end(), triangle.begin(), triangle.end());
    return true;
  });
  out.binding = binding;
  out.binding.vertexCount = static_cast<std::uint32_t>(out.source.size());
  for (Attribute& attribute : out.binding.attributes) {
    attribute.data.clear();
    const Attribute& whole = findAttribute(binding, attribute.name);
    for (const std::uint32_t v : out.source)
      if (attribute.palette) {
        glm::uvec4 entries = readUint(whole, v);
        for (int i = 0; i < 4; ++i)
          entries[i] = static_cast<std::uint32_t>(place(entries[i]));
        append(attribute, entries);
      } else if (isInteger(attribute.format)) {
        append(attribute, readUint(whole, v));
      } else {
        append(attribute, readFloat(whole, v));
      }
  }
  for (const std::uint32_t v : out.source) {
    out.rig.positions.push_back(rig.positions[v]);
    out.rig.normals.push_back(rig.normals[v]);
  }
  for (const std::uint32_t entry : batch)
    for (std::uint32_t row = 0; row < binding.rowsPerEntry; ++row)
      out.palette.rows.push_back(palette.rows[entry * binding.rowsPerEntry + row]);
  return out;
}

// A vertex shader of OpenGL 2.1 has no texture of numbers, so a method whose attributes do not fit
// without one is refused.
bool refuses(const Method& method, const Rig& rig, const BindOptions& options) {
  const Binding binding = method.bind(rig, options);
  const bool fetches = !furtherTextures(binding).empty();
  if (fetches)
    CHECK_THROWS_WITH_AS(glsl120Text(method, binding, {.entries = 4}),
                         doctest::Contains("fetched from a texture"), Error);
  return fetches;
}

void checkParity(const Model& model, const Rig& rig, const Method& method,
                 const BindOptions& options, bool stretches) {
  const Binding binding = method.bind(rig, options);
  REQUIRE(binding.rowsPerEntry * binding.entryCount <= kUniformArrayRows);
  Palette palette;
  packPalette(method, rig, binding, posedNodes(model, 0.4f), palette);
  palette.nonUniformScale = palette.nonUniformScale || stretches;
  SkinnedMesh cpu;
  method.skin(rig, binding, palette, cpu);
  const std::string text = glsl120Text(method, binding, {.stretches = palette.nonUniformScale});
  const GLuint program = buildProgram(text, binding);
  const SkinnedMesh gpu = runShader(program, rig, binding, palette);
  glDeleteProgram(program);
  const test::ParityError error =
      test::parityError(rig, cpu, gpu, test::unstableVertices(method, rig, binding, palette));
  CHECK(error.position < 1e-5f);
  if (binding.variant.hasNormals()) CHECK(error.normal < 1e-3f);
}

} // namespace

TEST_CASE("GLSL 1.20: every method runs in OpenGL 2.1 as its CPU reference does" *
          doctest::skip(test::kSanitized)) {
  const OldContext context;
  if (!context) {
    MESSAGE("no OpenGL 2.1 without a display here");
    return;
  }
  bindFramebuffer();
  const Model joints = findDemo("arm").make();
  const Model splines = findDemo("body-arm-splines").make();
  std::size_t drawn = 0;
  for (const Method& method : methods())
    for (const Model* model : {&joints, &splines})
      for (const bool maximum : {false, true}) {
        CAPTURE(std::string(method.name));
        CAPTURE(maximum);
        const Rig rig = buildRig(*model);
        BindOptions options;
        for (const Parameter& parameter : method.parameters)
          options.parameters.push_back(maximum ? parameter.maximum : parameter.value);
        if (refuses(method, rig, options)) continue;
        ++drawn;
        for (const bool stretches : {false, true})
          if (test::kThorough || stretches == maximum)
            checkParity(*model, rig, method, options, stretches);
      }
  CHECK(drawn > 2 * methods().size());
}

TEST_CASE("GLSL 1.20: a rig of 60 joints is drawn in batches as its CPU reference poses it" *
          doctest::skip(test::kSanitized)) {
  const OldContext context;
  if (!context) {
    MESSAGE("no OpenGL 2.1 without a display here");
    return;
  }
  bindFramebuffer();
  const Model model = findDemo("tentacle").make();
  const Rig rig = buildRig(model);
  std::size_t split = 0;
  for (const Method& method : methods()) {
    CAPTURE(std::string(method.name));
    const Binding binding = method.bind(rig, {});
    if (!furtherTextures(binding).empty()) continue; // refused
    Palette palette;
    packPalette(method, rig, binding, posedNodes(model, 0.4f), palette);
    SkinnedMesh cpu;
    method.skin(rig, binding, palette, cpu);
    const BatchedShader shader =
        batchedGlsl120(rig, method, binding, {.stretches = palette.nonUniformScale});
    CHECK(shader.batches.empty() ==
          (binding.entryCount * binding.rowsPerEntry <= kUniformArrayRows));
    if (shader.batches.empty()) continue;
    ++split;
    CHECK(shader.text.find("batch 1: ") != std::string::npos);
    const GLuint program = buildProgram(shader.text, binding);
    SkinnedMesh gpu = cpu;
    std::vector<Triangle> left = rig.triangles;
    for (const std::vector<std::uint32_t>& batch : shader.batches) {
      REQUIRE(batch.size() * binding.rowsPerEntry <= kUniformArrayRows);
      const BatchMesh mesh = batchMesh(rig, binding, palette, batch, left);
      REQUIRE_FALSE(mesh.source.empty());
      const SkinnedMesh part = runShader(program, mesh.rig, mesh.binding, mesh.palette);
      for (std::size_t i = 0; i < mesh.source.size(); ++i) {
        gpu.positions[mesh.source[i]] = part.positions[i];
        gpu.normals[mesh.source[i]] = part.normals[i];
      }
    }
    CHECK(left.empty());
    glDeleteProgram(program);
    const test::ParityError error =
        test::parityError(rig, cpu, gpu, test::unstableVertices(method, rig, binding, palette));
    CHECK(error.position < 1e-5f);
    if (binding.variant.hasNormals()) CHECK(error.normal < 1e-3f);
  }
  CHECK(split >= 3);
}

TEST_CASE("GLSL 1.20: methods that fetch their attributes from a texture are refused") {
  const Rig rig = buildRig(findDemo("arm").make());
  const auto mixture = std::ranges::find_if(methods(), &Method::perJoint);
  REQUIRE(mixture != methods().end());
  std::size_t refused = 0;
  for (const Method& method : methods())
    if (refuses(method, rig, {})) {
      ++refused;
      BindOptions options; // as a part of a mixture too
      options.methods.assign(rig.joints.size(), &method);
      CHECK(refuses(*mixture, rig, options));
    }
  CHECK(refused > 0);
}

TEST_CASE("GLSL 1.20: a palette beyond the constants is refused with the number that fits") {
  const Rig rig = buildRig(findDemo("humanoid").make());
  const Method& lbs = findMethod("lbs");
  const Binding binding = lbs.bind(rig, {});
  CHECK(glsl120Text(lbs, binding, {.entries = 80}).find("PALETTE_CAPACITY 240") !=
        std::string::npos);
  CHECK_THROWS_WITH_AS(glsl120Text(lbs, binding, {.entries = 81}), doctest::Contains("80"), Error);
}

TEST_CASE("GLSL 1.20: what there is not in it is not in the text") {
  const Rig rig = buildRig(findDemo("humanoid").make());
  for (const Method& method : methods()) {
    const Binding binding = method.bind(rig, {});
    if (!furtherTextures(binding).empty()) continue; // refused
    const std::string text = glsl120Text(method, binding, {.entries = 4});
    for (const char* word :
         {"uint", "uvec4", "layout", "texelFetch", "samplerBuffer", "in", "330"}) {
      CAPTURE(std::string(method.name));
      CAPTURE(std::string(word));
      CHECK_FALSE(mentions(text, word));
    }
  }
  CHECK(glsl120From330("#version 330 core\nlayout(location = 4) in uvec4 joints0;\n"
                       "layout(std140) uniform Frame {\n  mat4 clip; // c\n};\nout vec3 p;\n"
                       "void f(uint i, out vec3 a) {}\n") ==
        "#version 120\nattribute vec4 joints0;\nuniform mat4 clip; // c\nvarying vec3 p;\n"
        "void f(float i, out vec3 a) {}\n");
}

} // namespace sinew
