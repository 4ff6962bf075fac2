#include "app/commands.h"
#include "app/method_parameters.h"
#include "core/file.h"
#include "render/shader_text.h"

#include <fmt/format.h>

#include <memory>

namespace sinew {
namespace {

struct ShaderOptions {
  std::string method;
  ModelOptions model;
  Settings settings;
  bool stretches = false;
  bool markdown = false;
  std::string output;
};

ShaderTextOptions textOptions(const ShaderOptions& options) {
  PaletteStorage storage = findPaletteStorage(options.settings.palette);
  // A block is what most engines have.
  if (storage == PaletteStorage::automatic) storage = PaletteStorage::block;
  return {storage, 0, options.stretches};
}

// What docs/shaders.md says before the methods.
constexpr std::string_view kIntroduction = R"(# The skinning functions, to take away

Written by `sinew shader all --markdown -o docs/shaders.md`; a test holds this page against the shaders.
`sinew shader METHOD --model MODEL` prints the whole vertex shader for a rig, ready to compile.

Every method is one function, `skin(bindPosition, bindNormal, position, normal)`, which takes a vertex of the
bind pose to model space. Besides the vertex attributes it reads the *palette*: a few rows of four floats
for each joint (or spline), through `vec4 paletteRow(uint item, int row)`, which an engine writes over
whatever it keeps uniforms in:

```glsl
layout(std140) uniform PaletteBlock { vec4 palette[PALETTE_CAPACITY]; };
vec4 paletteRow(uint item, int row) { return palette[int(item) * PALETTE_ROWS + row]; }
```

`const bool nonUniformScale` says whether any joint of the pose does more than turn (shift or stretch);
a program for each of its two values costs nothing where it is false.

The CPU computes, once a frame, `F(j)`, joint space to model space, by walking the scene graph, and from it
the rows. `A(j)` is the same matrix in the bind pose, `M(j) = F(j) A(j)^-1`, `p` is the joint's parent and
`Q(j)` the rotation of `A(j) T(j) A(j)^-1` with `T(j) = R(j)^-1 F(p)^-1 F(j)`, `R(j) = A(p)^-1 A(j)`: the
joint's own movement seen in bind space. The rows and the attributes are made by `pack` and `bind` in the file of the method's name in `src/skinning/`. `weights0`
belongs to `joints0`, falls, and sums to 1; `jointShare` is the share of each joint's movement that the
vertex takes; the splines' attributes hold, per spline, `x` and the offsets along and across it.

)";

// One method's section of docs/shaders.md.
std::string section(const Method& method, const Binding& binding,
                    const ShaderTextOptions& options) {
  std::string text =
      fmt::format("## {}: `{}`\n\n{} {}.\n\n| attribute | type | buffer holds |\n|---|---|---|\n",
                  method.title, method.name, method.summary, method.paper);
  for (const ShaderInput& input : shaderInputs(binding))
    text += fmt::format("| `{}` | `{}` | {} |\n", input.name, input.type, input.format);
  text += "\n| row of an item | holds |\n|---|---|\n";
  for (std::size_t row = 0; row < binding.rowsPerItem; ++row)
    text += fmt::format("| {} | {} |\n", row, binding.rowTexts[row]);
  for (const std::string& define : binding.defines)
    text +=
        fmt::format("{}`#define {}`", &define == binding.defines.data() ? "\nWith " : ", ", define);
  return text + "\n\n```glsl\n" + skinFunctionText(method, binding, options) + "```\n\n";
}

std::string textOf(const ShaderOptions& options, const Rig& rig, const Method& method) {
  const std::string own = onlyMethod(options.settings).parameters;
  const Binding binding = method.bind(
      rig, bindOptionsOf(options.settings, MethodChoice{std::string(method.name), own}));
  return options.markdown ? section(method, binding, textOptions(options))
                          : vertexShaderText(method, binding, textOptions(options));
}

ExitCode runShader(ShaderOptions& options) {
  if (options.method == "all" && !options.markdown)
    throw usageError("'all' is no one shader", "name a method, or add --markdown");
  options.settings.method = options.method == "all" ? "lbs" : options.method;
  checkSettings(options.settings);
  const Workbench bench = openWorkbench(options.model, options.settings);
  std::string text;
  if (options.method == "all") text = kIntroduction;
  for (const Method& method : methods())
    if (options.method == "all" || &method == bench.bound.front().method)
      text += textOf(options, bench.rig, method);
  if (options.output.empty())
    print(text);
  else
    writeFile(options.output, text);
  return ExitCode::done;
}

} // namespace

void addShaderCommand(CommandLine& line) {
  auto options = std::make_shared<ShaderOptions>();
  options->model.model = "demo:humanoid";
  options->model.quiet = true;
  CLI::App* command =
      line.app.add_subcommand("shader", "A method's vertex shader, complete, for another engine");
  command->add_option("METHOD", options->method, "skinning method; 'all' with --markdown")
      ->required();
  command->add_option("--model", options->model.model,
                      "the rig it is for: its joints and influences per vertex decide the text");
  addWeightsFile(*command, options->model.weights);
  addSettings(*command, options->settings, {"Skinning"});
  command->remove_option(command->get_option("--method"));
  command->add_flag("--stretch", options->stretches,
                    "for poses whose joints do more than turn: they shift or stretch");
  command->add_flag("--markdown", options->markdown,
                    "the skinning function with tables of its inputs, as in docs/shaders.md");
  command->add_option("-o,--output", options->output, "file to write; standard output without");
  command->callback([options, &line] { line.run = [options] { return runShader(*options); }; });
}

} // namespace sinew
