#include "animation/retarget/joint_names.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

struct Named {
  const char* name;
  std::uint32_t parent;
};

Model makeModel(const std::vector<Named>& nodes) {
  Model model;
  Clip clip{"all", 1.0f, {}};
  for (const Named& node : nodes) {
    clip.channels.push_back({static_cast<std::uint32_t>(model.hierarchy.nodes.size()), {}, {}, {}});
    model.hierarchy.nodes.push_back({node.name, node.parent, {}});
  }
  model.clips.push_back(clip);
  return model;
}

std::string describePairs(const Model& model, const Model& motion,
                          std::vector<std::string>& unmatched) {
  std::string out;
  for (const JointPair& pair : matchJoints(model, motion, {}, unmatched))
    out += model.hierarchy.nodes[pair.model].name + "=" + motion.hierarchy.nodes[pair.motion].name +
           " ";
  return out;
}

} // namespace

TEST_CASE("joints of a motion: parts of the body, the joint itself before a helper of its name") {
  const Model model = makeModel({{"spine05", kNoNode},
                                 {"spine04", 0},
                                 {"upperarm01.L", 1},
                                 {"upperarm02.L", 2},
                                 {"clavicle.L", 1},
                                 {"finger1", 3},
                                 {"finger2", 3}});
  const Model motion = makeModel({{"Root", kNoNode},
                                  {"Spine1", 0},
                                  {"Spine2", 1},
                                  {"Spine3", 2},
                                  {"__Clavicle_L", 3},
                                  {"Clavicle_L", 4},
                                  {"__UpArm_L", 5},
                                  {"UpArm_L", 6},
                                  {"Finger", 7}});
  std::vector<std::string> unmatched;
  CHECK(describePairs(model, motion, unmatched) ==
        "spine05=Spine1 spine04=Spine3 upperarm01.L=UpArm_L clavicle.L=Clavicle_L ");
  CHECK(unmatched ==
        std::vector<std::string>{"Root", "Spine2", "Finger", "__Clavicle_L", "__UpArm_L"});
}

TEST_CASE("joints of a motion: what carries legs and back, and shoulders below collars") {
  const Model model = makeModel({{"Scene", kNoNode},
                                 {"All", 0},
                                 {"Low", 1},
                                 {"Thigh.L", 2},
                                 {"Thigh.R", 2},
                                 {"High", 1},
                                 {"Spine", 5},
                                 {"Clavicle.L", 6},
                                 {"UpperArm.L", 7},
                                 {"ForeArm.L", 8}});
  const Model motion = makeModel({{"Hips", kNoNode},
                                  {"LeftHip", 0},
                                  {"RightHip", 0},
                                  {"Chest", 0},
                                  {"LeftCollar", 3},
                                  {"LeftShoulder", 4},
                                  {"LeftElbow", 5}});
  std::vector<std::string> unmatched;
  CHECK(describePairs(model, motion, unmatched) ==
        "All=Hips Thigh.L=LeftHip Thigh.R=RightHip Spine=Chest Clavicle.L=LeftCollar "
        "UpperArm.L=LeftShoulder ForeArm.L=LeftElbow ");
  CHECK(unmatched.empty());
  // Not where a matched joint is above the others already.
  const Model whole = makeModel({{"Scene", kNoNode}, {"Hips", 0}, {"Thigh.L", 1}, {"Spine", 1}});
  CHECK(describePairs(whole, motion, unmatched) == "Hips=Hips Thigh.L=LeftHip Spine=Chest ");
}

TEST_CASE("joints of a motion: parts do not go against the order of names that are equal") {
  const Model model =
      makeModel({{"Hips", kNoNode}, {"Spine1", 0}, {"Spine2", 1}, {"Neck", 2}, {"Thigh.L", 0}});
  const Model motion =
      makeModel({{"Hips", kNoNode}, {"LowerBack", 0}, {"Spine", 1}, {"Spine1", 2}, {"Neck", 3}});
  std::vector<std::string> unmatched;
  CHECK(describePairs(model, motion, unmatched) == "Hips=Hips Spine1=Spine1 Neck=Neck ");
  CHECK(unmatched == std::vector<std::string>{"LowerBack", "Spine"});
}

TEST_CASE("the same part by the names of several rigs") {
  for (const char* name : {"thigh.l", "LeftUpLeg", "UpperLeg.L", "Bip01_L_Thigh",
                           "mixamorig:LeftUpLeg", "upperleg_l", "L_UpLeg"})
    CHECK(bodyPart(name) == "left thigh");
  for (const char* name : {"calf.r", "RightLeg", "LowerLeg.R", "Bip01_R_Calf", "RShin"})
    CHECK(bodyPart(name) == "right calf");
  for (const char* name : {"upperarm.l", "LeftArm", "UpArm_L", "Bip01_L_UpperArm"})
    CHECK(bodyPart(name) == "left upper arm");
  for (const char* name : {"ball.l", "LeftToeBase", "toes.l", "Bip01_L_Toe0"})
    CHECK(bodyPart(name) == "left toes");
  for (const char* name : {"pelvis", "Hips", "Bip01_Pelvis"})
    CHECK(bodyPart(name) == "hips");
  for (const char* name : {"spine_01", "Spine2", "LowerBack", "Abdomen", "chest"})
    CHECK(bodyPart(name) == "spine");
  CHECK(bodyPart("neck_01") == "neck");
}

TEST_CASE("what is no part of a body, or a finger, is none") {
  for (const char* name : {"", "Root", "LHipJoint", "thumb_01.l", "LeftHandIndex1", "HeadTop_End",
                           "EndSite_Head", "kneeIK.l", "LeftFootCtrl", "Tail", "L_R_Foot", "Leg"})
    CHECK(bodyPart(name).empty());
}

TEST_CASE("a hip, knee or elbow with a side is a part where nothing else is") {
  CHECK(likelyBodyPart("B_Hip_Left") == "left thigh");
  CHECK(likelyBodyPart("knee.r") == "right calf");
  CHECK(likelyBodyPart("L_Elbow") == "left forearm");
  CHECK(likelyBodyPart("Hip").empty());
  CHECK(likelyBodyPart("LeftUpLeg").empty());
}
