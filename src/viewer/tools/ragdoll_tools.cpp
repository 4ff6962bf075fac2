#include "core/directions.h"
#include "editor/pose/gizmo.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/session.h"
#include "physics/joint_math.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tool_shapes.h"
#include "viewer/tools/tools.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using Color = glm::u8vec4;

constexpr int kCirclePieces = 24; // segments of a circle
constexpr float kFullAngle = glm::two_pi<float>();

Color toColor(const vec3& rgb, int alpha) {
  const vec3 c = 255.0f * glm::clamp(rgb, vec3(0.0f), vec3(1.0f));
  return {static_cast<std::uint8_t>(c.x), static_cast<std::uint8_t>(c.y),
          static_cast<std::uint8_t>(c.z), static_cast<std::uint8_t>(alpha)};
}

// Lines of a body in its own space, put where the body is.
struct Pen {
  Overlay& overlay;
  vec3 center;
  quat rotation;
  Color color;

  vec3 at(const vec3& local) const { return center + rotation * local; }
  void line(const vec3& a, const vec3& b) const { addLine(overlay, at(a), at(b), color); }
  void circle(const vec3& middle, const vec3& u, const vec3& v, float from, float to) const {
    for (int i = 0; i < kCirclePieces; ++i) {
      const auto on = [&](int k) {
        const float angle = from + (to - from) * static_cast<float>(k) / kCirclePieces;
        return middle + std::cos(angle) * u + std::sin(angle) * v;
      };
      line(on(i), on(i + 1));
    }
  }
};

void addCapsule(const Pen& pen, float radius, float length) {
  const vec3 x(radius, 0, 0);
  const vec3 y(0, radius, 0);
  const vec3 z(0, 0, radius);
  const vec3 end(0, 0.5f * length, 0);
  for (const float side : {-1.0f, 1.0f}) {
    pen.circle(side * end, x, z, 0.0f, kFullAngle);
    pen.circle(side * end, x, side * y, 0.0f, 0.5f * kFullAngle);
    pen.circle(side * end, z, side * y, 0.0f, 0.5f * kFullAngle);
  }
  for (const vec3& side : {x, -x, z, -z})
    pen.line(side - end, side + end);
}

void addBox(const Pen& pen, const vec3& half) {
  for (int axis = 0; axis < 3; ++axis)
    for (const float a : {-1.0f, 1.0f})
      for (const float b : {-1.0f, 1.0f}) {
        vec3 from(0.0f);
        from[(axis + 1) % 3] = a * half[(axis + 1) % 3];
        from[(axis + 2) % 3] = b * half[(axis + 2) % 3];
        vec3 to = from;
        from[axis] = -half[axis];
        to[axis] = half[axis];
        pen.line(from, to);
      }
}

// The places of the config's bodies: those of the fall, else those of the pose on screen.
std::vector<RigidTransform> shownPlaces(const Document& document, const RagdollPlay& play) {
  std::vector<RigidTransform> places;
  const std::vector<BodyBinding> bindings =
      bindBodies(document.workbench.model, play.file->config.bodies);
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (play.fall && play.backLeft <= 0.0) {
      const RigidTransform world = play.fall->ragdoll.body(i);
      places.push_back({play.fall->ragdoll.modelFromWorld(world.position), world.rotation});
    } else {
      places.push_back(bodyTransform(bindings[i], document.workbench.modelFromNode));
    }
  }
  return places;
}

// A hinge's arc from back to front, where the child points; a universal joint's cone.
void addLimits(Overlay& overlay, const RagdollJoint& joint, const RigidTransform& parent,
               const RigidTransform& bindParent, const RigidTransform& bindChild, float size) {
  const Pen pen{overlay, vec3(parent.point(glm::dvec3(joint.anchor))),
                glm::normalize(quat(parent.rotation)), Color{255, 214, 92, 200}};
  const glm::dvec3 anchor = bindParent.point(glm::dvec3(joint.anchor));
  const vec3 axis = joint.axis;
  if (joint.type == RagdollJointType::hinge) {
    vec3 bound =
        vec3(glm::conjugate(bindParent.rotation) * glm::normalize(bindChild.position - anchor));
    bound = size * glm::normalize(bound - glm::dot(bound, axis) * axis);
    const vec3 across = glm::cross(axis, bound);
    pen.circle(vec3(0.0f), bound, across, joint.backAngle, joint.frontAngle);
    for (const float angle : {joint.backAngle, joint.frontAngle})
      pen.line(vec3(0.0f), std::cos(angle) * bound + std::sin(angle) * across);
    return;
  }
  const vec3 u = perpendicular(axis);
  const vec3 v = glm::cross(axis, u);
  const float reach = size * std::sin(joint.bendFreedom);
  const vec3 middle = size * std::cos(joint.bendFreedom) * axis;
  pen.circle(middle, reach * u, reach * v, 0.0f, kFullAngle);
  for (const vec3& side : {u, v, -u, -v})
    pen.line(vec3(0.0f), middle + reach * side);
}

void addBall(Overlay& overlay, const vec3& center, float radius) {
  const vec3 light = glm::normalize(vec3(0.45f, 0.8f, 0.55f));
  const auto on = [](int i, int j) {
    const float a = kFullAngle * static_cast<float>(i) / 20.0f;
    const float b = 0.5f * kFullAngle * static_cast<float>(j) / 10.0f;
    return vec3(std::cos(a) * std::sin(b), std::cos(b), std::sin(a) * std::sin(b));
  };
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 10; ++j) {
      const std::array<vec3, 4> corners{on(i, j), on(i, j + 1), on(i + 1, j + 1), on(i + 1, j)};
      const vec3 normal = glm::normalize(corners[0] + corners[1] + corners[2] + corners[3]);
      const float shade = 0.35f + 0.65f * std::max(glm::dot(normal, light), 0.0f);
      const Color color = toColor(shade * vec3(0.93f, 0.42f, 0.2f), 255);
      const auto p = [&](int k) { return center + radius * corners[static_cast<std::size_t>(k)]; };
      addTriangle(overlay, p(0), p(2), p(1), color);
      addTriangle(overlay, p(0), p(3), p(2), color);
    }
}

void addBalls(const RagdollFall& fall, Overlay& overlay) {
  for (std::size_t i = 0; i < fall.world.ballCount(); ++i)
    addBall(overlay, vec3(fall.ragdoll.modelFromWorld(fall.world.ball(i).position)),
            static_cast<float>(fall.world.ballRadius(i) / fall.ragdoll.metresPerUnit()));
}

// Draws the foot of the walls and a line halfway up; the walls have no upper end.
void addWalls(const RagdollFall& fall, Overlay& overlay) {
  const double away = wallDistance(fall);
  const auto corner = [&](int i, double height) {
    const glm::dvec3 at(i % 3 == 0 ? -away : away, height, i < 2 ? -away : away);
    const glm::dvec3 middle(fall.middle.x, 0.0, fall.middle.z);
    return vec3(fall.ragdoll.modelFromWorld(middle + at));
  };
  const Color color{150, 160, 178, 130};
  for (int i = 0; i < 4; ++i) {
    for (const double height : {0.0, 0.5 * away})
      addLine(overlay, corner(i, height), corner((i + 1) % 4, height), color);
    addLine(overlay, corner(i, 0.0), corner(i, 0.5 * away), color);
  }
}

void addShapes(const Document& document, const RagdollPlay& play, Overlay& overlay) {
  const RagdollConfig& config = play.file->config;
  const std::vector<RigidTransform> places = shownPlaces(document, play);
  const std::vector<BodyBinding> bindings = bindBodies(document.workbench.model, config.bodies);
  const auto size = static_cast<float>(0.09 * measureSize(config.bodies).longest);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const RagdollBody& body = config.bodies[i];
    // A body has the colour of the joint it hangs on: joint i - 1, bodies being in that order.
    const double severe = play.fall && i > 0 ? play.fall->state.joints[i - 1].severity : 0.0;
    const double height = play.fall ? play.fall->ragdoll.height() : 1.0;
    const Pen pen{overlay, vec3(places[i].position), glm::normalize(quat(places[i].rotation)),
                  toColor(severityColor(severe, height), 255)};
    if (body.shape == BodyShape::box)
      addBox(pen, body.halfExtents);
    else
      addCapsule(pen, body.radius, body.length);
  }
  for (std::size_t j = 0; j < config.joints.size(); ++j) {
    const auto parent =
        std::find_if(config.bodies.begin(), config.bodies.end(),
                     [&](const RagdollBody& body) { return body.bone == config.joints[j].parent; });
    const auto p = static_cast<std::size_t>(parent - config.bodies.begin());
    addLimits(overlay, config.joints[j], places[p], bindings[p].bind, bindings[j + 1].bind, size);
  }
}

// Where the mouse's ray meets the plane through the dragged point that faces the eye.
vec3 dragTarget(const RagdollPlay& play, const View& view, const Ray& ray) {
  const vec3 facing = towardsEye(view.camera, play.dragPoint);
  const float along = glm::dot(ray.direction, facing);
  if (std::abs(along) < 1e-4f) return play.dragPoint;
  return ray.origin + glm::dot(play.dragPoint - ray.origin, facing) / along * ray.direction;
}

} // namespace

vec3 severityColor(double severity, double height) {
  const auto share = static_cast<float>(std::clamp(100.0 * severity / height, 0.0, 1.0));
  return {std::min(2.0f * share, 1.0f), std::min(2.0f * (1.0f - share), 1.0f), 0.3f};
}

bool ragdollInput(const Document& document, RagdollPlay& play, const Ui& ui, const Rect& picture,
                  float pixelsPerUnit) {
  if (!ragdollActive(play) || play.backLeft > 0.0) return std::exchange(play.dragging, false);
  const vec2 pixel = mousePixel(picture, pixelsPerUnit);
  const auto point = viewPointAt(document, ui, pixel);
  Ragdoll& ragdoll = play.fall->ragdoll;
  const bool taken =
      ImGui::GetIO().WantCaptureMouse || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (!play.dragging && point && !taken && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const Ray ray = rayAt(currentView(document, ui, point->view), point->pixel);
    const float far = 1e3f * static_cast<float>(measureSize(ragdoll.config().bodies).longest);
    const auto hit =
        ragdoll.hit(ragdoll.worldFromModel(glm::dvec3(ray.origin)),
                    ragdoll.worldFromModel(glm::dvec3(ray.origin + far * ray.direction)));
    if (!hit) return false;
    ragdoll.drag(hit->body, hit->point, hit->point);
    play.dragPoint = vec3(ragdoll.modelFromWorld(hit->point));
    play.dragging = true;
  }
  if (!play.dragging) return false;
  if (point) {
    const View view = currentView(document, ui, point->view);
    ragdoll.dragTo(
        ragdoll.worldFromModel(glm::dvec3(dragTarget(play, view, rayAt(view, point->pixel)))));
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    ragdoll.release();
    play.dragging = false;
    play.fall->state.resting = false; // the ragdoll falls from where it was released
  }
  return true;
}

void drawRagdoll(Document& document, RagdollPlay& play, Graphics& graphics, const View&) {
  if (!hasModel(document) || document.crowd) return;
  if (play.fall) {
    Overlay balls;
    addBalls(*play.fall, balls);
    if (play.fall->walls) addWalls(*play.fall, balls);
    graphics.scene.renderer.draw(balls);
  }
  if (!play.shapes || ragdollConfig(document, play) == nullptr) return;
  Overlay overlay;
  overlay.onTop = true;
  addShapes(document, play, overlay);
  graphics.scene.renderer.draw(overlay);
}

} // namespace sinew
