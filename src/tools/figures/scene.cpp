#include "tools/figures/scene.h"

#include "app/method_parameters.h"
#include "app/settings_view.h"
#include "core/directions.h"
#include "core/error.h"
#include "picture/scene_renderer.h"
#include "render/offscreen.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr int kSides = 6;

// Overlays are drawn unlit: faces are shaded here.
glm::u8vec4 lit(const glm::u8vec4& color, const vec3& normal) {
  const float shade = 0.66f + 0.34f * glm::dot(normal, glm::normalize(vec3(0.4f, 0.8f, 0.45f)));
  const vec3 rgb = shade * vec3(color);
  return {static_cast<std::uint8_t>(rgb.x), static_cast<std::uint8_t>(rgb.y),
          static_cast<std::uint8_t>(rgb.z), color.w};
}

// A frustum with sides of its own brightness; a radius of 0 makes a cone.
void addFrustum(Overlay& overlay, const vec3& a, const vec3& b, float radiusA, float radiusB,
                const glm::u8vec4& color) {
  const vec3 along = b - a;
  if (!(glm::length(along) > 0.0f)) return;
  const vec3 axis = glm::normalize(along);
  const vec3 u = perpendicular(axis);
  const vec3 v = glm::cross(axis, u);
  const auto direction = [&](float side) {
    const float angle = glm::two_pi<float>() * side / kSides;
    return std::cos(angle) * u + std::sin(angle) * v;
  };
  for (int i = 0; i < kSides; ++i) {
    const vec3 from = direction(static_cast<float>(i));
    const vec3 to = direction(static_cast<float>(i + 1));
    const glm::u8vec4 shaded = lit(color, direction(static_cast<float>(i) + 0.5f));
    addTriangle(overlay, a + radiusA * from, a + radiusA * to, b + radiusB * to, shaded);
    addTriangle(overlay, a + radiusA * from, b + radiusB * to, b + radiusB * from, shaded);
    addTriangle(overlay, a, a + radiusA * to, a + radiusA * from, lit(color, -axis));
    addTriangle(overlay, b, b + radiusB * from, b + radiusB * to, lit(color, axis));
  }
}

Settings makeSettings(const Shot& shot) {
  Settings settings;
  settings.yaw = shot.yaw;
  settings.pitch = shot.pitch;
  settings.distance = shot.distance;
  settings.textures = shot.textures;
  settings.wireframe = shot.wireframe;
  settings.skeleton = shot.skeleton;
  settings.grid = false;
  settings.look = Look::plain; // as in the figures' small pictures
  settings.lightYaw = 35.0f;
  settings.lightPitch = 45.0f;
  settings.contactShadow = false;
  settings.background = {BackdropKind::color, vec3(0.93f, 0.94f, 0.95f)}; // the colour of paper
  return settings;
}

} // namespace

Workbench poseBy(const Model& model, const Choice& choice, const Pose& pose) {
  Settings settings;
  settings.methods = parseMethods(choice.method);
  settings.parameters = parseParameters(choice.parameters);
  settings.influences = choice.influences;
  settings.clip = "none";
  Workbench workbench = makeWorkbench(model, settings);
  if (!choice.zones.empty()) {
    BoundMethod& bound = workbench.bound.front();
    BindOptions options = bound.options;
    options.zones = choice.zones;
    bound = bindMethod(workbench.rig, *bound.method, std::move(options));
  }
  holdPose(workbench, pose);
  return workbench;
}

std::vector<vec3> posedPositions(const Workbench& workbench) {
  return skinOnCpu(workbench, workbench.bound.front()).positions;
}

Pose clipPose(const Model& model, std::string_view clip, float seconds) {
  return sample(model.hierarchy, model.clips[findClip(model, clip)], seconds);
}

std::uint32_t rigJoint(const Rig& rig, const Model& model, std::string_view name) {
  const std::uint32_t node = findJoint(model, name);
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    if (rig.joints[j].node == node) return j;
  throw usageError("no skin follows the joint '" + std::string(name) + "'");
}

MethodMetrics measure(const Model& model, std::string_view joint, const Choice& choice,
                      const Pose& pose) {
  const Workbench workbench = poseBy(model, choice, pose);
  const JointProbe probe = probeJoint(model, workbench.rig, rigJoint(workbench.rig, model, joint));
  return computeMetrics(probe, workbench.rig, choice.method, posedPositions(workbench),
                        posedPositions(poseBy(model, {"lbs"}, pose)));
}

Bounds around(const vec3& center, float halfSize) {
  return {center - vec3(halfSize), center + vec3(halfSize)};
}

Image shoot(const Workbench& workbench, const Shot& shot) {
  const Settings settings = makeSettings(shot);
  SceneRenderer scene;
  uploadModel(scene, workbench, settings);
  if (!scene.meshes.empty() && !shot.field.empty()) scene.meshes.front().setField(shot.field);
  if (!scene.meshes.empty() && !shot.colors.empty()) scene.meshes.front().setField(shot.colors);
  const Viewport viewport{0, 0, shot.width, shot.height};
  const Outline posed = posedOutline(workbench);
  const Camera camera =
      makeCamera(settings, shot.frame.empty() ? posed : Outline(shot.frame), viewport.aspect());
  Bounds shown = posed;
  if (!shot.frame.empty()) shown.include(shot.frame);
  View view = makeView(settings, camera, shown, viewport);
  view.show.field = !shot.field.empty() || !shot.colors.empty();
  return renderOffscreen({.width = shot.width, .height = shot.height, .samples = 4}, [&] {
    drawScene(scene, workbench, settings, view);
    for (const Overlay& overlay : shot.overlays)
      scene.renderer.draw(overlay);
  });
}

Image shootOverlays(const Shot& shot) {
  const Settings settings = makeSettings(shot);
  const Viewport viewport{0, 0, shot.width, shot.height};
  const View view =
      makeView(settings, makeCamera(settings, shot.frame, viewport.aspect()), shot.frame, viewport);
  Renderer renderer;
  return renderOffscreen({.width = shot.width, .height = shot.height, .samples = 4}, [&] {
    renderer.begin(view);
    for (const Overlay& overlay : shot.overlays)
      renderer.draw(overlay);
  });
}

Workbench stillMesh(Model model, std::span<const vec3> positions) {
  Mesh& mesh = model.meshes.front();
  mesh.positions.assign(positions.begin(), positions.end());
  mesh.normals = computeNormals(mesh.positions, mesh.triangles);
  mesh.skin.reset();
  mesh.influences = {};
  mesh.node = 0;
  // The mesh is in model space: its node is at the origin.
  for (Node& node : model.hierarchy.nodes)
    node.rest = {};
  model.clips.clear();
  const Pose pose = restPose(model.hierarchy);
  return poseBy(model, {"lbs"}, pose);
}

void addRod(Overlay& overlay, const vec3& a, const vec3& b, float radius,
            const glm::u8vec4& color) {
  addFrustum(overlay, a, b, radius, radius, color);
}

void addArrow(Overlay& overlay, const vec3& a, const vec3& b, float radius,
              const glm::u8vec4& color) {
  const vec3 along = b - a;
  const float length = glm::length(along);
  if (!(length > 0.0f)) return;
  const vec3 neck = b - std::min(4.0f * radius, 0.5f * length) / length * along;
  addRod(overlay, a, neck, radius, color);
  addFrustum(overlay, neck, b, 2.4f * radius, 0.0f, color);
}

} // namespace sinew
