// A method for each joint on the GPU: its generated shader against the CPU references of the
// methods that it joins.
#include "gl/context.h"
#include "render/parity_test.h"
#include "render/test_models.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

namespace {

// Joints by these methods in turn, or by none.
BindOptions mixedOptions(const Rig& rig, std::span<const char* const> names) {
  BindOptions options;
  for (const Parameter& parameter : findMethod("per-joint").parameters)
    options.parameters.push_back(parameter.value);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const std::size_t which = j % (names.size() + 1);
    options.methods.push_back(which < names.size() ? &findMethod(names[which]) : nullptr);
  }
  return options;
}

void set(std::string_view name, float value, BindOptions& options) {
  const auto parameters = findMethod("per-joint").parameters;
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  options.parameters[static_cast<std::size_t>(found - parameters.begin())] = value;
}

struct Mixed {
  std::vector<const char*> names;
  float attachments = 3.0f;
};

const std::vector<Mixed>& mixtures() {
  static const std::vector<Mixed> all{{{"bones-blending"}},
                                      {{"dqs", "rigid", "bones-blending"}},
                                      {{"arc-spline"}},
                                      {{"arc-spline", "bones-blending", "dqs"}, 1.0f}};
  return all;
}

} // namespace

TEST_CASE("per joint on the GPU: mixtures of methods, with all that joints may do") {
  const HeadlessContext context;
  Programs programs;
  for (const bool stretch : {false, true}) {
    RandomModelOptions random;
    random.nonUniformScale = stretch;
    const Model model = randomModel(41, random);
    const Rig rig = buildRig(model);
    const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 42, random));
    for (const Mixed& mixed : mixtures()) {
      CAPTURE(stretch);
      CAPTURE(mixed.names[0]);
      BindOptions options = mixedOptions(rig, mixed.names);
      set("attachments", mixed.attachments, options);
      for (const bool compute : {false, true}) {
        CAPTURE(compute);
        const auto error = test::parity(programs, rig, findMethod("per-joint"), options, nodes,
                                        PaletteStorage::texture, compute);
        CHECK(error.position <= 1e-5f);
        CHECK(error.normal <= 1e-5f);
        CHECK(static_cast<double>(error.folded) <= 0.02 * static_cast<double>(error.vertices));
      }
    }
  }
  checkGlErrors("per joint");
}

TEST_CASE("per joint on the GPU: parameters of its parts, and every storage of the palette") {
  const HeadlessContext context;
  Programs programs;
  const Model model = randomModel(43);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 44));
  constexpr const char* kNames[] = {"bones-blending", "dqs"};
  const auto check = [&](const BindOptions& options, PaletteStorage storage) {
    const auto error =
        test::parity(programs, rig, findMethod("per-joint"), options, nodes, storage);
    CHECK(error.position <= 1e-5f);
    CHECK(error.normal <= 1e-5f);
  };
  for (const float normals : {0.0f, 1.0f, 2.0f}) {
    CAPTURE(normals);
    BindOptions options = mixedOptions(rig, kNames);
    options.influences = 4; // a uniform array has room for twelve of these entries
    set("normals", normals, options);
    set("axis", 1.0f, options); // further rows
    set("skip", 1.0f, options);
    set("parameter-source", 1.0f, options);
    for (const auto storage :
         {PaletteStorage::uniformArray, PaletteStorage::block, PaletteStorage::texture})
      check(options, storage);
  }
  BindOptions twelve = mixedOptions(rig, kNames);
  twelve.influences = 12; // attributes of two groups more
  check(twelve, PaletteStorage::texture);
  checkGlErrors("per joint");
}

// Tangents of the surface are added up over the parts, and what their shares' growth does.
TEST_CASE("per joint on the GPU: exact normals where methods meet") {
  const HeadlessContext context;
  Programs programs;
  const std::vector<Mixed> all{{{"bones-blending"}},
                               {{"bones-blending"}, 1.0f},
                               {{"arc-spline", "bones-blending"}},
                               {{"bezier-spline"}, 2.0f}};
  for (const bool stretch : {false, true})
    for (const Mixed& mixed : all)
      for (const float vectorized : {0.0f, 1.0f}) {
        RandomModelOptions random;
        random.nonUniformScale = stretch;
        const Model model = randomModel(49, random);
        const Rig rig = buildRig(model);
        CAPTURE(stretch);
        CAPTURE(mixed.names[0]);
        CAPTURE(mixed.attachments);
        CAPTURE(vectorized);
        BindOptions options = mixedOptions(rig, mixed.names);
        set("normals", 1.0f, options);
        set("attachments", mixed.attachments, options);
        set("evaluation", vectorized, options);
        CHECK(findMethod("per-joint").bind(rig, options).variant.normals == NormalMode::exact);
        const auto error =
            test::parity(programs, rig, findMethod("per-joint"), options,
                         modelFromNodes(model.hierarchy, randomPose(model, 50, random)));
        CHECK(error.position <= 1e-5f);
        CHECK(error.normal <= 1e-5f);
        CHECK(static_cast<double>(error.folded) <= 0.1 * static_cast<double>(error.vertices));
      }
  checkGlErrors("per joint");
}

// A model scaled evenly is stretched to dual quaternions, and not to splines, which then have to
// serve the longer form of skin() too.
TEST_CASE("per joint on the GPU: parts that differ about what joints do") {
  const HeadlessContext context;
  Programs programs;
  const Model model = randomModel(45);
  const Rig rig = buildRig(model);
  Pose pose = randomPose(model, 46);
  pose.parentFromNode.front().scale = vec3(1.5f);
  constexpr const char* kNames[] = {"arc-spline"};
  BindOptions options = mixedOptions(rig, kNames);
  set("attachments", 2.0f, options);
  set("elsewhere", 2.0f, options);
  const auto error = test::parity(programs, rig, findMethod("per-joint"), options,
                                  modelFromNodes(model.hierarchy, pose));
  CHECK(error.position <= 1e-5f);
  CHECK(error.normal <= 1e-5f);
  checkGlErrors("per joint");
}

// Some forty attributes, of which ten are vertex attributes (render/further_attributes).
TEST_CASE("per joint on the GPU: every pair of methods draws, and many together") {
  const HeadlessContext context;
  Programs programs;
  RandomModelOptions random;
  random.joints = 12;
  const Model model = randomModel(47, random);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 48, random));
  std::vector<const char*> names;
  for (const Method& method : methods())
    if (!method.perJoint) names.push_back(method.name.data());
  const auto check = [&](std::span<const char* const> chosen, const BindOptions& options,
                         PaletteStorage storage) {
    CAPTURE(chosen.size());
    CAPTURE(chosen.front());
    CAPTURE(chosen.back());
    const auto error =
        test::parity(programs, rig, findMethod("per-joint"), options, nodes, storage);
    CHECK(error.position <= 1e-5f);
    CHECK(error.normal <= 1e-5f);
  };
  const auto draw = [&](const std::vector<const char*>& chosen) {
    check(chosen, mixedOptions(rig, chosen), PaletteStorage::texture);
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t k = i; k < names.size(); ++k)
      draw(k == i ? std::vector{names[i]} : std::vector{names[i], names[k]});
    std::vector<const char*> others = names;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    draw(others);
  }
  BindOptions all = mixedOptions(rig, names);
  set("normals", 1.0f, all);
  set("axis", 1.0f, all);
  all.influences = 12;
  for (const auto storage : {PaletteStorage::block, PaletteStorage::texture})
    check(names, all, storage);
  checkGlErrors("per joint");
}
