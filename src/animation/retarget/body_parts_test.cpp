#include "animation/retarget/body_parts.h"

#include <doctest/doctest.h>

using namespace sinew;

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
