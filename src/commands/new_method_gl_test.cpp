// A method that nothing but its own entry and its GLSL knows: it passes through the command line,
// the viewer's list, the benchmark, the exported shader and GPU parity.
#include "app/method_list.h"
#include "bench/bench.h"
#include "commands/commands.h"
#include "core/error.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "render/image.h"
#include "render/parity_test.h"
#include "render/test_models.h"
#include "skinning/bone_palette.h"
#include "skinning/methods.h"
#include "viewer/actions.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

using namespace sinew;

namespace {

// Rigid skinning that swells: vertices move along their normals, each by its own share of the
// parameter. It has an attribute, a row and a define that no other method has.
constexpr ShaderSource kSwellShader{"skinning/swell.glsl", R"(
void skin(vec3 position, vec3 normal, out vec3 skinnedPosition, out vec3 skinnedNormal) {
  uint joint = joints0.x;
  mat3x4 modelFromBind = mat3x4(paletteRow(joint, 0), paletteRow(joint, 1), paletteRow(joint, 2));
  skinnedNormal = transformNormal(modelFromBind, normal);
  skinnedPosition = vec4(position, 1.0) * modelFromBind +
                    swellShare * paletteRow(joint, SWELL_ROW).x * skinnedNormal;
}
)"};
constexpr std::array<std::string_view, 2> kShaders{"common/transform_normal.glsl",
                                                   "skinning/swell.glsl"};
constexpr std::array<Parameter, 1> kParameters{{{"swell", 0, 1, 0.1f, "model units"}}};
constexpr std::uint32_t kSwellRow = 3;

Binding bindSwell(const Rig& rig, const BindOptions& options) {
  Binding binding = bindBones(rig, 1);
  binding.parameters = parameterValues(kParameters, options);
  binding.rowsPerEntry = kSwellRow + 1;
  binding.rowTexts.push_back("length along the normal");
  binding.variant.own = {{"SWELL_ROW", kSwellRow}};
  Attribute shares{"swellShare", AttributeFormat::float1, false, {}};
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    append(shares, vec4(static_cast<float>(v % 7) / 6.0f));
  binding.attributes.push_back(std::move(shares));
  return binding;
}

bool packSwell(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
               std::span<vec4> rows) {
  std::vector<vec4> matrices(3 * rig.joints.size());
  const bool nonUniformScale = packBoneMatrices(rig, binding, modelFromNode, matrices);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    std::copy_n(matrices.begin() + static_cast<std::ptrdiff_t>(3 * j), 3,
                rows.begin() + static_cast<std::ptrdiff_t>(4 * j));
    rows[4 * j + kSwellRow] = vec4(binding.parameters[0]);
  }
  return nonUniformScale;
}

void skinSwell(const BindVertices& rig, const Binding& binding, const Palette& palette,
               SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  const Attribute& joints = findAttribute(binding, "joints0");
  const Attribute& shares = findAttribute(binding, "swellShare");
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const vec4* rows = &palette.rows[std::size_t{4} * readUint(joints, v).x];
    const MatrixRows m{rows[0], rows[1], rows[2]};
    out.normals[v] = transformNormal(m, rig.normals[v], palette.nonUniformScale);
    out.positions[v] = transformPoint(m, rig.positions[v]) +
                       readFloat(shares, v).x * rows[kSwellRow].x * out.normals[v];
  }
}

const Method kSwell{.name = "swell",
                    .title = "Swell",
                    .shortTitle = "Swell",
                    .paper = "",
                    .summary = "A method of this test.",
                    .parameters = kParameters,
                    .shaders = kShaders,
                    .bind = bindSwell,
                    .pack = packSwell,
                    .skin = skinSwell};

// Adds the method to the table while it lives.
struct WithSwell {
  std::vector<Method> list{methods().begin(), methods().end()};
  std::span<const Method> before;

  WithSwell() {
    list.push_back(kSwell);
    before = replaceMethods(list);
  }
  ~WithSwell() { replaceMethods(before); }
};

ExitCode runCommand(std::vector<std::string> words) {
  std::vector<Command> commands = allCommands();
  const Command* command = parseCommandLine(commands, programText(), std::move(words));
  REQUIRE(command != nullptr);
  return command->run(*command);
}

} // namespace

TEST_CASE("a new method needs its entry and its GLSL alone") {
  CHECK_THROWS_AS(parseMethods("swell"), Error);
  {
    const ScopedShaderSource shader(kSwellShader);
    const WithSwell added;
    const Method& swell = findMethod("swell");

    SUBCASE("the GPU skins as the reference does, whatever the palette's storage") {
      const HeadlessContext context;
      Programs programs;
      test::RandomRigOptions options;
      options.seed = 3;
      const Model model = test::randomModel(options);
      const Rig rig = buildRig(model);
      const auto nodes = modelFromNodes(model.hierarchy, test::randomPose(model, options, 5));
      for (const auto storage :
           {PaletteStorage::uniformArray, PaletteStorage::block, PaletteStorage::texture}) {
        const auto error =
            test::parity(programs, rig, swell, {.parameters = {0.5f}}, nodes, storage);
        CHECK(error.vertices > 0);
        CHECK(error.position < 1e-5f);
        CHECK(error.normal < 1e-5f);
      }
    }
    SUBCASE("it can be that of some joints, beside another method at the others") {
      const HeadlessContext context;
      Programs programs;
      const Model model = test::randomModel({.seed = 3});
      const Rig rig = buildRig(model);
      const auto nodes = modelFromNodes(model.hierarchy, test::randomPose(model, {.seed = 3}, 5));
      BindOptions options;
      for (std::size_t j = 0; j < rig.joints.size(); ++j)
        options.methods.push_back(j % 2 == 0 ? &swell : nullptr);
      const auto error = test::parity(programs, rig, findMethod("per-joint"), options, nodes);
      CHECK(error.position < 1e-5f);
      CHECK(error.normal < 1e-5f);
    }
    SUBCASE("no normal map is drawn where it is that of some joints, for it has no tangents") {
      Rig rig = buildRig(test::randomModel({.seed = 3}));
      rig.tangents.assign(rig.positions.size(), vec4(1, 0, 0, 1));
      const Method& mixture = findMethod("per-joint");
      BindOptions options;
      options.methods.assign(rig.joints.size(), nullptr);
      CHECK(takesTangents(rig, mixture, mixture.bind(rig, options)));
      options.methods.front() = &swell;
      CHECK(!takesTangents(rig, mixture, mixture.bind(rig, options)));
      CHECK(!takesTangents(rig, swell, swell.bind(rig, {})));
    }
    SUBCASE("the command line draws it beside all others, a view each") {
      const std::vector<MethodChoice> all = parseMethods("all");
      CHECK(all.size() == methods().size());
      CHECK(all.back().method == &swell);
      CHECK(methodsText(parseMethods("lbs,swell:swell=0.5")) == "lbs,swell:swell=0.5");
      const std::filesystem::path folder =
          std::filesystem::temp_directory_path() / ("sinew_new_method_" + std::to_string(getpid()));
      std::filesystem::create_directory(folder);
      const std::string picture = (folder / "all.png").string();
      CHECK(runCommand({"render", "demo:arm", "--method", "all", "--size", "480x320", "--quiet",
                        "-o", picture}) == ExitCode::done);
      CHECK(readPng(picture).width == 480);
      const std::string tooSmall = fmt::format("too small for {} views", methods().size());
      CHECK_THROWS_WITH_AS(runCommand({"render", "demo:arm", "--method", "all", "--size", "16x16",
                                       "--quiet", "-o", picture}),
                           doctest::Contains(tooSmall.c_str()), Error);
      CHECK(runCommand({"shader", "swell", "--set", "swell=0.5", "-o",
                        (folder / "swell.glsl").string()}) == ExitCode::done);
      std::filesystem::remove_all(folder);
    }
    SUBCASE("the viewer's menu has it") {
      const std::vector<Action> actions = viewerActions();
      CHECK(std::ranges::any_of(actions, [](const Action& action) {
        return action.group == "View/Method" && action.name == "Swell";
      }));
    }
    SUBCASE("the benchmark measures it") {
      const HeadlessContext context;
      const Settings settings;
      const Workbench workbench = makeWorkbench(findDemo("arm").make(), settings);
      const BenchReport report =
          runBench(workbench, std::array{&swell}, settings,
                   {.vertices = 2000, .frames = 2, .width = 64, .height = 64});
      REQUIRE(report.results.size() == 2);
      CHECK(report.results[1].method == "swell");
      CHECK(report.results[1].frame.median > 0.0);
    }
  }
  CHECK_THROWS_AS(findMethod("swell"), Error); // the table is as before
}
