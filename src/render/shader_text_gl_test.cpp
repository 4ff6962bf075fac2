#include "demo/demo.h"
#include "gl/context.h"
#include "gl/program.h"
#include "render/shader_text.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

bool compiles(const std::string& text) {
  const GLuint shader = glCreateShader(GL_VERTEX_SHADER);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  char log[1000] = "";
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  glDeleteShader(shader);
  CAPTURE(log);
  return compiled == GL_TRUE;
}

TEST_CASE("every method's shader text stands alone") {
  const HeadlessContext context;
  const Rig rig = buildRig(findDemo("humanoid").make());
  for (const Method& method : methods())
    for (float value = 0.0f; value < 2.0f; ++value) { // every choice of the two-way parameters
      BindOptions options;
      for (const Parameter& parameter : method.parameters)
        options.parameters.push_back(value == 0.0f ? parameter.value : parameter.maximum);
      const Binding binding = method.bind(rig, options);
      for (const auto storage :
           {PaletteStorage::uniformArray, PaletteStorage::block, PaletteStorage::texture})
        for (const bool stretches : {false, true}) {
          CAPTURE(method.name);
          const std::string text = vertexShaderText(method, binding, {storage, 60, stretches});
          CAPTURE(text);
          CHECK(compiles(text));
          CHECK(text.find("#if") == std::string::npos);
        }
    }
}

TEST_CASE("what a method does not use is left out of its shader text") {
  const Rig rig = buildRig(findDemo("humanoid").make());
  const Method& lbs = findMethod("lbs");
  const std::string text = vertexShaderText(lbs, lbs.bind(rig, {}), {});
  CHECK(text.find("quarterTurn") == std::string::npos);
  CHECK(text.find("spline") == std::string::npos);
  CHECK(text.find("joints1") == std::string::npos);
  CHECK(text.find("blendRows") != std::string::npos);
  CHECK(text.find("row 0") != std::string::npos);
}

TEST_CASE("every method says what its palette rows hold") {
  const Rig rig = buildRig(findDemo("humanoid").make());
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    CHECK(method.rows.size() >= method.bind(rig, {}).rowsPerItem);
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
