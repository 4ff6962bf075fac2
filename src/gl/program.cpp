#include "gl/program.h"

#include "core/error.h"
#include "gl/glsl_text.h"

#include <fmt/format.h>
#include <glm/gtc/type_ptr.hpp>

#include <algorithm>
#include <optional>

namespace sinew {
namespace {

struct ShaderKind {
  static GLuint create() { return 0; }
  static void destroy(GLuint name) { glDeleteShader(name); }
};
using Shader = Handle<ShaderKind>;

// The line of an error identifies its part: part i starts at line i * kLinesOfPart + 1. GLSL has
// source numbers for that (#line N S), but Mesa omits them in most errors.
constexpr std::size_t kLinesOfPart = 100000;
// Part 0: the version, the defines and the inputs.
constexpr const char* kPreamble = "the generated preamble";

std::string joinParts(const Stage& stage) {
  std::string text = fmt::format("#version {} core\n", stage.version);
  for (const std::string& define : stage.defines)
    text += "#define " + define + "\n";
  text += stage.inputs;
  for (std::size_t i = 0; i < stage.parts.size(); ++i)
    text += fmt::format("#line {}\n{}\n", (i + 1) * kLinesOfPart + 1, stage.parts[i].text);
  return text;
}

std::vector<std::string> fileNames(const Stage& stage) {
  std::vector<std::string> files{kPreamble};
  for (const ShaderSource& part : stage.parts)
    files.push_back("shaders/" + std::string(part.path));
  return files;
}

// The first line of a log that speaks of an error; a message is one line.
std::string firstError(std::string_view log) {
  const std::vector<std::string_view> lines = splitLines(log);
  const auto isError = [](std::string_view line) {
    return line.find("error") != std::string_view::npos ||
           line.find("ERROR") != std::string_view::npos;
  };
  const auto hasText = [](std::string_view line) { return !line.empty(); };
  auto found = std::find_if(lines.begin(), lines.end(), isError);
  if (found == lines.end()) found = std::find_if(lines.begin(), lines.end(), hasText);
  return found == lines.end() ? "the driver gives no reason" : std::string(*found);
}

// A number of at most nine digits, removed from the front of the text.
std::optional<std::size_t> takeNumber(std::string_view& text) {
  std::size_t value = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits == 9) return std::nullopt;
    value = 10 * value + static_cast<std::size_t>(text[digits] - '0');
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

// A line of a driver's log that names a line of the joined text.
struct LogLine {
  bool error = false; // the line begins with "ERROR: "
  std::size_t joined = 0;
  std::string_view rest;
};

// Mesa "2:14(7): error: ...", NVIDIA "2(14) : error ...", AMD and Apple "ERROR: 2:14: ...".
std::optional<LogLine> parseLogLine(std::string_view line) {
  LogLine out;
  out.error = takePrefix(line, "ERROR: ");
  if (!out.error) takePrefix(line, "WARNING: ");
  if (!takeNumber(line)) return std::nullopt; // number of the source string
  const bool bracket = line.starts_with('(');
  if (!takePrefix(line, bracket ? "(" : ":")) return std::nullopt;
  const std::optional<std::size_t> joined = takeNumber(line);
  if (!joined) return std::nullopt;
  out.joined = *joined;
  if (bracket) {
    if (!takePrefix(line, ")")) return std::nullopt;
    takePrefix(line, " ");
  } else if (std::string_view column = line;
             takePrefix(column, "(") && takeNumber(column) && takePrefix(column, ")")) {
    line = column;
  }
  out.rest = line;
  return out;
}

template <class GetLog>
std::string readLog(GLint length, GetLog getLog) {
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  GLsizei written = 0;
  getLog(length, &written, log.data());
  log.resize(static_cast<std::size_t>(written));
  return log;
}

Shader compile(const Stage& stage) {
  Shader shader(glCreateShader(stage.type));
  const std::string text = joinParts(stage);
  const char* pointer = text.c_str();
  glShaderSource(shader.name(), 1, &pointer, nullptr);
  glCompileShader(shader.name());
  GLint done = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &done);
  if (done == GL_TRUE) return shader;
  GLint length = 0;
  glGetShaderiv(shader.name(), GL_INFO_LOG_LENGTH, &length);
  const std::string log = readLog(length, [&](GLsizei size, GLsizei* written, char* out) {
    glGetShaderInfoLog(shader.name(), size, written, out);
  });
  throw graphicsError(firstError(nameFilesInLog(log, fileNames(stage))));
}

void link(GLuint program, std::span<const Stage> stages) {
  glLinkProgram(program);
  GLint done = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &done);
  if (done == GL_TRUE) return;
  GLint length = 0;
  glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
  const std::string log = readLog(length, [&](GLsizei size, GLsizei* written, char* out) {
    glGetProgramInfoLog(program, size, written, out);
  });
  // A linker speaks of no line: say which files were joined.
  std::string files;
  for (const Stage& stage : stages)
    files += (files.empty() ? "shaders/" : " with shaders/") + std::string(stage.parts.back().path);
  throw graphicsError(files + " cannot be linked: " + firstError(log));
}

} // namespace

GLuint ProgramKind::create() {
  return glCreateProgram();
}

void ProgramKind::destroy(GLuint name) {
  glDeleteProgram(name);
}

Program::Program(std::span<const Stage> stages, std::span<const char* const> captured)
    : handle_(Handle<ProgramKind>::make()) {
  std::vector<Shader> shaders;
  for (const Stage& stage : stages) {
    shaders.push_back(compile(stage));
    glAttachShader(name(), shaders.back().name());
  }
  if (!captured.empty())
    glTransformFeedbackVaryings(name(), static_cast<GLsizei>(captured.size()), captured.data(),
                                GL_SEPARATE_ATTRIBS);
  link(name(), stages);
  for (const Shader& shader : shaders)
    glDetachShader(name(), shader.name());
}

void Program::use() const {
  glUseProgram(name());
}

Uniform Program::uniform(const char* uniformName) const {
  return {glGetUniformLocation(name(), uniformName)};
}

void Program::set(Uniform uniform, int value) {
  glUniform1i(uniform.location, value);
}
void Program::set(Uniform uniform, float value) {
  glUniform1f(uniform.location, value);
}
void Program::set(Uniform uniform, const glm::vec2& value) {
  glUniform2fv(uniform.location, 1, glm::value_ptr(value));
}
void Program::set(Uniform uniform, const glm::vec3& value) {
  glUniform3fv(uniform.location, 1, glm::value_ptr(value));
}
void Program::set(Uniform uniform, const glm::vec4& value) {
  glUniform4fv(uniform.location, 1, glm::value_ptr(value));
}
void Program::set(Uniform uniform, const glm::ivec4& value) {
  glUniform4iv(uniform.location, 1, glm::value_ptr(value));
}
void Program::set(Uniform uniform, std::span<const glm::vec4> values) {
  if (values.empty()) return;
  glUniform4fv(uniform.location, static_cast<GLsizei>(values.size()),
               glm::value_ptr(values.front()));
}

void Program::bindBlock(const char* block, GLuint binding) const {
  const GLuint index = glGetUniformBlockIndex(name(), block);
  if (index != GL_INVALID_INDEX) glUniformBlockBinding(name(), index, binding);
}

std::string nameFilesInLog(std::string_view log, std::span<const std::string> files) {
  std::string out;
  for (const std::string_view line : splitLines(log)) {
    if (const std::optional<LogLine> place = parseLogLine(line)) {
      const std::size_t part = place->joined / kLinesOfPart;
      const std::string_view file = part < files.size() ? std::string_view(files[part]) : "?";
      out += fmt::format("{}:{}{}{}", file, place->joined % kLinesOfPart,
                         place->error ? ": error" : "", place->rest);
    } else {
      out += line;
    }
    out += '\n';
  }
  return out;
}

} // namespace sinew
