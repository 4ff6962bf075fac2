#include "animation/random_model.h"
#include "core/error.h"
#include "core/test_files.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>
#include <glm/gtc/matrix_transform.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <sstream>

using namespace sinew;
using test::skinned;

namespace {

constexpr float kTwist = 2.0943951f; // 120 degrees
constexpr std::array kMethods{"bones-blending", "arc-spline", "bezier-spline"};

// The parameter `twist` of every joint: 0 zone, 1 bone.
BindOptions twistOptions(const Method& method, float choice) {
  BindOptions options;
  for (const Parameter& parameter : method.parameters)
    options.parameters.push_back(parameter.name == "twist" ? choice : parameter.value);
  return options;
}

// Nodes without hierarchy: each joint's own is where it is in bind space.
std::vector<mat4> bindPose(const Rig& rig) {
  std::vector<mat4> out;
  for (const RigJoint& joint : rig.joints)
    out.push_back(glm::inverse(joint.jointFromBind));
  return out;
}

// With a joint and all below it rotated about a line.
std::vector<mat4> rotatedPose(const Rig& rig, std::uint32_t joint, const vec3& center,
                              const vec3& axis, float angle) {
  std::vector<mat4> out = bindPose(rig);
  const mat4 rotation = glm::translate(mat4(1), center) * glm::rotate(mat4(1), angle, axis) *
                        glm::translate(mat4(1), -center);
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    for (std::uint32_t up = j; up != kNoNode; up = rig.joints[up].parent)
      if (up == joint) out[j] = rotation * out[j];
  return out;
}

// A straight limb along x of bones as long as these, round, with `rings` rings a unit and weights
// that change over a fifth of a unit about every joint.
Rig limb(std::span<const float> lengths, int rings = 10) {
  Rig rig;
  std::vector<float> starts{0.0f};
  for (const float length : lengths)
    starts.push_back(starts.back() + length);
  for (std::uint32_t j = 0; j < lengths.size(); ++j)
    rig.joints.push_back(
        {j, j == 0 ? kNoNode : j - 1, glm::translate(mat4(1), vec3(-starts[j], 0, 0))});
  constexpr int kSides = 12;
  const int count = static_cast<int>(std::lround(starts.back() * static_cast<float>(rings)));
  for (int r = 0; r <= count; ++r)
    for (int s = 0; s < kSides; ++s) {
      const float angle = 2.0f * std::numbers::pi_v<float> * static_cast<float>(s) / kSides;
      const vec3 across(0.0f, std::cos(angle), std::sin(angle));
      const float x = static_cast<float>(r) / static_cast<float>(rings);
      rig.positions.push_back(vec3(x, 0, 0) + 0.2f * across);
      rig.normals.push_back(across);
      std::vector<Influence> influences;
      float left = 1.0f; // what the bones farther on have
      for (std::uint32_t j = 0; j < lengths.size(); ++j) {
        const float beyond = j + 1 < lengths.size()
                                 ? std::clamp((x - starts[j + 1]) / 0.2f + 0.5f, 0.0f, 1.0f)
                                 : 0.0f;
        if (left - beyond > 0.0f) influences.push_back({j, left - beyond});
        left = beyond;
      }
      rig.influences.append(influences);
      if (r == count) continue;
      const auto at = [&](int ring, int side) {
        return static_cast<std::uint32_t>(kSides * ring + side % kSides);
      };
      rig.triangles.push_back({at(r, s), at(r + 1, s), at(r, s + 1)});
      rig.triangles.push_back({at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)});
    }
  return rig;
}

// By how much a vertex has rotated about a line, -pi to pi.
float rotationAbout(const vec3& center, const vec3& axis, const vec3& before, const vec3& after) {
  const auto across = [&](const vec3& p) { return p - center - glm::dot(p - center, axis) * axis; };
  const vec3 a = across(before);
  const vec3 b = across(after);
  return std::atan2(glm::dot(axis, glm::cross(a, b)), glm::dot(a, b));
}

// The largest change of rotation between rings a 20th of a line apart, in degrees, of the vertices
// that `counts` takes. Their mean places may be nearer or farther than that, and are reckoned with.
template <class Counts>
double steepest(const Rig& rig, const SkinnedMesh& posed, const vec3& from, const vec3& to,
                const Counts& counts) {
  constexpr int kRings = 20;
  constexpr double kLeastVertices = 8.0;
  const vec3 axis = glm::normalize(to - from);
  const float length = glm::length(to - from);
  std::array<glm::dvec4, kRings + 2> sums{}; // cosine, sine, place, count
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const float at = glm::dot(rig.positions[v] - from, axis) / length * kRings;
    if (!counts(v) || at <= -0.5f || at >= kRings + 1.5f) continue;
    const float angle = rotationAbout(from, axis, rig.positions[v], posed.positions[v]);
    sums.at(static_cast<std::size_t>(std::lround(at))) +=
        glm::dvec4(std::cos(angle), std::sin(angle), at, 1.0);
  }
  double largest = 0.0;
  std::optional<glm::dvec2> last; // place, angle
  for (const glm::dvec4& sum : sums) {
    if (sum.w < kLeastVertices) continue;
    const glm::dvec2 ring(sum.z / sum.w, std::atan2(sum.y, sum.x));
    if (last) {
      const double change = std::remainder(ring.y - last->y, 2.0 * std::numbers::pi);
      largest = std::max(largest, std::abs(change) / (ring.x - last->x));
    }
    last = ring;
  }
  return largest * 180.0 / std::numbers::pi;
}

} // namespace

TEST_CASE("twist ranges: where they are the zones, nothing changes by a bit") {
  const Model model = randomModel(5);
  const Rig rig = buildRig(model);
  const auto pose = modelFromNodes(model.hierarchy, randomPose(model, 6));
  for (const char* name : kMethods) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    BindOptions options = twistOptions(method, 1.0f);
    options.twists.assign(rig.joints.size(), TwistRange{});
    const Binding plain = method.bind(rig, {});
    const Binding zones = method.bind(rig, options);
    CHECK(zones.variant == plain.variant);
    CHECK(zones.constants == plain.constants);
    CHECK(zones.attributes.size() == plain.attributes.size());
    CHECK(skinned(method, rig, pose, options).positions == skinned(method, rig, pose).positions);
  }
}

TEST_CASE(
    "twist ranges: a twist blends in evenly over the bone, and the limb keeps its thickness") {
  struct Case {
    std::vector<float> lengths;
    std::uint32_t joint;
    float from, to; // range of the joint's twist
  };
  const std::vector<Case> cases{
      {{1.5f, 1, 1, 0.3f}, 2, 1.5f, 3.5f},    // between the parts of a limb
      {{1.5f, 1, 1, 0.3f}, 1, 1.5f, 3.5f},    // before them: an elbow
      {{1.5f, 1, 1, 0.3f}, 3, 1.5f, 3.5f},    // behind them: a wrist
      {{1, 1.5f, 0.5f, 0.3f}, 2, 1.0f, 2.5f}, // a limb that is too short, behind a longer one
  };
  for (const Case& each : cases)
    for (const char* name : kMethods) {
      CAPTURE(name);
      CAPTURE(each.from);
      const Method& method = findMethod(name);
      const Rig rig = limb(each.lengths);
      const auto pose = rotatedPose(rig, each.joint, vec3(0), vec3(1, 0, 0), kTwist);
      const SkinnedMesh posed = skinned(method, rig, pose, twistOptions(method, 1.0f));
      for (std::size_t v = 0; v < rig.positions.size(); ++v) {
        const float x = rig.positions[v].x;
        const float share = std::clamp((x - each.from) / (each.to - each.from), 0.0f, 1.0f);
        CAPTURE(x);
        CHECK(rotationAbout(vec3(0), vec3(1, 0, 0), rig.positions[v], posed.positions[v]) ==
              doctest::Approx(share * kTwist).epsilon(1e-4).scale(1));
        CHECK(posed.positions[v].x == doctest::Approx(x).epsilon(1e-5).scale(1));
        CHECK(glm::length(vec2(posed.positions[v].y, posed.positions[v].z)) ==
              doctest::Approx(0.2f).epsilon(1e-5));
      }
    }
}

TEST_CASE("twist ranges: one that the options give, behind the joint and before it") {
  const Rig rig = limb(std::array{1.0f, 1.0f, 1.0f, 1.0f});
  for (const char* name : kMethods) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    BindOptions options;
    options.twists.resize(rig.joints.size());
    options.twists[2] = TwistRange{TwistRange::Kind::given, -0.75f, 0.25f};
    const auto pose = rotatedPose(rig, 2, vec3(0), vec3(1, 0, 0), kTwist);
    const SkinnedMesh posed = skinned(method, rig, pose, options);
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      const float share = std::clamp(rig.positions[v].x - 1.25f, 0.0f, 1.0f);
      CHECK(rotationAbout(vec3(0), vec3(1, 0, 0), rig.positions[v], posed.positions[v]) ==
            doctest::Approx(share * kTwist).epsilon(1e-4).scale(1));
    }
  }
}

TEST_CASE("twist ranges: a bend alone is the methods' own, and a rigid motion moves rigidly") {
  const Rig rig = limb(std::array{1.0f, 1.0f, 1.0f, 0.5f});
  for (const char* name : kMethods) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    const BindOptions bone = twistOptions(method, 1.0f);
    const auto bent = rotatedPose(rig, 2, vec3(2, 0, 0), vec3(0, 0, 1), 1.2f);
    const SkinnedMesh own = skinned(method, rig, bent);
    const SkinnedMesh ranged = skinned(method, rig, bent, bone);
    CHECK(test::largestMove(own.positions, ranged.positions) <= 2e-6f);
    CHECK(test::largestMove(own.normals, ranged.normals) <= 2e-6f);
    const mat4 motion = glm::rotate(glm::translate(mat4(1), vec3(1, 2, 3)), 2.0f, vec3(0, 1, 0));
    std::vector<mat4> moved = rotatedPose(rig, 2, vec3(0), vec3(1, 0, 0), kTwist);
    const SkinnedMesh before = skinned(method, rig, moved, bone);
    for (mat4& each : moved)
      each = motion * each;
    const SkinnedMesh after = skinned(method, rig, moved, bone);
    float largest = 0.0f;
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      largest = std::max(largest, glm::distance(vec3(motion * vec4(before.positions[v], 1.0f)),
                                                after.positions[v]));
    CHECK(largest <= 5e-6f);
  }
}

TEST_CASE("twist ranges: exact normals refuse them") {
  const Rig rig = limb(std::array{1.0f, 1.0f, 1.0f, 0.5f});
  for (const char* name : kMethods) {
    const Method& method = findMethod(name);
    BindOptions options = twistOptions(method, 1.0f);
    for (std::size_t i = 0; i < method.parameters.size(); ++i)
      if (method.parameters[i].name == "normals") options.parameters[i] = 1.0f;
    CHECK_THROWS_AS(method.bind(rig, options), Error);
  }
}

namespace {

// MakeHuman's body with the weights of its artists and bones from joint to joint.
struct MakeHuman {
  Rig rig;
  std::vector<vec3> ends; // ends of the bones
};

MakeHuman readMakeHuman(const std::filesystem::path& folder) {
  MakeHuman out;
  const auto lines = [&](const char* file) { return std::istringstream(readFile(folder / file)); };
  auto obj = lines("makehuman_body.obj");
  for (std::string line; std::getline(obj, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (vec3 p; kind == "v" && words >> p.x >> p.y >> p.z) out.rig.positions.push_back(p);
    if (kind != "f") continue;
    std::vector<std::uint32_t> corners;
    for (std::string corner; words >> corner;)
      corners.push_back(static_cast<std::uint32_t>(std::stoul(corner)) - 1);
    for (std::size_t i = 2; i < corners.size(); ++i)
      out.rig.triangles.push_back({corners[0], corners[i - 1], corners[i]});
  }
  out.rig.normals.assign(out.rig.positions.size(), vec3(0, 0, 1));
  auto tgf = lines("body.tgf");
  std::vector<vec3> joints(1);
  std::string line;
  while (std::getline(tgf, line) && line != "#") {
    std::istringstream words(line);
    std::size_t number = 0;
    vec3 p(0.0f);
    words >> number >> p.x >> p.y >> p.z;
    joints.resize(std::max(joints.size(), number + 1));
    joints[number] = p;
  }
  std::vector<std::array<std::size_t, 2>> bones;
  for (std::array<std::size_t, 2> bone{}; tgf >> bone[0] >> bone[1];)
    bones.push_back(bone);
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    std::uint32_t parent = kNoNode;
    for (std::uint32_t other = 0; other < bones.size(); ++other)
      if (bones[other][1] == bones[b][0]) parent = other;
    out.rig.joints.push_back({b, parent, glm::translate(mat4(1), -joints[bones[b][0]])});
    out.ends.push_back(joints[bones[b][1]]);
  }
  auto weights = lines("body.weights.txt");
  while (std::getline(weights, line)) {
    std::istringstream words(line);
    std::size_t vertex = 0;
    words >> vertex;
    std::vector<Influence> influences;
    Influence each;
    for (char colon = 0; words >> each.joint >> colon >> each.weight;)
      influences.push_back(each);
    std::ranges::sort(influences, std::ranges::greater{}, &Influence::weight);
    out.rig.influences.append(influences);
  }
  return out;
}

} // namespace

TEST_CASE("twist ranges: MakeHuman's forearm twists evenly") {
  const auto folder = test::sharedModels() / "makehuman_body";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("not there: ", folder.string());
    return;
  }
  const MakeHuman body = readMakeHuman(folder);
  const Rig& rig = body.rig;
  REQUIRE(rig.influences.count() == rig.positions.size());
  constexpr std::uint32_t kLower = 9, kHand = 36; // half a forearm, and the hand
  const auto start = [&](std::uint32_t j) { return -vec3(rig.joints[j].jointFromBind[3]); };
  const vec3 elbow = start(rig.joints[kLower].parent);
  const vec3 wrist = start(kHand);
  const auto onArm = [&](std::size_t v) {
    float of = 0.0f;
    for (const Influence& influence : rig.influences.of(v))
      if (influence.joint == kLower || influence.joint == kHand ||
          influence.joint == rig.joints[kLower].parent)
        of += influence.weight;
    return of > 0.3f;
  };
  const std::uint32_t upper = rig.joints[kLower].parent; // the other half, behind the elbow
  for (const char* name : kMethods)
    for (const std::uint32_t joint : {upper, kLower, kHand}) {
      const Method& method = findMethod(name);
      const vec3 axis = glm::normalize(wrist - elbow);
      const auto pose = rotatedPose(rig, joint, start(joint), axis, kTwist);
      const SkinnedMesh zone = skinned(method, rig, pose);
      const SkinnedMesh bone = skinned(method, rig, pose, twistOptions(method, 1.0f));
      const double before = steepest(rig, zone, elbow, wrist, onArm);
      const double after = steepest(rig, bone, elbow, wrist, onArm);
      CAPTURE(name);
      CAPTURE(joint);
      MESSAGE(name, ", joint ", joint, ": ", before, " -> ", after);
      if (method.name != kMethods[0]) {
        // The hand is not in line with the forearm, and splines rotate about their own bone.
        if (joint != kHand) CHECK(after < before);
        continue;
      }
      CHECK(after <= 7.0); // 120 degrees over 20 rings: 6
      CHECK(after <= (joint == kHand ? 0.25 : 0.45) * before);
      // No vertex is nearer to the axis than without.
      for (std::size_t v = 0; v < rig.positions.size(); ++v) {
        const auto radius = [&](const vec3& p) { return glm::length(glm::cross(p - elbow, axis)); };
        const float along = glm::dot(rig.positions[v] - elbow, axis);
        if (!onArm(v) || along < 0.2f || along > glm::distance(elbow, wrist)) continue;
        CHECK(radius(bone.positions[v]) >= 0.99f * radius(zone.positions[v]));
      }
    }
}
