#include "gl/program.h"

#include "core/error.h"

#include <fmt/format.h>
#include <glm/gtc/type_ptr.hpp>

#include <regex>

namespace sinew {
namespace {

struct ShaderKind {
  static GLuint create() { return 0; }
  static void destroy(GLuint name) { glDeleteShader(name); }
};
using Shader = Handle<ShaderKind>;

// Which part an error is in is told by its line: part i starts at line i * kLinesOfPart + 1. The
// language has source numbers for that (#line N S), but Mesa forgets them in most errors.
constexpr std::size_t kLinesOfPart = 100000;
// Part 0: the version and the defines.
constexpr const char* kPreamble = "the defines";

std::string joinParts(const Stage& stage) {
  std::string text = "#version 330 core\n";
  for (const std::string& define : stage.defines)
    text += "#define " + define + "\n";
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
std::string firstError(const std::string& log) {
  std::string first;
  for (std::size_t start = 0; start < log.size();) {
    const std::size_t end = std::min(log.find('\n', start), log.size());
    std::string line = log.substr(start, end - start);
    if (first.empty()) first = line;
    if (line.find("error") != std::string::npos || line.find("ERROR") != std::string::npos)
      return line;
    start = end + 1;
  }
  return first.empty() ? "the driver gives no reason" : first;
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

void Program::set(const char* uniform, int value) const {
  glUniform1i(glGetUniformLocation(name(), uniform), value);
}
void Program::set(const char* uniform, float value) const {
  glUniform1f(glGetUniformLocation(name(), uniform), value);
}
void Program::set(const char* uniform, const glm::vec2& value) const {
  glUniform2fv(glGetUniformLocation(name(), uniform), 1, glm::value_ptr(value));
}
void Program::set(const char* uniform, const glm::vec3& value) const {
  glUniform3fv(glGetUniformLocation(name(), uniform), 1, glm::value_ptr(value));
}
void Program::set(const char* uniform, const glm::vec4& value) const {
  glUniform4fv(glGetUniformLocation(name(), uniform), 1, glm::value_ptr(value));
}
void Program::set(const char* uniform, std::span<const glm::vec4> values) const {
  if (values.empty()) return;
  glUniform4fv(glGetUniformLocation(name(), uniform), static_cast<GLsizei>(values.size()),
               glm::value_ptr(values.front()));
}

void Program::bindBlock(const char* block, GLuint binding) const {
  const GLuint index = glGetUniformBlockIndex(name(), block);
  if (index != GL_INVALID_INDEX) glUniformBlockBinding(name(), index, binding);
}

std::string nameFilesInLog(std::string_view log, std::span<const std::string> files) {
  // Mesa "2:14(7): error: ...", NVIDIA "2(14) : error ...", AMD and Apple "ERROR: 2:14: ...".
  static const std::regex kPlace(
      R"(^(ERROR: |WARNING: )?(\d+)(?::(\d{1,9})(?:\(\d+\))?|\((\d{1,9})\) ?))");
  std::string out;
  for (std::size_t start = 0; start < log.size();) {
    const std::size_t end = std::min(log.find('\n', start), log.size());
    std::string line(log.substr(start, end - start));
    std::smatch place;
    if (std::regex_search(line, place, kPlace)) {
      const std::size_t joined = std::stoul(place[3].matched ? place[3] : place[4]);
      const std::size_t part = joined / kLinesOfPart;
      const std::string file = part < files.size() ? files[part] : "?";
      const std::string number = std::to_string(joined % kLinesOfPart);
      const std::string kind = place[1].matched && place[1].str()[0] == 'E' ? ": error" : "";
      line = fmt::format("{}:{}{}{}", file, number, kind, place.suffix().str());
    }
    out += line + "\n";
    start = end + 1;
  }
  return out;
}

} // namespace sinew
