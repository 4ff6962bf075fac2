#include "app/method_list.h"
#include "app/sidecar.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/tasks/run_program.h"
#include "render/shader_es300.h"
#include "render/shader_glsl120.h"
#include "render/shader_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

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

// The words of --target, glsl330 first.
std::vector<std::string> shaderTargets() {
  std::vector<std::string> names;
  for (const Target& target : targets())
    names.emplace_back(target.name);
  return names;
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

// Throws usageError unless it is one of shaderTargets().
void checkShaderTarget(std::string_view target) {
  findTarget(target);
}

// The vertex shader of a method in one of shaderTargets(). HLSL and MSL are translated by the
// programs glslangValidator and spirv-cross. Throws usageError for another target that says what to
// do instead, and where these programs are missing or fail.
std::string shaderText(std::string_view name, const Method& method, const Binding& binding,
                       const ShaderTextOptions& options) {
  const Target& target = findTarget(name);
  if (target.text != nullptr) return target.text(method, binding, options);
  return translated(target, vertexShaderText(method, binding, options));
}

struct ShaderOptions {
  std::string method;
  std::string target = "glsl330";
  ModelOptions model;
  Settings settings;
  bool stretches = false;
  bool crowd = false;
  bool markdown = false;
  bool table = false;
  bool functionOnly = false;
  bool json = false;
  std::string output;
};

ShaderTextOptions textOptions(const ShaderOptions& options) {
  PaletteStorage storage = options.settings.palette;
  // A block is what most engines have.
  if (storage == PaletteStorage::automatic)
    storage = options.crowd ? PaletteStorage::texture : PaletteStorage::block;
  return {storage, 0, options.stretches, options.crowd};
}

// The introduction of docs/shaders.md.
constexpr std::string_view kIntroduction = R"(# The skinning functions

`scripts/document` writes this page, and a test compares it with the shaders.
`sinew shader METHOD --model MODEL` prints the whole vertex shader for a rig, ready to compile.
[methods.md](methods.md) has the formulas and their notation.

Every method is one function, `skin(bindPosition, bindNormal, position, normal)`, which takes a vertex of the
bind pose to model space. Besides the vertex attributes it reads the *palette*: a few rows of four floats
for each joint (or spline), through `vec4 paletteRow(uint entry, int row)`, which an engine implements for
its own storage of uniforms:

```glsl
layout(std140) uniform PaletteBlock { vec4 palette[PALETTE_CAPACITY]; };
vec4 paletteRow(uint entry, int row) { return palette[int(entry) * PALETTE_ROWS + row]; }
```

`--target` chooses the language. The tests compile `glsl330` and `glsl120` by the driver, and compare what they compute
with the CPU references; `es300` by glslang, and draw it in Chromium (WebGL 2); `hlsl` by glslang alone, not by
Microsoft's compiler. `hlsl` and `msl` are written by SPIRV-Cross. No compiler has seen `msl`: those for Metal are Apple's.

`const bool nonUniformScale` says whether any joint of the pose stretches the skin;
compile one program for each of its two values, and the common case costs nothing.

Once per frame the CPU computes `F(j)`, joint space to model space, by walking the scene graph, and the rows
from it. `A(j)` is the same matrix in the bind pose, `M(j) = F(j) A(j)^-1`, `p` is the joint's parent and
`Q(j)` the rotation of `A(j) T(j) A(j)^-1` with `T(j) = R(j)^-1 F(p)^-1 F(j)`, `R(j) = A(p)^-1 A(j)`: the
joint's own motion in bind space. `bind` and `pack` in the method's file in `src/skinning/` write the attributes
and the rows. `weights0` belongs to `joints0`, is sorted from the heaviest, and sums to 1; `blendFactor` is the
fraction of each joint's motion that the vertex takes; the splines' attributes hold, per spline, `x` and the
offsets along and across it.

)";

// One method's section of docs/shaders.md.
std::string section(const Method& method, const Binding& binding,
                    const ShaderTextOptions& options) {
  std::string text =
      fmt::format("## {}: `{}`\n\n{} {}.\n\n| attribute | type | buffer holds |\n|---|---|---|\n",
                  method.title, method.name, method.summary, method.paper);
  for (const ShaderInput& input : shaderInputs(binding))
    text += fmt::format("| `{}` | `{}` | {} |\n", input.name, input.type, input.format);
  text += "\n| row of an entry | holds |\n|---|---|\n";
  for (std::size_t row = 0; row < binding.rowsPerEntry; ++row)
    text += fmt::format("| {} | {} |\n", row, binding.rowTexts[row]);
  const std::vector<std::string> defines = makeDefines(binding.variant);
  for (const std::string& define : defines)
    text += fmt::format("{}`#define {}`", &define == defines.data() ? "\nWith " : ", ", define);
  return text + "\n\n```glsl\n" + skinFunctionText(method, binding, options) + "```\n\n";
}

// The same for programs, with the whole text.
nlohmann::ordered_json shaderJson(const ShaderOptions& options, const Method& method,
                                  const Binding& binding, const BatchedShader& shader) {
  nlohmann::ordered_json attributes = nlohmann::ordered_json::array();
  for (const ShaderInput& input : shaderInputs(binding))
    attributes.push_back({{"name", input.name}, {"type", input.type}, {"holds", input.format}});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t row = 0; row < binding.rowsPerEntry; ++row)
    rows.push_back(std::string(binding.rowTexts[row]));
  nlohmann::ordered_json out = {{"method", method.name},
                                {"model", options.model.model},
                                {"target", options.target},
                                {"attributes", attributes},
                                {"rows", rows},
                                {"defines", makeDefines(binding.variant)},
                                {"text", shader.text}};
  if (!shader.batches.empty()) out["batches"] = shader.batches;
  return out;
}

std::string methodText(const ShaderOptions& options, const Workbench& workbench,
                       const Method& method) {
  const ParameterSettings& own = onlyMethod(options.settings).parameters;
  const Binding binding = method.bind(
      workbench.rig,
      withZones(workbench, method, makeBindOptions(options.settings, MethodChoice{&method, own})));
  if (options.markdown) return section(method, binding, textOptions(options));
  BatchedShader shader;
  if (options.functionOnly)
    shader.text = skinFunctionText(method, binding, textOptions(options));
  else if (options.target == "glsl120")
    shader = batchedGlsl120(workbench.rig, method, binding, textOptions(options));
  else
    shader.text = shaderText(options.target, method, binding, textOptions(options));
  return options.json ? toString(shaderJson(options, method, binding, shader)) : shader.text;
}

// The table of methods in docs/methods.md: with the key that chooses each in the window.
std::string methodTable() {
  std::string text = "| key | method | from | does |\n|---|---|---|---|\n";
  std::size_t number = 0;
  for (const Method& method : methods())
    text += fmt::format("| `{}` | `{}` | {} | {} |\n", methodKey(++number), method.name,
                        method.paper, method.summary);
  return text;
}

void write(const ShaderOptions& options, const std::string& text) {
  if (options.output.empty())
    print(text);
  else
    writeFile(options.output, text);
}

ExitCode runShader(ShaderOptions& options) {
  if (options.table) {
    write(options, methodTable());
    return ExitCode::done;
  }
  if (options.method == "all" && !options.markdown)
    throw usageError("'all' is no one shader", "name a method, or add --markdown");
  checkShaderTarget(options.target);
  if (options.markdown && options.target != "glsl330")
    throw usageError("--markdown shows GLSL 3.30 alone", "leave out --target " + options.target);
  if (options.functionOnly && options.target != "glsl330")
    throw usageError("--function-only is GLSL 3.30", "leave out --target " + options.target);
  if (options.crowd && textOptions(options).storage != PaletteStorage::texture)
    throw usageError("--crowd has the palettes in a texture alone", "leave out --palette");
  if (options.target == "glsl120") {
    if (options.crowd) throw usageError("GLSL 1.20 has no instances", "leave out --crowd");
    const PaletteStorage storage = options.settings.palette;
    if (storage != PaletteStorage::automatic && storage != PaletteStorage::uniformArray)
      throw usageError("GLSL 1.20 has the palette in a uniform array alone", "leave out --palette");
  }
  options.settings.methods = parseMethods(options.method == "all" ? "lbs" : options.method);
  checkSettings(options.settings);
  if (options.method != "all")
    checkParametersUsed(options.settings, options.settings.methods, kSetOption);
  const Workbench workbench = openWorkbench(options.model, options.settings, Methods::ownList);
  std::string text;
  if (options.method == "all") text = kIntroduction;
  for (const Method& method : methods())
    if (options.method == "all" || &method == workbench.bound.front().method)
      text += methodText(options, workbench, method);
  write(options, text);
  return ExitCode::done;
}

} // namespace

Command shaderCommand() {
  auto options = std::make_shared<ShaderOptions>();
  options->model.model = "demo:humanoid";
  options->model.quiet = true;
  Command command{"shader", "A method's vertex shader, complete, for another engine"};
  command.add("METHOD", &options->method, "skinning method; 'all' with --markdown or --table")
      .as(ValueKind::method)
      .required();
  command
      .add("--model", &options->model.model,
           "the rig to generate it for: the text depends on its joints and influences per vertex")
      .as(ValueKind::model);
  addZoneOptions(command, options->model.zones, options->model.zone);
  addSidecar(command, kWeightsSidecar, options->model.weights);
  addSidecar(command, kSplinesSidecar, options->model.splines);
  addSettings(command, options->settings, {"Skinning"});
  command.remove("--skin-on");
  command.remove("--method");
  command
      .add("--target", &options->target,
           "glsl330; glsl120 for hardware of the class of the GeForce 7800: attributes of "
           "floats, the palette in at most 240 constants, a batch of joints at a time; es300 for "
           "WebGL 2; hlsl and msl by "
           "glslangValidator and spirv-cross")
      .suggest(shaderTargets())
      .showDefault();
  command.add("--stretch", &options->stretches, "for poses whose joints stretch the skin");
  command.add("--markdown", &options->markdown,
              "the skinning function with tables of its inputs, as in docs/shaders.md");
  command
      .add("--function-only", &options->functionOnly,
           "skin() with what it calls, without inputs and main()")
      .without({"--markdown"});
  command
      .add("--crowd", &options->crowd,
           "for many characters: each instance has a rotation beside its offset, and uniforms say "
           "which row of the palette is the first and whether joints stretch the skin")
      .without({"--stretch", "--function-only", "--markdown"});
  command.add("--table", &options->table,
              "with 'all': the table of methods, as in docs/methods.md");
  command
      .add("--json", &options->json,
           "one JSON document: the shader's text, its attributes and the rows of the palette")
      .without({"--markdown", "--table"});
  command.add("-o,--output", &options->output, "file to write [standard output]")
      .as(ValueKind::file);
  command.run = [options](const Command&) { return runShader(*options); };
  return command;
}

} // namespace sinew
