// Test vectors to check a method written for an engine: all that goes into skin(), and what
// has to come out.
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "render/shader_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace sinew {
namespace {

struct ReferenceOptions {
  ModelOptions model;
  Settings settings;
  std::vector<std::string> clips;
  int poses = 3;
  int vertices = 0;
  std::string output;
};

// Lists of numbers as JSON; each in the shortest text that reads back the same.
std::string numbersText(std::span<const float> numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}
template <class T>
std::string numbersText(std::span<const T> vectors) {
  return numbersText(std::span<const float>(reinterpret_cast<const float*>(vectors.data()),
                                            vectors.size() * sizeof(T) / sizeof(float)));
}
std::string stringText(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The values of the chosen vertices.
template <class T>
std::string chosenText(std::span<const T> values, std::span<const std::uint32_t> vertices) {
  std::vector<T> out;
  out.reserve(vertices.size());
  for (const std::uint32_t v : vertices)
    out.push_back(values[v]);
  return numbersText(std::span<const T>(out));
}

// As many vertices as asked for, spread over all.
std::vector<std::uint32_t> chosenVertices(std::size_t all, int asked) {
  const std::size_t count = asked > 0 ? std::min(static_cast<std::size_t>(asked), all) : all;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(static_cast<std::uint32_t>(i * all / count));
  return out;
}

// What the vertex shader reads of an attribute.
std::string attributeText(const Attribute& attribute, std::span<const std::uint32_t> vertices) {
  const auto components = static_cast<glm::length_t>(componentCount(attribute.format));
  std::vector<float> values;
  for (const std::uint32_t v : vertices) {
    const vec4 value =
        isInteger(attribute.format) ? vec4(readUint(attribute, v)) : readFloat(attribute, v);
    for (glm::length_t c = 0; c < components; ++c)
      values.push_back(value[c]);
  }
  return fmt::format("{{\"name\":{},\"components\":{},\"integers\":{},\"values\":{}}}",
                     stringText(attribute.name), components, isInteger(attribute.format),
                     numbersText(std::span<const float>(values)));
}

std::string jointsText(const Workbench& workbench) {
  std::string out;
  for (const RigJoint& joint : workbench.rig.joints)
    out += fmt::format("{}\n  {{\"name\":{},\"parent\":{},\"inverse_bind\":{}}}",
                       out.empty() ? "" : ",",
                       stringText(workbench.model.hierarchy.nodes[joint.node].name),
                       joint.parent == kNoNode ? -1 : static_cast<int>(joint.parent),
                       numbersText(std::span<const mat4>(&joint.jointFromBind, 1)));
  return "[" + out + "]";
}

std::string influencesText(const Rig& rig, std::span<const std::uint32_t> vertices) {
  std::string out;
  for (const std::uint32_t v : vertices) {
    std::string list;
    for (const Influence& influence : rig.influences.of(v))
      list += fmt::format("{}{},{}", list.empty() ? "" : ",", influence.joint, influence.weight);
    out += fmt::format("{}[{}]", out.empty() ? "" : ",", list);
  }
  return "[" + out + "]";
}

// What a mesh takes on top, where all of its vertices are there.
std::string surfaceText(const Rig& rig, std::span<const std::uint32_t> vertices) {
  if (vertices.size() != rig.positions.size()) return {};
  std::string triangles;
  for (const Triangle& t : rig.triangles)
    triangles += fmt::format("{}{},{},{}", triangles.empty() ? "" : ",", t[0], t[1], t[2]);
  return fmt::format("\"texcoords\":{},\n\"triangles\":[{}],\n",
                     numbersText(std::span<const vec2>(rig.texcoords)), triangles);
}

std::string boundMethodText(const BoundMethod& bound, std::span<const std::uint32_t> vertices) {
  const Binding& binding = bound.binding;
  std::string parameters, attributes, rows;
  for (std::size_t i = 0; i < bound.method->parameters.size(); ++i) {
    const Parameter& parameter = bound.method->parameters[i];
    parameters += fmt::format("{}{}:{}", i == 0 ? "" : ",", stringText(parameter.name),
                              stringText(parameterWord(parameter, binding.parameters[i])));
  }
  for (const Attribute& attribute : binding.attributes)
    attributes += (attributes.empty() ? "\n   " : ",\n   ") + attributeText(attribute, vertices);
  for (const std::string_view row : binding.rowTexts)
    rows += (rows.empty() ? "" : ",") + stringText(row);
  const ShaderTextOptions options{PaletteStorage::texture, 0, false};
  return fmt::format("{{\"name\":{},\"parameters\":{{{}}},\"entries\":{},\"rows_per_entry\":{},"
                     "\"rows\":[{}],\n  \"attributes\":[{}],\n  \"glsl\":{}}}",
                     stringText(bound.method->name), parameters, binding.entryCount,
                     binding.rowsPerEntry, rows, attributes,
                     stringText(skinFunctionText(*bound.method, binding, options)));
}

// The workbench's moment by one of its methods. Attributes that morph targets move are there again.
std::string resultText(const Workbench& workbench, const BoundMethod& bound,
                       std::span<const std::uint32_t> vertices) {
  const SkinnedMesh posed = skinOnCpu(workbench, bound);
  std::string moved;
  if (&shownBinding(bound) != &bound.binding)
    for (const Attribute& attribute : shownBinding(bound).attributes)
      moved += (moved.empty() ? "" : ",") + attributeText(attribute, vertices);
  return fmt::format("{{\"stretches\":{},\"palette\":{},{}\n    \"positions\":{},\n    "
                     "\"normals\":{}}}",
                     bound.palette.nonUniformScale,
                     numbersText(std::span<const vec4>(bound.palette.rows)),
                     moved.empty() ? "" : fmt::format("\n    \"attributes\":[{}],", moved),
                     chosenText(std::span<const vec3>(posed.positions), vertices),
                     chosenText(std::span<const vec3>(posed.normals), vertices));
}

std::string poseText(const Workbench& workbench, const std::string& clip,
                     std::span<const std::uint32_t> vertices) {
  std::vector<mat4> matrices;
  for (const RigJoint& joint : workbench.rig.joints)
    matrices.push_back(workbench.modelFromNode[joint.node]);
  std::string results;
  for (const BoundMethod& bound : workbench.bound)
    results += fmt::format("{}\n   {}:{}", results.empty() ? "" : ",",
                           stringText(bound.method->name), resultText(workbench, bound, vertices));
  std::string morphed;
  if (workbench.morphed.moved())
    morphed = fmt::format("\n  \"morphed_positions\":{},\n  \"morphed_normals\":{},",
                          chosenText(std::span<const vec3>(workbench.morphed.positions), vertices),
                          chosenText(std::span<const vec3>(workbench.morphed.normals), vertices));
  return fmt::format(
      "{{\"clip\":{},\"seconds\":{},\n  \"morph_weights\":{},{}\n  \"matrices\":{},\n  "
      "\"methods\":{{{}}}}}",
      stringText(clip), workbench.seconds,
      numbersText(std::span<const float>(workbench.pose.morphWeights)), morphed,
      numbersText(std::span<const mat4>(matrices)), results);
}

// Unless stated the bind pose and all clips.
std::vector<std::string> clipWords(const ReferenceOptions& options, const Model& model) {
  if (!options.clips.empty()) return options.clips;
  std::vector<std::string> out{"bind"};
  for (std::uint32_t clip = 0; clip < model.clips.size(); ++clip)
    out.push_back(clipWord(model, clip));
  return out;
}

std::string posesText(const ReferenceOptions& options, Workbench& workbench,
                      std::span<const std::uint32_t> vertices) {
  std::string out;
  Settings settings = options.settings;
  for (const std::string& clip : clipWords(options, workbench.model)) {
    settings.clip = clip;
    chooseClip(workbench, settings);
    const double length = workbench.clip ? playSeconds(workbench, Wrap::clamp) : 0.0;
    const int poses = length > 0.0 ? options.poses : 1;
    for (int i = 0; i < poses; ++i) {
      evaluate(workbench, length * (i + 0.5) / poses, Wrap::clamp);
      const std::string name = workbench.clip ? clipWord(workbench.model, *workbench.clip) : clip;
      out += (out.empty() ? "\n " : ",\n ") + poseText(workbench, name, vertices);
    }
  }
  return "[" + out + "]";
}

ExitCode runReference(const ReferenceOptions& options) {
  Settings settings = options.settings;
  settings.clip = "none";
  Workbench workbench = openWorkbench(options.model, settings, Methods::several);
  if (workbench.rig.positions.empty())
    throw inputError(options.model.model, "has no mesh, so there is nothing to compare with");
  const std::vector<std::uint32_t> vertices =
      chosenVertices(workbench.rig.positions.size(), options.vertices);
  const Bounds bounds = computeBounds(workbench.rig.positions);
  std::string methods;
  for (const BoundMethod& bound : workbench.bound)
    methods += (methods.empty() ? "\n " : ",\n ") + boundMethodText(bound, vertices);
  const std::string poses = posesText(options, workbench, vertices);
  writeFile(
      options.output,
      fmt::format("{{\"sinew\":\"reference\",\"model\":{},\"size\":{},\n\"joints\":{},\n"
                  "\"vertices\":[{}],\n\"positions\":{},\n\"normals\":{},\n{}\"influences\":{},\n"
                  "\"methods\":[{}],\n\"poses\":{}}}\n",
                  stringText(workbench.model.name), glm::length(bounds.max - bounds.min),
                  jointsText(workbench), fmt::join(vertices, ","),
                  chosenText(std::span<const vec3>(workbench.rig.positions), vertices),
                  chosenText(std::span<const vec3>(workbench.rig.normals), vertices),
                  surfaceText(workbench.rig, vertices), influencesText(workbench.rig, vertices),
                  methods, poses));
  if (options.model.json)
    print(toString({{"file", options.output},
                    {"vertices", vertices.size()},
                    {"joints", workbench.rig.joints.size()},
                    {"methods", workbench.bound.size()}}));
  return ExitCode::done;
}

} // namespace

Command referenceCommand() {
  auto options = std::make_shared<ReferenceOptions>();
  Command command{"reference", "Test vectors: a method's inputs and the vertices it has to give"};
  addModelOptions(command, options->model);
  command.add("-o,--output", &options->output, "the file to write, JSON")
      .as(ValueKind::file)
      .required();
  command.add("--clip", &options->clips,
              "poses of this clip, by name or number; 'none', 'bind'; again for more "
              "[bind and all clips]");
  command.add("--poses", &options->poses, "of each clip, spread over its length")
      .range(1, 1000)
      .showDefault();
  command.add("--vertices", &options->vertices, "at most so many, spread over the mesh; 0: all")
      .range(0, 1e8)
      .showDefault();
  addSettings(command, options->settings, {"Skinning"});
  command.remove("--skin-on");
  command.remove("--palette");
  command.notes =
      "For a method in an engine of your own: give its skin() the attributes and the palette of a "
      "pose, and\n"
      "compare what comes out with the positions and normals. docs/engines.md says what each key "
      "holds.";
  command.examples = {"sinew reference model.glb --method dqs -o vectors.json",
                      "sinew reference model.glb --method all --clip run --poses 5 -o vectors.json",
                      "sinew reference model.glb --method cor --vertices 200 -o vectors.json"};
  command.run = [options](const Command&) { return runReference(*options); };
  return command;
}

} // namespace sinew
