// The animation stacks of an FBX file (version 7) or its takes (version 6): layers of animated
// properties, before they become clips.
#pragma once

#include "import/fbx/curve.h"

#include <glm/gtc/quaternion.hpp>

#include <array>
#include <map>
#include <set>

namespace sinew {

// One property in one layer: up to three curves, and what holds where there is none.
struct FbxCurveNode {
  static constexpr std::uint32_t kNoCurve = ~0u;
  std::array<std::uint32_t, 3> curves{kNoCurve, kNoCurve, kNoCurve};
  std::array<std::optional<double>, 3> values; // nothing: the object's own
};

// How a layer changes what the layers below it say.
enum class FbxBlend : std::uint8_t { additive, override, passThrough };

struct FbxLayer {
  FbxBlend blend = FbxBlend::additive;
  double weight = 1.0;
  std::uint32_t object = 0;    // whose property "Weight" may be animated too
  bool composeRotation = true; // as rotations, not as angles
  bool multiplyScale = true;
  std::map<std::pair<std::uint32_t, std::string>, FbxCurveNode> nodes; // by object and property
};

struct FbxStack {
  std::string name;
  double start = 0.0, stop = 0.0; // seconds; equal: the file does not say
  std::vector<FbxLayer> layers;   // from the bottom, without muted ones
};

struct FbxAnimation {
  std::vector<FbxStack> stacks;
  std::vector<FbxCurve> curves;
  FbxCurveReport report;
  std::size_t mutedLayers = 0;
};

FbxAnimation readFbxAnimation(const FbxDocument& document);

// The Euler angles of a rotation, degrees, as FBX has them. order: RotationOrder.
glm::dquat fbxRotation(const glm::dvec3& degrees, std::int64_t order);

// What the layers of a stack say about one property, from the bottom.
struct FbxPart {
  const FbxLayer* layer = nullptr;
  const FbxCurveNode* node = nullptr;
  FbxBlend blend = FbxBlend::override;
};
using FbxParts = std::vector<FbxPart>;

// Properties of objects at moments of one stack. Both arguments must outlive it.
class FbxMotion {
 public:
  FbxMotion(const FbxAnimation& animation, const FbxStack& stack);

  const FbxStack& stack() const { return *stack_; }
  // nullptr where the stack does not move the property.
  const FbxParts* findParts(std::uint32_t object, const std::string& property) const;

  // A vector, or a number as its x. base: the object's own value, which holds without parts.
  glm::dvec3 at(const FbxParts* parts, const glm::dvec3& base, double seconds) const;
  glm::dvec3 scaleAt(const FbxParts* parts, const glm::dvec3& base, double seconds) const;
  glm::dquat rotationAt(const FbxParts* parts, const glm::dvec3& base, std::int64_t order,
                        double seconds) const;

  // The curves that a property follows.
  std::vector<const FbxCurve*> listCurves(const FbxParts* parts) const;
  // From the first to the last key of all curves; nothing where there is none.
  struct Span {
    double first = 0.0, last = 0.0;
  };
  std::optional<Span> keySpan() const;
  // Objects that the stack moves, with the properties.
  const std::map<std::pair<std::uint32_t, std::string>, FbxParts>& parts() const { return parts_; }

 private:
  glm::dvec3 sampleValue(const FbxCurveNode& node, const glm::dvec3& base, double seconds) const;
  double sampleWeight(const FbxLayer& layer, double seconds) const;

  const FbxAnimation* animation_;
  const FbxStack* stack_;
  std::map<std::pair<std::uint32_t, std::string>, FbxParts> parts_;
};

} // namespace sinew
