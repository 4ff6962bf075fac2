// The surface of the body-arm (Forstmann and Ohya 2006, figures 5 and 6), which two models share:
// one skinned by joints, one by free splines.
#pragma once

#include "model/model.h"

namespace sinew::body_arm {

// Bind pose, metres: the body stands on y = 0, the arm stretches along +X.
inline constexpr float kUpper = 0.40f;     // height of the bend in the body
inline constexpr float kArmHeight = 0.76f; // height of the arm's middle line
inline constexpr float kShoulder = 0.23f;  // x of the bends in the arm
inline constexpr float kElbow = 0.62f;
inline constexpr float kWrist = 0.93f;

// 12,864 vertices as in the paper; no skin, no colours.
Mesh makeMesh();

// What follows the arm, 0 to 1: beside the body only the surroundings of the shoulder do.
float armShare(const vec3& p);

// The paper's colours of influence: body red, arm green, elbow blue.
vec4 computeArmColor(float arm, float elbow);

// Figure 6 in the middle of a clip: bends the body, the arm and the elbow.
void bend(float phase, Transform& body, Transform& arm, Transform& elbow);

// Material and texture of the mesh.
void addMaterial(Model& model);

} // namespace sinew::body_arm
