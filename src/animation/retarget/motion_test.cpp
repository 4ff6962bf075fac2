#include "animation/retarget/joint_names.h"
#include "animation/retarget/motion.h"
#include "animation/sample.h"
#include "core/error.h"
#include "core/test_files.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <tuple>

using namespace sinew;

namespace {

// Hips, knee, foot hanging down, each a unit of `length`, with an optional rotation of every frame.
Model leg(float length, const quat& frame, const char* prefix = "") {
  Model model;
  model.name = "leg";
  const auto add = [&](const char* name, std::uint32_t parent, const vec3& place) {
    Transform rest;
    rest.rotation = parent == kNoNode ? frame : quat(1, 0, 0, 0);
    rest.translation = parent == kNoNode ? place : glm::inverse(frame) * place;
    model.hierarchy.nodes.push_back({std::string(prefix) + name, parent, rest});
  };
  add("Hips", kNoNode, {0, 2 * length, 0});
  add("Knee", 0, {0, -length, 0});
  add("Foot", 1, {0, -length, 0});
  return model;
}

// The knee bends by a right angle about X, in model space, while the hips move along z.
void addKick(Model& model, const quat& frame) {
  Clip clip{"kick", 1.0f, {}};
  const quat bend = glm::inverse(frame) * glm::angleAxis(1.5707963f, vec3(1, 0, 0)) * frame;
  clip.channels.push_back({1, {}, {{0.0f, 1.0f}, {quat(1, 0, 0, 0), bend}}, {}});
  const vec3 start = model.hierarchy.nodes[0].rest.translation;
  clip.channels.push_back({0, {{0.0f, 1.0f}, {start, start + vec3(0, 0, start.y)}}, {}, {}});
  model.clips.push_back(clip);
}

vec3 placeAt(const Model& model, std::uint32_t node, float time) {
  return vec3(
      modelFromNodes(model.hierarchy, sample(model.hierarchy, model.clips.at(0), time))[node][3]);
}

} // namespace

TEST_CASE("names are compared without name space, case and separators") {
  CHECK(normalizedJointName("mixamorig:Left_Arm") == "leftarm");
  CHECK(normalizedJointName("Armature|left arm") == "leftarm");
  CHECK(normalizedJointName("LeftArm.001") == "leftarm001");
}

TEST_CASE("motion of the same skeleton arrives key by key") {
  Model motion = leg(1.0f, quat(1, 0, 0, 0));
  addKick(motion, quat(1, 0, 0, 0));
  Model model = leg(1.0f, quat(1, 0, 0, 0), "rig:");
  model.clips.push_back({"kick", 0.5f, {}});
  const MotionReport report = applyMotion(model, motion);
  CHECK(report.exact);
  CHECK(report.matched.size() == 2);
  REQUIRE(model.clips.size() == 2);
  CHECK(model.clips[0].name == "kick");
  CHECK(model.clips[1].name == "kick (2)"); // its own
  for (const float t : {0.0f, 0.3f, 1.0f})
    CHECK(glm::distance(placeAt(model, 2, t), placeAt(motion, 2, t)) < 1e-6f);
}

TEST_CASE("another size and other joint frames: bones keep their lengths, the pose is the same") {
  const quat frame = glm::angleAxis(1.2f, glm::normalize(vec3(1, 2, 3)));
  for (const bool turned : {false, true}) {
    CAPTURE(turned);
    Model motion = leg(1.0f, quat(1, 0, 0, 0));
    addKick(motion, quat(1, 0, 0, 0));
    Model model = leg(3.0f, turned ? frame : quat(1, 0, 0, 0));
    const MotionReport report = applyMotion(model, motion);
    CHECK_FALSE(report.exact);
    CHECK(report.sameFrames == !turned);
    CHECK(report.scale == doctest::Approx(3.0f));
    for (const float t : {0.0f, 1.0f})
      for (const std::uint32_t node : {0u, 1u, 2u})
        CHECK(glm::distance(placeAt(model, node, t), 3.0f * placeAt(motion, node, t)) < 1e-4f);
  }
}

TEST_CASE("no clips or no common joint: an error, and the model unchanged") {
  Model model = leg(1.0f, quat(1, 0, 0, 0));
  Model still = leg(1.0f, quat(1, 0, 0, 0));
  CHECK_THROWS_AS(applyMotion(model, still), Error);
  Model other = leg(1.0f, quat(1, 0, 0, 0), "x");
  addKick(other, quat(1, 0, 0, 0));
  for (Node& node : model.hierarchy.nodes)
    node.name = "y" + node.name;
  CHECK_THROWS_AS(applyMotion(model, other), Error);
  CHECK(model.clips.empty());
}

namespace {

// A trunk with a head and two arms of two bones and a hand. The arms hang `lowered` radians below
// the horizontal at rest; `framed` joints have their y axis along their bone, others stand upright.
Model body(float lowered, bool framed, float size) {
  Model model;
  model.name = "body";
  std::vector<mat4> modelFromNode;
  const auto add = [&](const char* name, std::uint32_t parent, const vec3& place, float angle) {
    Transform t;
    t.translation = size * place;
    if (framed) t.rotation = glm::angleAxis(angle, vec3(0, 0, 1));
    const mat4 world = toMatrix(t);
    const Transform rest =
        parent == kNoNode ? t : decompose(glm::inverse(modelFromNode[parent]) * world);
    modelFromNode.push_back(world);
    model.hierarchy.nodes.push_back({name, parent, rest});
  };
  add("Hips", kNoNode, {0, 1, 0}, 0.0f);
  add("Spine", 0, {0, 1.2f, 0}, 0.0f);
  add("Chest", 1, {0, 1.4f, 0}, 0.0f);
  add("Head", 2, {0, 1.7f, 0}, 0.0f);
  for (const float side : {1.0f, -1.0f}) {
    const vec3 along(side * std::cos(lowered), -std::sin(lowered), 0.0f);
    const float angle = -side * (1.5707963f + lowered);
    const vec3 shoulder(side * 0.2f, 1.5f, 0.0f);
    const auto first = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
    add(side > 0 ? "LeftArm" : "RightArm", 2, shoulder, angle);
    add(side > 0 ? "LeftForeArm" : "RightForeArm", first, shoulder + 0.3f * along, angle);
    add(side > 0 ? "LeftHand" : "RightHand", first + 1, shoulder + 0.6f * along, angle);
  }
  return model;
}

// Rotates a joint from the rest pose by `rotation`, in model space.
void addRotation(Model& model, const char* name, const quat& rotation) {
  const std::uint32_t node = *findNode(model.hierarchy, name);
  const auto rest = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  const quat parent = decompose(rest[model.hierarchy.nodes[node].parent]).rotation;
  const quat before = model.hierarchy.nodes[node].rest.rotation;
  const quat after = glm::inverse(parent) * rotation * parent * before;
  if (model.clips.empty()) {
    model.clips.push_back({"turn", 1.0f, {}});
    for (std::uint32_t i = 0; i < model.hierarchy.nodes.size(); ++i)
      if (i != node)
        model.clips[0].channels.push_back(
            {i, {}, {{0.0f}, {model.hierarchy.nodes[i].rest.rotation}}, {}});
  }
  model.clips[0].channels.push_back({node, {}, {{0.0f, 1.0f}, {before, after}}, {}});
}

vec3 boneAt(const Model& model, const char* from, const char* to, float time) {
  return glm::normalize(placeAt(model, *findNode(model.hierarchy, to), time) -
                        placeAt(model, *findNode(model.hierarchy, from), time));
}

} // namespace

TEST_CASE("rests in T and in A: arms point where the motion's do, hands go straight on") {
  const quat rotation = glm::angleAxis(0.9f, glm::normalize(vec3(0.3f, 1.0f, 0.8f)));
  for (const float lowered : {0.3f, 0.6f, 1.1f})
    for (const bool framedHere : {false, true})
      for (const bool framedThere : {false, true}) {
        CAPTURE(lowered);
        CAPTURE(framedHere);
        CAPTURE(framedThere);
        Model motion = body(0.0f, framedThere, 1.0f);
        addRotation(motion, "LeftArm", rotation);
        Model model = body(lowered, framedHere, 2.0f);
        applyMotion(model, motion);
        for (const float time : {0.0f, 0.5f, 1.0f}) {
          for (const auto& [from, to] :
               {std::pair("LeftArm", "LeftForeArm"), std::pair("LeftForeArm", "LeftHand"),
                std::pair("RightArm", "RightForeArm"), std::pair("RightForeArm", "RightHand"),
                std::pair("Hips", "Spine"), std::pair("Chest", "Head")})
            CHECK(glm::distance(boneAt(model, from, to, time), boneAt(motion, from, to, time)) <
                  1e-3f);
          // The hand is bent against the forearm no more than at rest.
          const auto pose = sample(model.hierarchy, model.clips[0], time);
          const std::uint32_t hand = *findNode(model.hierarchy, "LeftHand");
          CHECK(std::abs(glm::dot(pose.parentFromNode[hand].rotation,
                                  model.hierarchy.nodes[hand].rest.rotation)) > 0.99999f);
        }
      }
}

TEST_CASE("feet that slope otherwise: they point where the motion's do, matched toes or not") {
  // A left leg in a body whose frames are all rotated by `frame`; the foot slopes down to its end.
  const auto standing = [](float slope, const char* toes, const quat& frame, float size) {
    Model model = body(0.0f, false, size);
    vec3 above(0, 1, 0);
    const auto add = [&](const char* name, std::uint32_t parent, const vec3& place) {
      Transform local;
      local.translation = size * (place - above);
      model.hierarchy.nodes.push_back({name, parent, local});
      above = place;
    };
    const auto first = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
    add("LeftUpLeg", 0, {0.1f, 0.95f, 0});
    add("LeftLeg", first, {0.1f, 0.5f, 0});
    add("LeftFoot", first + 1, {0.1f, 0.1f, 0});
    add(toes, first + 2, above + 0.15f * vec3(0, -std::sin(slope), std::cos(slope)));
    model.hierarchy.nodes[0].rest.rotation = frame;
    for (std::size_t n = 1; n < model.hierarchy.nodes.size(); ++n) {
      vec3& place = model.hierarchy.nodes[n].rest.translation;
      place = glm::inverse(frame) * place;
    }
    return model;
  };
  const quat others = glm::angleAxis(2.0f, glm::normalize(vec3(1, 1, 1)));
  for (const char* toes : {"LeftToeBase", "tip"})
    for (const float slope : {0.0f, 0.5f, 1.1f}) {
      CAPTURE(toes);
      CAPTURE(slope);
      Model motion = standing(0.3f, "LeftToeBase", quat(1, 0, 0, 0), 1.0f);
      addRotation(motion, "LeftFoot", glm::angleAxis(0.4f, vec3(1, 0, 0)));
      Model model = standing(slope, toes, others, 2.0f);
      applyMotion(model, motion);
      for (const float time : {0.0f, 0.5f, 1.0f})
        CHECK(glm::distance(boneAt(model, "LeftFoot", toes, time),
                            boneAt(motion, "LeftFoot", "LeftToeBase", time)) < 1e-3f);
    }
}

TEST_CASE("collars that begin elsewhere: shoulders stay where they rest") {
  // A collar and an upper arm below it, where the left arm begins.
  const auto collared = [](Model model, const vec3& collar) {
    for (const auto& [name, parent, place] :
         {std::tuple("LeftCollar", "Chest", collar),
          std::tuple("LeftUpperArm", "LeftCollar",
                     vec3(modelFromNodes(
                         model.hierarchy,
                         restPose(model.hierarchy))[*findNode(model.hierarchy, "LeftArm")][3]))}) {
      const auto rest = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
      const std::uint32_t above = *findNode(model.hierarchy, parent);
      Transform local;
      local.translation = transformPoint(glm::inverse(rest[above]), place);
      model.hierarchy.nodes.push_back({name, above, local});
    }
    return model;
  };
  for (const float height : {1.2f, 1.4f, 1.6f}) {
    CAPTURE(height);
    Model motion = collared(body(0.0f, false, 1.0f), {0.05f, height, 0});
    motion.clips.push_back({"rest", 1.0f, {}});
    for (std::uint32_t node = 0; node < motion.hierarchy.nodes.size(); ++node)
      motion.clips[0].channels.push_back(
          {node, {}, {{0.0f}, {motion.hierarchy.nodes[node].rest.rotation}}, {}});
    Model model = collared(body(0.5f, true, 2.0f), {0.1f, 3.0f, 0});
    const std::uint32_t arm = *findNode(model.hierarchy, "LeftUpperArm");
    const vec3 before(modelFromNodes(model.hierarchy, restPose(model.hierarchy))[arm][3]);
    applyMotion(model, motion);
    CHECK(glm::distance(placeAt(model, arm, 0.0f), before) < 1e-3f);
  }
}

TEST_CASE("a map of joints: others move them, nothing does, and rotations are added") {
  Model motion = leg(1.0f, quat(1, 0, 0, 0), "there:");
  addKick(motion, quat(1, 0, 0, 0));
  const auto applied = [&](const MotionMap& map) {
    Model model = leg(1.0f, quat(1, 0, 0, 0));
    const MotionReport report = applyMotion(model, motion, map);
    return std::pair(model, report);
  };
  const auto [model, report] = applied({{{"Foot", "there:Knee"}, {"Knee", std::nullopt}}, {}});
  CHECK(std::ranges::any_of(report.matched, [](const MatchedJoint& pair) {
    return pair.joint == "Foot" && pair.motion == "there:Knee" && pair.match == NameMatch::given;
  }));
  CHECK(std::ranges::find(report.still, "Knee") != report.still.end());
  const vec3 hips = placeAt(model, 0, 1.0f);
  CHECK(glm::distance(placeAt(model, 1, 1.0f), hips - vec3(0, 1, 0)) < 1e-4f);
  // 90 degrees about X take the shin from -Y to -Z.
  const auto [raised, byOffset] = applied({{}, {{"Knee", {90, 0, 0}}}});
  CHECK_FALSE(byOffset.exact);
  CHECK(glm::distance(placeAt(raised, 2, 0.0f), placeAt(raised, 1, 0.0f) + vec3(0, 0, -1)) < 1e-4f);
  Model unchanged = leg(1.0f, quat(1, 0, 0, 0));
  for (const MotionMap& wrong : {MotionMap{{{"Tail", "there:Knee"}}, {}},
                                 MotionMap{{{"Knee", "Tail"}}, {}}, MotionMap{{}, {{"Tail", {}}}}})
    CHECK_THROWS_AS(applyMotion(unchanged, motion, wrong), Error);
  CHECK(unchanged.clips.empty());
}

TEST_CASE("a map of joints is read as it is written, and nonsense is one line") {
  const test::TempFolder folder;
  const MotionMap map{{{"Foot.L", "LeftFoot"}, {"Hat", std::nullopt}},
                      {{"Foot.L", {20, -5, 0.5f}}}};
  CHECK(readMotionMap(folder.write("map.json", motionMapText(map))) == map);
  for (const char* text :
       {"[]", "{\"joints\": 3}", "{\"joint\": {}}", "{\"joints\": {\"a\": 1}}",
        "{\"offsets\": {\"a\": [1, 2]}}", "{\"offsets\": {\"a\": [1, 2, 1e9]}}", "{"})
    CHECK_THROWS_AS(readMotionMap(folder.write("map.json", text)), Error);
}

TEST_CASE("a motion with Z upwards stands upright on the model") {
  const quat up = glm::angleAxis(1.5707963f, vec3(1, 0, 0)); // Y becomes Z
  Model motion = body(0.0f, false, 2.0f);
  addRotation(motion, "LeftArm", glm::angleAxis(0.8f, vec3(0, 1, 0)));
  addRotation(motion, "Spine", glm::angleAxis(0.3f, vec3(1, 0, 0)));
  Model zUp = motion;
  const auto rotate = [&](quat& rotation) { rotation = up * rotation * glm::conjugate(up); };
  for (Node& node : zUp.hierarchy.nodes) {
    node.rest.translation = up * node.rest.translation;
    rotate(node.rest.rotation);
  }
  for (Channel& channel : zUp.clips[0].channels)
    for (quat& key : channel.rotation.values)
      rotate(key);
  Model plain = body(0.3f, true, 1.0f), turned = plain;
  applyMotion(plain, motion);
  applyMotion(turned, zUp);
  for (const float time : {0.0f, 0.5f, 1.0f})
    for (const auto& [from, to] :
         {std::pair("Hips", "Spine"), {"Spine", "Head"}, {"LeftArm", "LeftForeArm"}})
      CHECK(glm::dot(boneAt(plain, from, to, time), boneAt(turned, from, to, time)) > 0.9999f);
}

TEST_CASE("the report says which joint moves which and by what rule") {
  Model motion = leg(1.0f, quat(1, 0, 0, 0));
  addKick(motion, quat(1, 0, 0, 0));
  motion.hierarchy.nodes[1].name = "mixamorig:KNEE";
  motion.hierarchy.nodes.push_back({"Tail", 0, {}});
  motion.clips[0].channels.push_back({3, {}, {{0.0f}, {quat(1, 0, 0, 0)}}, {}});
  Model model = leg(1.0f, quat(1, 0, 0, 0));
  const MotionReport report = applyMotion(model, motion);
  REQUIRE(report.matched.size() == 2);
  CHECK(report.matched[0].joint == "Hips");
  CHECK(report.matched[0].match == NameMatch::exact);
  CHECK(report.matched[1].joint == "Knee");
  CHECK(report.matched[1].motion == "mixamorig:KNEE");
  CHECK(report.matched[1].match == NameMatch::normalised);
  CHECK(report.unmatched == std::vector<std::string>{"Tail"});
}

TEST_CASE("a body by other names: parts are matched, and the back's joints are shared out") {
  Model motion = body(0.0f, true, 1.0f);
  addRotation(motion, "LeftArm", glm::angleAxis(0.9f, vec3(0, 0, 1)));
  Model model = body(0.5f, false, 1.0f);
  const char* names[] = {"pelvis",     "spine_01", "spine_02",   "head_x",     "upperarm.l",
                         "lowerarm.l", "hand.l",   "upperarm.r", "lowerarm.r", "hand.r"};
  for (std::size_t i = 0; i < 10; ++i)
    model.hierarchy.nodes[i].name = names[i];
  const MotionReport report = applyMotion(model, motion);
  CHECK(report.matched.size() == 9);
  for (const MatchedJoint& pair : report.matched)
    CHECK(pair.match == NameMatch::part);
  CHECK(report.unmatched == std::vector<std::string>{"Head"});
  CHECK(report.still == std::vector<std::string>{"head_x"});
  for (const float time : {0.0f, 1.0f})
    CHECK(glm::distance(boneAt(model, "upperarm.l", "lowerarm.l", time),
                        boneAt(motion, "LeftArm", "LeftForeArm", time)) < 1e-3f);
}

TEST_CASE("only the head has a match: it rotates and stays in place") {
  Model motion = body(0.0f, true, 1.0f);
  addRotation(motion, "LeftArm", quat(1, 0, 0, 0));
  motion.clips[0].channels.push_back(
      {3, {{0.0f, 1.0f}, {vec3(0, 0.3f, 0), vec3(0, 0.3f, 4.0f)}}, {}, {}});
  Model model = body(0.0f, true, 1.0f);
  for (Node& node : model.hierarchy.nodes)
    if (node.name != "Head") node.name = "other " + node.name;
  applyMotion(model, motion);
  CHECK(glm::distance(placeAt(model, 3, 1.0f), placeAt(model, 3, 0.0f)) < 1e-5f);
}

TEST_CASE("a motion that shares one joint rotates the model from its own rest") {
  const quat lying = glm::angleAxis(-1.5707963f, vec3(1, 0, 0));
  Model motion;
  motion.hierarchy.nodes = {{"Hips", kNoNode, {}},
                            {"Tail", 0, {{0, 1, 0}, {1, 0, 0, 0}, {1, 1, 1}}}};
  const quat half = glm::angleAxis(1.0f, vec3(0, 1, 0));
  motion.clips.push_back({"turn", 1.0f, {{0, {}, {{0.0f, 1.0f}, {quat(1, 0, 0, 0), half}}, {}}}});
  Model model = leg(1.0f, lying);
  const vec3 foot = vec3(modelFromNodes(model.hierarchy, restPose(model.hierarchy))[2][3]);
  const MotionReport report = applyMotion(model, motion);
  CHECK(report.matched.size() == 1);
  CHECK_FALSE(report.exact);
  CHECK(glm::distance(placeAt(model, 2, 0.0f), foot) < 1e-5f);
  const quat turned =
      decompose(modelFromNodes(model.hierarchy, sample(model.hierarchy, model.clips[0], 1.0f))[0])
          .rotation;
  CHECK(std::abs(glm::dot(turned, half * lying)) > 0.99999f);
}

TEST_CASE("skin that hangs on a goal beside the limb, or on a branch beside the matched one") {
  Model motion = leg(1.0f, quat(1, 0, 0, 0));
  addKick(motion, quat(1, 0, 0, 0));
  // The same leg twice as long on another frame, with a goal at the foot that has the foot's skin,
  // and a body beside the hips.
  const quat frame = glm::angleAxis(0.8f, glm::normalize(vec3(2, -1, 1)));
  Model model = leg(2.0f, frame);
  const vec3 foot = vec3(modelFromNodes(model.hierarchy, restPose(model.hierarchy))[2][3]);
  for (Node& node : model.hierarchy.nodes)
    node.parent = node.parent == kNoNode ? 0 : node.parent + 1;
  model.hierarchy.nodes.insert(model.hierarchy.nodes.begin(), {"All", kNoNode, {}});
  model.hierarchy.nodes.push_back({"Goal", 1, {glm::inverse(frame) * (foot - vec3(0, 4, 0))}});
  model.hierarchy.nodes.push_back({"Body", 0, {vec3(0, 5, 0)}});
  Skin skin;
  Mesh mesh;
  for (const std::uint32_t node : {1u, 2u, 4u, 5u}) {
    mesh.influences.append({{{static_cast<std::uint32_t>(skin.joints.size()), 1.0f}}});
    mesh.positions.emplace_back(0.0f);
    skin.joints.push_back({node, mat4(1.0f)});
  }
  mesh.skin = 0;
  model.meshes.push_back(mesh);
  model.skins.push_back(skin);
  applyMotion(model, motion);
  for (const float t : {0.0f, 0.4f, 1.0f}) {
    CAPTURE(t);
    // Goal and foot; between keys the goal moves on chords.
    const float chord = t == 0.4f ? 1e-3f : 1e-5f;
    CHECK(glm::distance(placeAt(model, 4, t), placeAt(model, 3, t)) < chord);
    const vec3 moved = placeAt(model, 1, t) - vec3(0, 4, 0);
    CHECK(glm::distance(moved, vec3(0, 0, 4.0f * t)) < 1e-5f);
    CHECK(glm::distance(placeAt(model, 5, t), vec3(0, 5, 0) + moved) < 1e-5f); // not left behind
  }
}

TEST_CASE(
    "a root on the ground, and feet on it: the body stays with its hips and feet with shins") {
  // Spine up, legs down; the motion's root is in the hips, and its feet hang on the shins.
  const auto body = [](bool goals, float size) {
    Model model;
    const auto add = [&](const char* name, std::uint32_t parent, const vec3& place) {
      model.hierarchy.nodes.push_back({name, parent, {size * place}});
    };
    add("Root", kNoNode, goals ? vec3(0) : vec3(0, 2, 0));
    add("Hips", 0, goals ? vec3(0, 2, 0) : vec3(0));
    add("Spine", 1, {0, 1, 0});
    add("Head", 2, {0, 1, 0});
    for (const float side : {-1.0f, 1.0f}) {
      const auto thigh = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
      const bool left = side > 0.0f;
      add(left ? "LeftUpLeg" : "RightUpLeg", 1, {0.2f * side, 0, 0});
      add(left ? "LeftLeg" : "RightLeg", thigh, {0, -1, 0});
      const vec3 foot = goals ? vec3(0.2f * side, 0, 0) : vec3(0, -1, 0);
      add(left ? "LeftFoot" : "RightFoot", goals ? 0 : thigh + 1, foot);
    }
    return model;
  };
  Model motion = body(false, 1.0f);
  Clip clip{"dance", 1.0f, {}};
  for (std::uint32_t node = 0; node < motion.hierarchy.nodes.size(); ++node) {
    const float angle = node == 0 ? 0.7f : 0.2f * static_cast<float>(node % 4);
    clip.channels.push_back(
        {node,
         {},
         {{0.0f, 1.0f},
          {quat(1, 0, 0, 0), glm::angleAxis(angle, glm::normalize(vec3(2, 1, 0.5f)))}},
         {}});
  }
  motion.clips.push_back(clip);
  Model model = body(true, 3.0f);
  applyMotion(model, motion);
  for (const float t : {0.0f, 0.4f, 1.0f})
    for (const char* name : {"Hips", "Head", "LeftLeg", "LeftFoot", "RightFoot"}) {
      CAPTURE(t);
      CAPTURE(std::string(name));
      const vec3 here = placeAt(model, *findNode(model.hierarchy, name), t);
      const vec3 there = placeAt(motion, *findNode(motion.hierarchy, name), t);
      CHECK(glm::distance(here, 3.0f * there) < (t == 0.4f ? 5e-3f : 1e-4f)); // chords between keys
    }
}

TEST_CASE("frames that are rotated about their bones: limbs are not twisted") {
  // Both with an axis along the bone; on the model's legs the others are rotated about it.
  const auto body = [](float roll) {
    const quat down = glm::angleAxis(3.1415927f, vec3(1, 0, 0)); // y along the leg
    const quat rolled = down * glm::angleAxis(roll, vec3(0, 1, 0));
    Model model;
    model.hierarchy.nodes = {{"Hips", kNoNode, {{0, 4, 0}}},
                             {"Spine", 0, {{0, 1, 0}}},
                             {"Chest", 1, {{0, 2, 0}}},
                             {"Head", 2, {{0, 2, 0}}}};
    for (const float side : {-1.0f, 1.0f}) {
      const std::string s = side < 0.0f ? ".l" : ".r";
      const auto first = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
      model.hierarchy.nodes.push_back({"thigh" + s, 0, {{side, 0, 0}, rolled}});
      model.hierarchy.nodes.push_back({"calf" + s, first, {{0, 2, 0}}});
      model.hierarchy.nodes.push_back({"foot" + s, first + 1, {{0, 2, 0}}});
    }
    return model;
  };
  Model motion = body(0.0f);
  Clip clip{"walk", 1.0f, {}};
  for (std::uint32_t node = 0; node < motion.hierarchy.nodes.size(); ++node) {
    const quat rest = motion.hierarchy.nodes[node].rest.rotation;
    const quat bent = rest * glm::angleAxis(0.1f * static_cast<float>(node % 5),
                                            glm::normalize(vec3(1, 0.2f, 0.4f)));
    clip.channels.push_back({node, {}, {{0.0f, 1.0f}, {rest, bent}}, {}});
  }
  motion.clips.push_back(clip);
  Model model = body(2.8f);
  for (Node& node : model.hierarchy.nodes) // with equal lengths it would be taken for the same rig
    node.rest.translation *= 2.0f;
  const Hierarchy& there = motion.hierarchy;
  const std::vector<mat4> restThere = modelFromNodes(there, restPose(there));
  const std::vector<mat4> restHere = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  applyMotion(model, motion);
  const std::vector<mat4> movedThere = modelFromNodes(there, sample(there, motion.clips[0], 1.0f));
  const std::vector<mat4> movedHere =
      modelFromNodes(model.hierarchy, sample(model.hierarchy, model.clips[0], 1.0f));
  for (const std::uint32_t leg : {4u, 5u, 7u, 8u}) {
    CAPTURE(leg);
    const quat here = glm::quat_cast(mat3(movedHere[leg]) * glm::inverse(mat3(restHere[leg])));
    const quat other = glm::quat_cast(mat3(movedThere[leg]) * glm::inverse(mat3(restThere[leg])));
    CHECK(std::abs(glm::dot(here, other)) > 0.9999f);
  }
}
