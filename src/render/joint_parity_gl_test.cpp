// The joint methods' shaders against the CPU reference in every variant their parameters choose,
// and where their formulas are at their limits: half turns, splines folded back, tiny bends.
#include "core/test_effort.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "render/test_models.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

using test::parity;

// How far one rounding of the palette's numbers, tried some times, moves the normal of a vertex:
// what it is worth where the normals of a vertex's joints nearly cancel.
float normalShake(const Method& method, const Rig& rig, const Binding& binding,
                  const Palette& palette, const SkinnedMesh& plain, std::size_t vertex) {
  Random random(7);
  float largest = 0.0f;
  for (int i = 0; i < 20; ++i) {
    Palette shaken = palette;
    for (vec4& row : shaken.rows)
      for (int c = 0; c < 4; ++c)
        row[c] *= 1.0f + 1.2e-7f * random.uniform(-1.0f, 1.0f);
    SkinnedMesh out;
    method.skin(rig, binding, shaken, out);
    largest = std::max(largest, glm::length(out.normals[vertex] - plain.normals[vertex]));
  }
  return largest;
}

constexpr const char* kJointMethods[] = {"bones-blending", "arc-spline", "bezier-spline"};

// What follows source and attachments. Bones blending: normals, skip, axis; splines: evaluation,
// normals, mixing, storage.
std::vector<std::vector<float>> listChoices(std::string_view name, float source) {
  if (name == "bones-blending")
    return {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {2, 1, 1}};
  std::vector<std::vector<float>> out{{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 2, 1, 0},
                                      {1, 0, 0, 0}, {1, 1, 1, 0}, {1, 2, 0, 0}};
  if (source == 1.0f)
    out.insert(out.end(), {{0, 0, 0, 1}, {0, 1, 0, 1}, {0, 2, 0, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}});
  return out;
}

struct ComparedNormals {
  std::size_t vertices = 0;
  std::size_t beyond = 0; // off by more than 1e-5
  float largest = 0.0f;
};

// GPU against CPU: a normal may be off only as far as one rounding of the palette moves it.
void checkNormals(Programs& programs, const Rig& rig,
                  const std::shared_ptr<const GpuMaterials>& materials, const Method& method,
                  const BindOptions& options, const std::vector<mat4>& modelFromNode,
                  ComparedNormals& compared) {
  const Binding binding = method.bind(rig, options);
  Palette palette;
  packPalette(method, rig, binding, modelFromNode, palette);
  SkinnedMesh cpu;
  method.skin(rig, binding, palette, cpu);
  GpuMesh mesh(materials, rig, method, binding, {.storage = PaletteStorage::texture});
  mesh.setPalette(palette);
  const SkinnedMesh gpu = captureSkinned(programs, mesh);
  CHECK(test::parityError(rig, cpu, gpu).position <= 1e-5f);
  compared.vertices += cpu.normals.size();
  for (std::size_t v = 0; v < cpu.normals.size(); ++v) {
    const float off = glm::length(cpu.normals[v] - gpu.normals[v]);
    compared.largest = std::max(compared.largest, off);
    if (off <= 1e-5f) continue;
    ++compared.beyond;
    CAPTURE(v);
    CHECK(off <= 8.0f * normalShake(method, rig, binding, palette, cpu, v));
  }
}

} // namespace

TEST_CASE("joint methods on the GPU: every source, number of joints and further choice") {
  const HeadlessContext context;
  Programs programs;
  for (const bool stretch : {false, true}) {
    RandomModelOptions random;
    random.nonUniformScale = stretch;
    const Model model = randomModel(21, random);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, 22, random));
    for (const char* name : kJointMethods)
      for (const float source : {0.0f, 1.0f})
        for (const float attachments : {1.0f, 2.0f, 3.0f})
          for (const std::vector<float>& choice : listChoices(name, source)) {
            CAPTURE(name);
            CAPTURE(stretch);
            CAPTURE(source);
            CAPTURE(attachments);
            CAPTURE(choice[0]);
            CAPTURE(choice[1]);
            CAPTURE(choice[2]);
            BindOptions options;
            options.parameters = {source, attachments};
            options.parameters.insert(options.parameters.end(), choice.begin(), choice.end());
            const auto error = parity(programs, rig, findMethod(name), options, modelFromNode);
            CHECK(error.position <= 1e-5f);
            CHECK(error.normal <= 1e-5f);
          }
  }
  checkGlErrors("joint parity");
}

TEST_CASE("joint methods on the GPU: joints with sources of their own, exact normals") {
  const HeadlessContext context;
  Programs programs;
  for (const bool stretch : {false, true}) {
    RandomModelOptions random;
    random.nonUniformScale = stretch;
    const Model model = randomModel(23, random);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, 24, random));
    BindOptions options;
    options.parameters = {0, 3, 1, 1};
    options.sources.resize(rig.joints.size());
    for (std::size_t j = 0; j < options.sources.size(); j += 2)
      options.sources[j] = ParameterSource::zone;
    for (const char* name : kJointMethods) {
      CAPTURE(name);
      CAPTURE(stretch);
      const auto error = parity(programs, rig, findMethod(name), options, modelFromNode);
      CHECK(error.position <= 1e-5f);
      CHECK(error.normal <= 1e-5f);
    }
  }
  checkGlErrors("joint parity");
}

TEST_CASE("joint methods on the GPU: twist ranges, of all joints and of bones") {
  const HeadlessContext context;
  Programs programs;
  for (const bool stretch : {false, true}) {
    RandomModelOptions random;
    random.nonUniformScale = stretch;
    const Model model = randomModel(25, random);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, 26, random));
    for (const char* name : kJointMethods)
      for (const float choice : {0.0f, 1.0f}) { // evaluation, or where normals are none
        CAPTURE(name);
        CAPTURE(stretch);
        CAPTURE(choice);
        BindOptions options;
        options.parameters = {0, 3, choice};
        if (name == std::string_view("bones-blending")) options.parameters[2] = 2.0f * choice;
        options.twists.assign(rig.joints.size(), TwistRange{TwistRange::Kind::given, -0.3f, 0.4f});
        CHECK(findMethod(name).bind(rig, options).variant.twistRow != 0);
        const auto error = parity(programs, rig, findMethod(name), options, modelFromNode);
        CHECK(error.position <= 1e-5f);
        CHECK(error.normal <= 1e-5f);
      }
  }
  checkGlErrors("twist ranges");
}

TEST_CASE("exact normals on the GPU: whole models, by weights, by zones and by free splines" *
          doctest::skip(test::kSanitized)) {
  const HeadlessContext context;
  Programs programs;
  ComparedNormals compared; // off where weights change so fast that rounding of positions shows
  for (const char* demo : {"body-arm", "body-arm-splines", "humanoid"}) {
    const Model model = findDemo(demo).make();
    const Rig rig = buildRig(model);
    const auto materials = uploadMaterials(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, test::turnedPose(model, 8, 0.6f));
    for (const char* name : kJointMethods)
      for (const float source : {0.0f, 1.0f}) {
        CAPTURE(demo);
        CAPTURE(name);
        CAPTURE(source);
        BindOptions options;
        options.parameters = {source, 3, 0, 1};
        if (name == std::string_view("bones-blending")) options.parameters = {source, 3, 1};
        checkNormals(programs, rig, materials, findMethod(name), options, modelFromNode, compared);
      }
  }
  SINEW_FIGURE(compared.beyond << " of " << compared.vertices
                               << " normals are off by more than 1e-5");
  CHECK(compared.largest <= 2e-4f);
  CHECK(static_cast<double>(compared.beyond) <= 2e-3 * static_cast<double>(compared.vertices));
  checkGlErrors("exact normals");
}

TEST_CASE("joint methods on the GPU: half turns, folded splines and tiny bends") {
  const HeadlessContext context;
  Programs programs;
  const test::OneSpline scene(25, 0.5f, 0.4f);
  std::size_t vertices = 0;
  std::size_t folded = 0;
  for (const char* name : kJointMethods)
    for (int direction = 0; direction < 16; ++direction)
      for (const float angle : {0.0f, 1e-6f, 1e-3f, 2.0f, 3.0f, 3.1f, 3.1415f, 3.14159265f}) {
        CAPTURE(name);
        CAPTURE(direction);
        CAPTURE(angle);
        const float around = 6.2831853f * static_cast<float>(direction) / 16.0f;
        const quat rotation = glm::angleAxis(angle, vec3(0, std::cos(around), std::sin(around))) *
                              glm::angleAxis(0.3f * around, vec3(1, 0, 0));
        for (const bool other : {false, true}) { // storage, or axis and skip
          CAPTURE(other);
          BindOptions options = scene.options;
          if (other && std::string_view(name) == "bones-blending")
            options.parameters = {1, 1, 0, 1, 1};
          else if (other)
            options.parameters = {1, 1, 0, 0, 0, 1};
          const auto error =
              parity(programs, scene.rig, findMethod(name), options, scene.rotated(rotation));
          CHECK(error.normal <= 1e-5f);
          CHECK(error.position <= 1e-5f);
          vertices += error.vertices;
          folded += error.folded;
        }
      }
  SINEW_FIGURE(folded << " of " << vertices << " vertices are where a spline is folded back");
  CHECK(folded > 0);
  CHECK(static_cast<double>(folded) <= 0.01 * static_cast<double>(vertices));
}

TEST_CASE("normals on the GPU: where they are off, one rounding moves them as far") {
  const HeadlessContext context;
  Programs programs;
  ComparedNormals compared;
  for (const std::uint64_t seed : {4u, 6u, 9u, 14u, 16u, 24u, 78u, 114u})
    for (const std::uint32_t joints : {20u, 60u}) {
      test::RandomRigOptions rigged{.seed = seed, .joints = joints, .vertices = 1500};
      rigged.nonUniformScale = true;
      const Model model = test::randomModel(rigged);
      const Rig rig = buildRig(model);
      const auto modelFromNode =
          modelFromNodes(model.hierarchy, test::randomPose(model, rigged, seed + 1000));
      const auto materials =
          std::make_shared<const GpuMaterials>(GpuMaterials{std::vector<Material>(2), {}});
      for (const char* name : kJointMethods) {
        CAPTURE(name);
        CAPTURE(seed);
        checkNormals(programs, rig, materials, findMethod(name), {}, modelFromNode, compared);
      }
    }
  SINEW_FIGURE(compared.beyond << " of " << compared.vertices
                               << " normals are off by more than 1e-5");
  CHECK(compared.beyond > 0); // the seeds are such that have some
  CHECK(static_cast<double>(compared.beyond) <= 2e-4 * static_cast<double>(compared.vertices));
}
