#include "core/error.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "page/page.h"
#include "page/page_morphs.h"
#include "page/page_posing.h"
#include "page/pose_rig.h"
#include "page/sha256.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

Workbench makeDemoWorkbench(const char* demo, Settings& settings, const char* methods) {
  settings.methods = parseMethods(methods);
  return makeWorkbench(findDemo(demo).make(), settings);
}

std::string sha256Digits(std::string_view bytes) {
  std::string out;
  for (const std::uint8_t byte : sha256(bytes))
    out += fmt::format("{:02x}", byte);
  return out;
}

} // namespace

TEST_CASE("page: clips are sampled evenly, first and last moment among them") {
  Settings settings;
  const Workbench workbench = makeDemoWorkbench("humanoid", settings, "lbs");
  const std::vector<std::string> words{"walk", "none"};
  const std::vector<PageClip> clips = sampleClips(workbench, settings, words, 10.0);
  REQUIRE(clips.size() == 2);
  CHECK(clips[0].name == "walk");
  CHECK(clips[0].poses.size() == 12); // 1.1 s
  CHECK(clips[0].framesPerSecond == doctest::Approx(10.0));
  CHECK(clips[1].poses.size() == 1);
  CHECK(clips[1].framesPerSecond == 0.0);
  Workbench end = workbench;
  settings.clip = "walk";
  chooseClip(end, settings);
  evaluate(end, 1.1, Wrap::clamp);
  CHECK(clips[0].poses.back().modelFromNode == end.modelFromNode);
  CHECK(sampleClips(workbench, settings, std::vector<std::string>{"all"}, 1.0).size() ==
        workbench.model.clips.size());
  CHECK_THROWS_AS(sampleClips(workbench, settings, std::vector<std::string>{"nothing"}, 30.0),
                  Error);
  CHECK_THROWS_AS(sampleClips(workbench, settings, std::vector<std::string>{"all"}, 1e9), Error);
}

TEST_CASE("page: keys that even poses would miss are among the poses") {
  Settings settings;
  Workbench workbench = makeDemoWorkbench("arm", settings, "lbs");
  Clip& clip = workbench.model.clips.front();
  clip.seconds = 0.5f;
  clip.channels.assign(1, Channel());
  clip.channels[0].node = 1;
  clip.channels[0].translation.times = {0.0f, 0.13f, 0.5f};
  clip.channels[0].translation.values = {vec3(0.0f), vec3(1.0f), vec3(0.0f)};
  settings.clip = clip.name;
  const auto sampled = [&](double framesPerSecond) {
    return sampleClips(workbench, settings, {}, framesPerSecond)[0];
  };
  const PageClip uneven = sampled(20.0);
  REQUIRE(uneven.times.size() == uneven.poses.size());
  CHECK(
      std::ranges::any_of(uneven.times, [](double time) { return std::abs(time - 0.13) < 1e-6; }));
  CHECK(uneven.times.front() == 0.0);
  CHECK(uneven.times.back() == doctest::Approx(0.5));
  CHECK(std::ranges::is_sorted(uneven.times));
  CHECK(sampled(100.0).times.empty()); // every key is a pose
}

TEST_CASE("page: rounding puts no vertex of any method off by more than 0.01 % of the size") {
  for (const char* demo : {"flexing-arm", "body-arm-splines", "arm"}) {
    if (demo != std::string("flexing-arm") && !test::kThorough) break;
    Settings settings;
    const Workbench workbench = makeDemoWorkbench(demo, settings, "all");
    const std::vector<PageClip> clips = sampleClips(workbench, settings, {}, 2.0);
    PageSummary summary;
    const std::string html = pageHtml(workbench, settings, clips, {}, summary);
    CAPTURE(demo);
    CHECK(summary.rounded);
    CHECK(summary.errorPercent > 0.0);
    CHECK(summary.errorPercent <= 0.01);
    CHECK(summary.poses == clips[0].poses.size());
    CHECK(html.find("{{") == std::string::npos);
    PageSummary exact;
    pageHtml(workbench, settings, clips, {.exact = true}, exact);
    // A browser adds morph targets to attributes, the reference to positions.
    if (movingMorphs(workbench, clips).moving.empty()) CHECK(exact.errorPercent == 0.0);
    CHECK(exact.errorPercent < 1e-4);
    CHECK(!exact.rounded);
  }
}

TEST_CASE("page: floats stay as they are where rounding could be seen") {
  // A mesh in a bind space ten thousand times as large: 16 bits of that range are too few for the
  // other one.
  Model model = findDemo("arm").make();
  Skin skin = model.skins[model.meshes.front().skin.value()];
  for (SkinJoint& joint : skin.joints)
    joint.jointFromBind = joint.jointFromBind * glm::scale(mat4(1.0f), vec3(1e-4f));
  Mesh large = model.meshes.front();
  for (vec3& position : large.positions)
    position *= 1e4f;
  large.skin = static_cast<std::uint32_t>(model.skins.size());
  model.skins.push_back(std::move(skin));
  model.meshes.push_back(std::move(large));
  Settings settings;
  const Workbench workbench = makeWorkbench(std::move(model), settings);
  PageSummary summary;
  pageHtml(workbench, settings, sampleClips(workbench, settings, {}, 2.0), {}, summary);
  CHECK(!summary.rounded);
  CHECK(summary.errorPercent == 0.0);
}

TEST_CASE("page: morph targets move as far as rounding lets them, under every method") {
  for (const char* methods : {"all", "arc-spline:normals=exact,bezier-spline:directions=texture"}) {
    CAPTURE(methods);
    Settings settings;
    const Workbench workbench = makeDemoWorkbench("flexing-arm", settings, methods);
    const std::vector<PageClip> clips = sampleClips(workbench, settings, {}, 4.0);
    const PagePose& bent = clips[0].poses[clips[0].poses.size() / 2];
    CHECK(clips[0].poses.front().morphWeights != bent.morphWeights);
    const PageMorphs morphs = movingMorphs(workbench, clips);
    CHECK(!morphs.moving.empty());
    PageSummary summary;
    pageHtml(workbench, settings, clips, {}, summary);
    CHECK(summary.stillMorphs == 0);
    CHECK(summary.rounded);
    CHECK(summary.errorPercent <= 0.01);
    // Far less than what they move: still, they would be seen to be off.
    const PageMorphs still = stillMorphs(workbench, morphs);
    CHECK(still.still == morphs.moving.size());
    CHECK(weightsAt(still, bent) == still.base);
    CHECK(weightsAt(morphs, bent) == bent.morphWeights);
  }
}

TEST_CASE("page: skin that follows velocities is where the program has it, with and without it") {
  Settings settings;
  settings.clip = "walk";
  settings.drag = 0.4f;
  settings.squash = 0.1f;
  const Workbench workbench = makeDemoWorkbench("humanoid", settings, "lbs,dqs,arc-spline");
  const std::vector<PageClip> clips = sampleClips(workbench, settings, {}, 10.0);
  for (const bool posing : {true, false}) {
    CAPTURE(posing);
    PageSummary summary;
    pageHtml(workbench, settings, clips, {.posing = posing}, summary);
    CHECK(summary.rounded);
    CHECK(summary.errorPercent > 0.0);
    CHECK(summary.errorPercent <= 0.01);
    CHECK(summary.fixedReason.empty() == posing);
  }
  settings.drag = settings.squash = 0.0f;
  const Workbench still = makeDemoWorkbench("humanoid", settings, "lbs");
  CHECK(sampleClips(still, settings, {}, 10.0)[0].poses[0].displacements.empty());
}

TEST_CASE("page: with shapes, all morph targets of a model that stands still are there") {
  Settings settings;
  settings.clip = "none";
  const Workbench workbench = makeDemoWorkbench("flexing-arm", settings, "lbs,arc-spline");
  const std::vector<PageClip> clips =
      sampleClips(workbench, settings, std::vector<std::string>{"none"}, 4.0);
  CHECK(movingMorphs(workbench, clips).moving.empty());
  const PageMorphs all = movingMorphs(workbench, clips, true);
  CHECK(all.moving.size() == workbench.rig.morphs.size());
  CHECK(weightsAt(all, clips[0].poses[0]) == clips[0].poses[0].morphWeights);
}

TEST_CASE("page: a method shows the morph targets and nodes of its stand-in") {
  // Beside the model's own targets one that leaves the others out of the picture, and a node that
  // half of the skin follows.
  Model other = findDemo("flexing-arm").make();
  const auto own = static_cast<std::uint32_t>(other.morphTargets.size());
  other.morphTargets.push_back({"own", 0.0f});
  Mesh& mesh = other.meshes.front();
  std::vector<std::uint32_t> all(mesh.positions.size());
  std::iota(all.begin(), all.end(), 0u);
  mesh.morphs.push_back({own, all, std::vector<vec3>(all.size(), vec3(0.0f, 0.1f, 0.3f)), {}});
  const auto helper = static_cast<std::uint32_t>(other.hierarchy.nodes.size());
  other.hierarchy.nodes.emplace_back();
  for (Skin& skin : other.skins)
    skin.joints.back().node = helper;
  const Rig rig = buildRig(other);

  const Method& linear = findMethod("lbs");
  Method shown = linear;
  shown.packLanes = nullptr;
  shown.bind = [&](const Rig&, const BindOptions& options) { return linear.bind(rig, options); };
  shown.pack = [&](const Rig&, const Binding& binding, std::span<const mat4> modelFromNode,
                   std::span<vec4> rows) {
    std::vector<mat4> nodes(modelFromNode.begin(), modelFromNode.end());
    nodes.resize(helper + 1, mat4(1.0f));
    return linear.pack(rig, binding, nodes, rows);
  };
  shown.shows = std::make_shared<const ShownModel>(
      ShownModel{[&]() -> const Rig& { return rig; },
                 [&](const PoseView& pose) {
                   ShownModel::Pose out{{pose.modelFromNode.begin(), pose.modelFromNode.end()},
                                        {pose.morphWeights.begin(), pose.morphWeights.end()}};
                   out.morphWeights.push_back(0.5f + pose.modelFromNode[2][0].x);
                   out.modelFromNode.push_back(pose.modelFromNode[1]);
                   out.modelFromNode.back()[3].z += 0.2f;
                   return out;
                 }});
  Settings settings;
  settings.methods = {{&linear}, {&shown}, {&findMethod("dqs")}};
  Workbench workbench = makeWorkbench(findDemo("flexing-arm").make(), settings);
  evaluate(workbench, 1.0, Wrap::clamp);
  const auto places = [&](std::size_t m) {
    return skinOnCpu(workbench, workbench.bound[m]).positions;
  };
  CHECK(glm::distance(places(0).front(), places(1).front()) >
        0.05f * computeBounds(places(0)).size());
  const std::vector<PageClip> clips = sampleClips(workbench, settings, {}, 4.0);
  PageSummary summary;
  pageHtml(workbench, settings, clips, {}, summary);
  CHECK(summary.stillMorphs == 0);
  CHECK(summary.rounded);
  CHECK(summary.errorPercent <= 0.01);
  // The program in the page has no such pose.
  CHECK(summary.fixedReason == "Linear blend shows a model of its own");
}

TEST_CASE("page: every method packs the same rows without a vertex, from bytes") {
  for (const char* demo : {"humanoid", "body-arm-splines", "flexing-arm"}) {
    if (test::kSanitized && demo != std::string("body-arm-splines")) continue;
    CAPTURE(demo);
    Settings settings;
    Workbench workbench =
        makeDemoWorkbench(demo, settings, "all,per-joint:normals=exact,dqs:bulge-free=on");
    std::vector<PoseMethod> methods;
    for (const BoundMethod& bound : workbench.bound)
      methods.push_back({bound.method, bound.binding});
    std::vector<std::uint32_t> nodes;
    const std::vector<std::byte> bytes =
        toBytes(poseRig(workbench.model.hierarchy, workbench.rig, methods, {}, nodes));
    const std::optional<PoseRig> read = readPoseRig(bytes);
    REQUIRE(read);
    evaluate(workbench, 0.7, Wrap::clamp);
    Pose pose = workbench.pose;
    pose.twists.resize(pose.parentFromNode.size(), 7.0f);
    Pose own;
    for (const std::uint32_t node : nodes) {
      own.parentFromNode.push_back(pose.parentFromNode[node]);
      own.twists.push_back(pose.twists[node]);
    }
    const std::vector<mat4> modelFromNode = modelFromNodes(read->hierarchy, own);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      CHECK(modelFromNode[i] == workbench.modelFromNode[nodes[i]]);
    REQUIRE(read->methods.size() == methods.size());
    for (std::size_t m = 0; m < methods.size(); ++m) {
      CAPTURE(methods[m].method->name);
      Palette whole, small;
      packPalette(*methods[m].method, workbench.rig, methods[m].binding, workbench.modelFromNode,
                  whole, pose.twists);
      packPalette(*read->methods[m].method, read->rig, read->methods[m].binding, modelFromNode,
                  small, own.twists);
      CHECK(whole.rows == small.rows);
      CHECK(whole.nonUniformScale == small.nonUniformScale);
    }
    // Not one byte less or more.
    CHECK(!readPoseRig(std::span(bytes).first(bytes.size() - 1)));
    std::vector<std::byte> more = bytes;
    more.push_back({});
    CHECK(!readPoseRig(more));
  }
}

TEST_CASE(
    "page: morph targets that are too many for it, or not linear, stand still for that reason") {
  Settings settings;
  settings.methods = parseMethods("lbs");
  Model many = findDemo("arm").make();
  Mesh& mesh = many.meshes.front();
  std::vector<std::uint32_t> all(mesh.positions.size());
  std::iota(all.begin(), all.end(), 0u);
  const auto targets = static_cast<std::uint32_t>(kMaxMovedVertices / all.size() + 1);
  for (std::uint32_t target = 0; target < targets; ++target) {
    many.morphTargets.push_back({"target " + std::to_string(target), 0.0f});
    mesh.morphs.push_back({target, all, std::vector<vec3>(all.size(), vec3(0.1f)), mesh.normals});
    many.clips.front().morphs.push_back({target, {{0.0f, 1.0f}, {0.0f, 0.01f}}});
  }
  const Workbench large = makeWorkbench(std::move(many), settings);
  PageSummary summary;
  pageHtml(large, settings, sampleClips(large, settings, {}, 1.0), {}, summary);
  CHECK(summary.stillMorphs == targets);
  CHECK(summary.stillReason == "they move " + std::to_string(targets * all.size()) +
                                   " vertices together, and a page holds 400000");

  // By the square of the offset.
  Method curved = findMethod("arc-spline");
  curved.morph = [](const Rig& rig, const Binding& bound, const MorphedVertices& morphed,
                    Binding& out) {
    MorphedVertices bent = morphed;
    for (const std::uint32_t v : bent.vertices) {
      const vec3 offset = bent.positions[v] - rig.positions[v];
      bent.positions[v] = rig.positions[v] + 100.0f * glm::length(offset) * offset;
    }
    findMethod("arc-spline").morph(rig, bound, bent, out);
  };
  settings.methods = {{&curved}};
  const Workbench workbench = makeWorkbench(findDemo("flexing-arm").make(), settings);
  pageHtml(workbench, settings, sampleClips(workbench, settings, {}, 4.0), {}, summary = {});
  CHECK(summary.stillMorphs == workbench.model.morphTargets.size());
  CHECK(summary.stillReason.find("they do not act linearly on all methods") == 0);
}

TEST_CASE("page: of a model without triangles there is none") {
  Settings settings;
  Model model;
  model.hierarchy.nodes.emplace_back();
  const Workbench workbench = makeWorkbench(std::move(model), settings);
  PageSummary summary;
  CHECK_THROWS_AS(
      pageHtml(workbench, settings, sampleClips(workbench, settings, {}, 30.0), {}, summary),
      Error);
}

TEST_CASE("page: the module that poses has every method, and a page with another cannot pose") {
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    CHECK_MESSAGE(moduleHas(method), "run scripts/pose_module");
  }
  Method other = findMethod("lbs");
  other.name = "other";
  Settings settings;
  settings.methods = {{&findMethod("dqs")}, {&other}};
  const Workbench workbench = makeWorkbench(findDemo("arm").make(), settings);
  CHECK(fixedReason(workbench, {}, true) ==
        "assets/page/pose.wasm lacks Linear blend: run scripts/pose_module");
  CHECK(fixedReason(workbench, {}, false).empty());
}

// The examples of NIST, and lengths about the end of a block (by Python's hashlib).
TEST_CASE("sha256: published values, and padding about the ends of blocks") {
  CHECK(sha256Digits("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256Digits("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256Digits("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256Digits(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(sha256Digits(std::string(55, 'b')) ==
        "eb2c86e932179f4ba13fe8715a26124b77d6bad290b9b4c1cc140cf633300c19");
  CHECK(sha256Digits(std::string(63, 'b')) ==
        "94e419fabac7f930810f9636354042f8c1426d2f834d4ab65c93dc1e69326b13");
  CHECK(sha256Digits(std::string(64, 'b')) ==
        "a0fab1377f49a759b57f63318262ebe89fabfc990e8e93ceac2984561482b9d4");
}

} // namespace sinew
