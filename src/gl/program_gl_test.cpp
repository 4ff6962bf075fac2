#include "core/error.h"
#include "gl/context.h"
#include "gl/program.h"
#include "render/programs.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

constexpr ShaderSource kHelper{"common/helper.glsl", "float half_(float x) { return 0.5 * x; }\n"};
constexpr ShaderSource kFragment{"test.frag", "out vec4 c;\nvoid main() { c = vec4(1.0); }\n"};

std::string catchMessage(const std::vector<Stage>& stages) {
  try {
    const Program program(stages);
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::graphics);
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("a shader error names the file it is in and its line there") {
  const HeadlessContext context;
  const ShaderSource bad{"test.vert",
                         "void main() {\n\n  gl_Position = vec4(half_(1.0)) + nothing;\n}"};
  const std::string message = catchMessage(
      {{GL_VERTEX_SHADER, {"A 1", "B 2"}, {kHelper, bad}}, {GL_FRAGMENT_SHADER, {}, {kFragment}}});
  CHECK(message.find("shaders/test.vert:3") == 0);
  CHECK(message.find("nothing") != std::string::npos);

  const ShaderSource badHelper{"common/helper.glsl", "\nfloat half_(float x) { return y; }"};
  const ShaderSource good{"test.vert", "void main() { gl_Position = vec4(half_(1.0)); }"};
  CHECK(catchMessage(
            {{GL_VERTEX_SHADER, {}, {badHelper, good}}, {GL_FRAGMENT_SHADER, {}, {kFragment}}})
            .find("shaders/common/helper.glsl:2") == 0);
  CHECK(
      catchMessage({{GL_VERTEX_SHADER, {}, {kHelper, good}}, {GL_FRAGMENT_SHADER, {}, {kFragment}}})
          .empty());
  checkGlErrors("shader errors");
}

TEST_CASE("a link error names the files that were joined") {
  const HeadlessContext context;
  const ShaderSource vertex{"test.vert",
                            "out vec3 a;\nvoid main() { a = vec3(1); gl_Position = vec4(0); }"};
  const ShaderSource fragment{"test.frag", "in vec2 a;\nout vec4 c;\nvoid main() { c = a.xyxy; }"};
  const std::string message =
      catchMessage({{GL_VERTEX_SHADER, {}, {vertex}}, {GL_FRAGMENT_SHADER, {}, {fragment}}});
  CHECK(message.find("shaders/test.vert with shaders/test.frag") == 0);
}

TEST_CASE("the log of any driver is read") {
  const std::array<std::string, 3> files{"the defines", "shaders/a.glsl", "shaders/b.vert"};
  CHECK(nameFilesInLog("0:200014(7): error: `x' undeclared\n", files) ==
        "shaders/b.vert:14: error: `x' undeclared\n");
  CHECK(nameFilesInLog("0(100030) : error C1503: undefined variable \"x\"", files) ==
        "shaders/a.glsl:30: error C1503: undefined variable \"x\"\n");
  CHECK(nameFilesInLog("ERROR: 0:200005: 'x' : undeclared identifier", files) ==
        "shaders/b.vert:5: error: 'x' : undeclared identifier\n");
  CHECK(nameFilesInLog("Vertex info\nno place here", files) == "Vertex info\nno place here\n");
}

TEST_CASE("a shader that is not there is an error") {
  CHECK_THROWS_WITH_AS(findShaderSource("skinning/none.glsl"),
                       doctest::Contains("shaders/skinning/none.glsl"), Error);
}
