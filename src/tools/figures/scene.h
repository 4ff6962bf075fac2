// Shared by the figures: a model posed by a method as in the paper, and its picture.
#pragma once

#include "app/workbench.h"
#include "metrics/compare.h"
#include "view/overlay.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A method by name with parameters as on the command line ("attachments=1,parameter-source=zone").
struct Choice {
  std::string_view method;
  std::string parameters = {};
  std::vector<Zone> zones = {}; // one per joint of the rig; empty: fitted to the weights
  int influences = 4;           // kept per vertex
};

Workbench poseBy(const Model& model, const Choice& choice, const Pose& pose);

// The positions by the CPU reference, model space.
std::vector<vec3> posedPositions(const Workbench& workbench);

// A clip of the model at a moment.
Pose clipPose(const Model& model, std::string_view clip, float seconds);

// The joint's index in buildRig(model) of a model with one skin, by its node's name.
std::uint32_t rigJoint(const Rig& rig, const Model& model, std::string_view name);

// The metrics of the skin at a joint in a pose by a method (metrics/compare.h).
MethodMetrics measure(const Model& model, std::string_view joint, const Choice& choice,
                      const Pose& pose);

// A cube about a point, to be framed by the camera.
Bounds around(const vec3& center, float halfSize);

struct Shot {
  int width = 480;
  int height = 360;
  float yaw = 0.0f; // degrees, as in Settings
  float pitch = 10.0f;
  float distance = 1.0f;
  Bounds frame = {}; // what distance 1 shows; empty: the posed model
  bool textures = true;
  bool wireframe = false;
  bool skeleton = false;
  std::vector<float> field = {}; // 0 to 1 per vertex, as colour; empty: the model's own colours
  std::vector<vec3> colors = {}; // per vertex, in their place
  std::vector<Overlay> overlays = {};
};

Image shoot(const Workbench& workbench, const Shot& shot);

// Only the overlays, within the shot's frame.
Image shootOverlays(const Shot& shot);

// The model with other vertex positions of its one mesh, and their normals: no pose moves it.
Workbench stillMesh(Model model, std::span<const vec3> positions);

// Lines thick enough for print: a rod of six sides from a to b; an arrow with its tip at b.
void addRod(Overlay& overlay, const vec3& a, const vec3& b, float radius, const glm::u8vec4& color);
void addArrow(Overlay& overlay, const vec3& a, const vec3& b, float radius,
              const glm::u8vec4& color);

} // namespace sinew
