#include "core/test_effort.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "gl/glsl_text.h"
#include "gl/program.h"
#include "render/shader_text.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace sinew {
namespace {

// Compiles and links: a function that is only declared is found out by linking.
bool links(const std::string& text) {
  const GLuint shader = glCreateShader(GL_VERTEX_SHADER);
  const GLuint program = glCreateProgram();
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glLinkProgram(program);
  GLint compiled = GL_FALSE;
  GLint linked = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  char log[1000] = "";
  if (compiled == GL_TRUE)
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
  else
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  glDeleteShader(shader);
  glDeleteProgram(program);
  CAPTURE(log);
  CHECK(linked == GL_TRUE);
  return linked == GL_TRUE;
}

TEST_CASE("every method's shader text is self-contained") {
  const HeadlessContext context;
  const Rig joints = buildRig(findDemo("humanoid").make());
  const Rig splines = buildRig(findDemo("body-arm-splines").make());
  const auto choices = static_cast<float>(test::rounds(3, 1));
  for (const Method& method : methods())
    for (const Rig* rig : {&joints, &splines})
      for (float value = 0.0f; value < choices; ++value) { // value of every parameter
        BindOptions options;
        for (const Parameter& parameter : method.parameters) {
          // Exact normals and twist ranges exclude each other.
          const bool left = (parameter.name == "twist" && value != 2.0f) ||
                            (parameter.name == "normals" && value == 2.0f);
          options.parameters.push_back(value == 0.0f || left ? parameter.value
                                                             : std::min(parameter.maximum, value));
        }
        const Binding binding = method.bind(*rig, options);
        for (const auto storage :
             {PaletteStorage::uniformArray, PaletteStorage::block, PaletteStorage::texture})
          for (const bool stretches : {false, true}) {
            CAPTURE(method.name);
            const std::string text = vertexShaderText(method, binding, {storage, 60, stretches});
            CAPTURE(text);
            CHECK(links(text));
            CHECK(text.find("#if") == std::string::npos);
          }
      }
}

TEST_CASE("the shader text for crowds has uniforms in the place of choices") {
  const HeadlessContext context;
  const Rig rig = buildRig(findDemo("humanoid").make());
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    const Binding binding = method.bind(rig, {});
    const ShaderTextOptions options{PaletteStorage::texture, 0, false, true};
    const std::string text = vertexShaderText(method, binding, options);
    CAPTURE(text);
    CHECK(links(text));
    for (const char* word : {"uniform int paletteFirstRow;", "in vec4 instanceRotation;"})
      CHECK(text.find(word) != std::string::npos);
    CHECK(text.find("#define NON_UNIFORM_SCALE") == std::string::npos);
  }
}

TEST_CASE("the shader text of methods that differ from joint to joint is self-contained") {
  const HeadlessContext context;
  const Rig rig = buildRig(findDemo("humanoid").make());
  for (const std::vector<const char*>& names :
       {std::vector{"bones-blending"}, {"dqs", "rigid", "bones-blending"}}) {
    BindOptions options;
    for (std::size_t j = 0; j < rig.joints.size(); ++j)
      options.methods.push_back(j % 4 < names.size() ? &findMethod(names[j % 4]) : nullptr);
    const Method& method = findMethod("per-joint");
    const Binding binding = method.bind(rig, options);
    CHECK(binding.parts.size() == names.size() + 1);
    CHECK(binding.rowTexts.size() == binding.rowsPerEntry);
    for (const bool stretches : {false, true}) {
      const std::string text = vertexShaderText(method, binding, {.stretches = stretches});
      CAPTURE(text);
      CHECK(links(text));
      CHECK(text.find("#if") == std::string::npos);
    }
  }
}

TEST_CASE("what a method does not use is left out of its shader text") {
  const Rig rig = buildRig(findDemo("humanoid").make());
  const Method& lbs = findMethod("lbs");
  const std::string text = vertexShaderText(lbs, lbs.bind(rig, {}), {});
  CHECK(text.find("quarterSineCosine") == std::string::npos);
  CHECK(text.find("spline") == std::string::npos);
  CHECK(text.find("joints1") == std::string::npos);
  CHECK(text.find("blendRows") != std::string::npos);
  CHECK(text.find("row 0") != std::string::npos);
}

TEST_CASE("every method documents its palette rows" * doctest::skip(test::kSanitized)) {
  const Rig joints = buildRig(findDemo("arm").make());
  const Rig splines = buildRig(findDemo("body-arm-splines").make());
  for (const Method& method : methods())
    for (const Rig* rig : {&joints, &splines}) {
      if (rig == &splines && !method.usesFreeSplines) continue;
      for (const bool maximum : {false, true}) {
        CAPTURE(method.name);
        BindOptions options;
        for (const Parameter& parameter : method.parameters)
          options.parameters.push_back(maximum ? parameter.maximum : parameter.value);
        const Binding binding = method.bind(*rig, options);
        CHECK(binding.rowTexts.size() == binding.rowsPerEntry);
      }
    }
}

TEST_CASE("conditions are resolved as a preprocessor does") {
  const std::vector<std::string> defines{"A", "N 2"};
  const std::string text =
      "0\n#ifdef A // why\n1\n#if N == 1\n2\n#elif defined(A)\n3\n#elif N == 2\n4\n"
      "#else\n5\n#endif\n#else\n6\n#if N == 2\n7\n#endif\n#endif\n#ifndef A\n8\n"
      "#endif\n9\n";
  CHECK(resolveConditionals(text, defines) == "0\n1\n3\n9\n");
  CHECK(resolveConditionals(text, {}) == "0\n6\n8\n9\n");
  CHECK(resolveConditionals("#if N > 1\n1\n#elif N > 0\n2\n#endif\n", defines) == "1\n");
  CHECK(resolveConditionals("#if N > 2\n1\n#elif N > 1\n2\n#endif\n", defines) == "2\n");
  CHECK_THROWS(resolveConditionals("#if N < 1\n#endif\n", defines));
}

} // namespace
} // namespace sinew
