#include "commands/shader_targets.h"

#include "core/error.h"
#include "core/file.h"
#include "editor/tasks/run_program.h"
#include "render/shader_es300.h"
#include "render/shader_glsl120.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string glsl330Text(const Method& method, const Binding& binding,
                        const ShaderTextOptions& options) {
  return vertexShaderText(method, binding, options);
}

// A target is GLSL of ours, or what spirv-cross makes of it with these words.
struct Target {
  std::string_view name;
  std::string (*text)(const Method&, const Binding&, const ShaderTextOptions&) = nullptr;
  std::vector<std::string> translation = {};
};

// Depth in clip space is -w to w in OpenGL and 0 to w in the others.
const std::array<Target, 5>& targets() {
  static const std::array<Target, 5> all{{
      {"glsl330", glsl330Text},
      {"glsl120", glsl120Text},
      {"es300", es300Text},
      {"hlsl", nullptr, {"--hlsl", "--shader-model", "50", "--fixup-clipspace"}},
      {"msl", nullptr, {"--msl", "--fixup-clipspace"}},
  }};
  return all;
}

bool isInstalled(std::string_view program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

// The comment at the head of a shader, which the translation loses; its first line is the version.
std::string getHeader(std::string_view text) {
  const std::size_t begin = text.find('\n') + 1;
  return std::string(text.substr(begin, text.find("\n\n") - begin)) + '\n';
}

std::string translated(const Target& target, const std::string& glsl) {
  constexpr std::array kPrograms = {"glslangValidator", "spirv-cross"};
  for (const char* program : kPrograms)
    if (!isInstalled(program))
      throw usageError(fmt::format("--target {} is translated by the program {}, which is not "
                                   "installed",
                                   target.name, program),
                       "apt-get install glslang-tools spirv-cross");
  const ScratchFolder scratch;
  const std::string from = (scratch.path() / "shader.vert").string();
  const std::string binary = (scratch.path() / "shader.spv").string();
  writeFile(from, glsl);
  // -G: SPIR-V of OpenGL, with the locations and bindings that the text leaves to the linker.
  runProgram({kPrograms[0], "-G", "--aml", "--amb", from, "-o", binary}, {});
  std::vector<std::string> words{kPrograms[1], binary};
  words.insert(words.end(), target.translation.begin(), target.translation.end());
  return getHeader(glsl) + "// Translated from GLSL 3.30 by glslang and SPIRV-Cross.\n\n" +
         runProgram(words, {});
}

const Target& findTarget(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  if (found != targets().end()) return *found;
  if (name == "wgsl")
    throw usageError(
        "--target wgsl: Debian has no translator to WGSL",
        "scripts/wgsl of sinew's sources translates by glslang and npm's copy of Tint");
  if (name == "godot")
    throw usageError("--target godot: nothing translates to Godot's shading language",
                     "put the functions of docs/shaders.md into a shader's vertex()");
  throw unknownName("target", name, shaderTargets());
}

} // namespace

std::vector<std::string> shaderTargets() {
  std::vector<std::string> names;
  for (const Target& target : targets())
    names.emplace_back(target.name);
  return names;
}

void checkShaderTarget(std::string_view target) {
  findTarget(target);
}

std::string shaderText(std::string_view name, const Method& method, const Binding& binding,
                       const ShaderTextOptions& options) {
  const Target& target = findTarget(name);
  if (target.text != nullptr) return target.text(method, binding, options);
  return translated(target, vertexShaderText(method, binding, options));
}

} // namespace sinew
