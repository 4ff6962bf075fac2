#include "import/fbx/animation.h"

#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using glm::dquat;
using glm::dvec3;

// The element "Takes" has the clips of version 6; in version 7 only what their times are.
const FbxElement* takeNamed(const FbxDocument& document, const std::string& name) {
  const FbxElement* all = findChild(document.root(), "Takes");
  if (all == nullptr) return nullptr;
  for (const FbxElement& take : all->children)
    if (take.name == "Take" && textAt(take, 0) == name) return &take;
  return nullptr;
}

// Returns whether the take states its times.
bool readTakeSpan(const FbxDocument& document, const FbxElement& take, FbxStack& stack) {
  const FbxElement* time = findChild(take, "LocalTime");
  if (time == nullptr) return false;
  stack.start = realAt(*time, 0, 0.0) / document.ticksPerSecond();
  stack.stop = realAt(*time, 1, 0.0) / document.ticksPerSecond();
  return true;
}

// The channel of a geometry's blend shape of that name.
std::uint32_t blendShapeNamed(const FbxDocument& document, std::uint32_t geometry,
                              const std::string& name) {
  for (const std::uint32_t blend : document.getChildren(geometry, "Deformer", "BlendShape"))
    for (const std::uint32_t channel : document.getChildren(blend, "Deformer", "BlendShapeChannel"))
      if (document.object(channel).name == name) return channel;
  return FbxDocument::kNone;
}

// Version 7: objects "AnimationStack", "AnimationLayer", "AnimationCurveNode", "AnimationCurve".
class StackReader {
 public:
  StackReader(const FbxDocument& document, FbxAnimation& out) : document_(document), out_(out) {}

  FbxStack read(std::uint32_t index) {
    const FbxProperties properties = document_.properties(index);
    FbxStack stack;
    stack.name = document_.object(index).name;
    const bool stated = properties.hasOwn("LocalStart") || properties.hasOwn("LocalStop");
    const FbxElement* take = stated ? nullptr : takeNamed(document_, stack.name);
    if (take == nullptr || !readTakeSpan(document_, *take, stack)) {
      stack.start = seconds(properties.integer("LocalStart", 0));
      stack.stop = seconds(properties.integer("LocalStop", 0));
    }
    const std::vector<std::uint32_t> layers = document_.getChildren(index, "AnimationLayer");
    const bool solo = std::any_of(layers.begin(), layers.end(), [&](std::uint32_t layer) {
      return document_.properties(layer).flag("Solo", false);
    });
    for (const std::uint32_t layer : layers) {
      const FbxProperties settings = document_.properties(layer);
      if (settings.flag("Mute", false) || (solo && !settings.flag("Solo", false)))
        ++out_.mutedLayers;
      else
        stack.layers.push_back(readLayer(layer, settings));
    }
    return stack;
  }

 private:
  double seconds(std::int64_t ticks) const {
    return static_cast<double>(ticks) / document_.ticksPerSecond();
  }

  FbxLayer readLayer(std::uint32_t index, const FbxProperties& properties) {
    FbxLayer layer;
    const std::int64_t blend = properties.integer("BlendMode", 0);
    layer.object = index;
    layer.blend = blend == 1   ? FbxBlend::override
                  : blend == 2 ? FbxBlend::passThrough
                               : FbxBlend::additive;
    layer.weight = std::clamp(properties.real("Weight", 100.0) * 0.01, 0.0, 1.0);
    layer.composeRotation = properties.integer("RotationAccumulationMode", 0) == 0;
    layer.multiplyScale = properties.integer("ScaleAccumulationMode", 0) == 0;
    for (const std::uint32_t node : document_.getChildren(index, "AnimationCurveNode"))
      readNode(node, layer);
    return layer;
  }

  void readNode(std::uint32_t index, FbxLayer& layer) {
    static constexpr std::array<std::string_view, 3> kParts = {"d|X", "d|Y", "d|Z"};
    const FbxProperties properties = document_.properties(index);
    FbxCurveNode node;
    for (std::size_t i = 0; i < kParts.size(); ++i)
      if (properties.hasOwn(kParts[i])) node.values[i] = properties.real(kParts[i], 0.0);
    if (properties.hasOwn("d|DeformPercent"))
      node.values[0] = properties.real("d|DeformPercent", 0.0);
    for (const FbxLink& link : document_.getChildren(index)) {
      if (document_.object(link.object).kind != "AnimationCurve") continue;
      const auto part =
          static_cast<std::size_t>(std::ranges::find(kParts, link.property) - kParts.begin());
      node.curves[part == kParts.size() ? 0 : part] = curve(link.object);
    }
    for (const FbxLink& link : document_.getParents(index)) {
      if (link.property.empty()) continue;
      // Version 7.1: the percentage of a blend shape is a property of the geometry.
      const std::uint32_t shape = document_.object(link.object).kind == "Geometry"
                                      ? blendShapeNamed(document_, link.object, link.property)
                                      : FbxDocument::kNone;
      if (shape != FbxDocument::kNone)
        layer.nodes[{shape, "DeformPercent"}] = node;
      else
        layer.nodes[{link.object, link.property}] = node;
    }
  }

  std::uint32_t curve(std::uint32_t object) {
    const auto [place, isNew] =
        read_.try_emplace(object, static_cast<std::uint32_t>(out_.curves.size()));
    if (isNew)
      out_.curves.push_back(
          readFbxCurve(*document_.object(object).element, document_.ticksPerSecond(), out_.report));
    return place->second;
  }

  const FbxDocument& document_;
  FbxAnimation& out_;
  std::map<std::uint32_t, std::uint32_t> read_; // curves by their object
};

// Version 6: the element "Takes", with channels for the models that a take moves.
class TakeReader {
 public:
  TakeReader(const FbxDocument& document, FbxAnimation& out) : document_(document), out_(out) {}

  FbxStack read(const FbxElement& take) {
    FbxStack stack;
    stack.name = textAt(take, 0);
    readTakeSpan(document_, take, stack);
    FbxLayer layer;
    layer.blend = FbxBlend::override;
    for (const FbxElement& model : take.children) {
      if (model.values.empty() || !isText(model.values[0])) continue;
      const FbxName name = fbxName(model.values[0]);
      const std::uint32_t object = document_.objectNamed(name.kind + "::" + name.name);
      if (object != FbxDocument::kNone && object != kFbxRoot) readModel(model, object, layer);
    }
    stack.layers.push_back(std::move(layer));
    return stack;
  }

 private:
  void readModel(const FbxElement& model, std::uint32_t object, FbxLayer& layer) {
    for (const FbxElement& channel : model.children) {
      if (channel.name != "Channel") continue;
      const std::string name = textAt(channel, 0);
      if (name == "Transform")
        readTransform(channel, object, layer);
      else if (const std::uint32_t shape = findShape(object, name); shape != FbxDocument::kNone)
        layer.nodes[{shape, "DeformPercent"}] = readVector(channel);
      else
        layer.nodes[{object, name}] = readVector(channel);
    }
  }

  void readTransform(const FbxElement& transform, std::uint32_t object, FbxLayer& layer) {
    for (const FbxElement& channel : transform.children) {
      if (channel.name != "Channel") continue;
      const std::string name = textAt(channel, 0);
      const char* property = name == "T"   ? "Lcl Translation"
                             : name == "R" ? "Lcl Rotation"
                             : name == "S" ? "Lcl Scaling"
                                           : nullptr;
      if (property != nullptr) layer.nodes[{object, property}] = readVector(channel);
    }
  }

  // Channels X, Y, Z of a channel, or its own keys.
  FbxCurveNode readVector(const FbxElement& channel) {
    FbxCurveNode node;
    readPart(channel, 0, node);
    for (const FbxElement& part : channel.children) {
      if (part.name != "Channel") continue;
      const std::string name = textAt(part, 0);
      if (name == "X" || name == "Y" || name == "Z")
        readPart(part, static_cast<std::size_t>(name[0] - 'X'), node);
    }
    return node;
  }

  void readPart(const FbxElement& channel, std::size_t part, FbxCurveNode& node) {
    if (const FbxElement* value = findChild(channel, "Default"))
      if (!value->values.empty() && isNumber(value->values[0]))
        node.values[part] = realAt(*value, 0, 0.0);
    FbxCurve curve = readFbxChannel(channel, document_.ticksPerSecond(), out_.report);
    if (curve.times.empty()) return;
    node.curves[part] = static_cast<std::uint32_t>(out_.curves.size());
    out_.curves.push_back(std::move(curve));
  }

  // The channel of a model's blend shape of that name.
  std::uint32_t findShape(std::uint32_t model, const std::string& name) const {
    for (const std::uint32_t geometry : document_.getChildren(model, "Geometry"))
      if (const std::uint32_t shape = blendShapeNamed(document_, geometry, name);
          shape != FbxDocument::kNone)
        return shape;
    return FbxDocument::kNone;
  }

  const FbxDocument& document_;
  FbxAnimation& out_;
};

} // namespace

FbxAnimation readFbxAnimation(const FbxDocument& document) {
  FbxAnimation out;
  StackReader stacks(document, out);
  for (std::uint32_t i = 0; i < document.objects().size(); ++i)
    if (document.object(i).kind == "AnimationStack") out.stacks.push_back(stacks.read(i));
  if (document.version() >= 7000) return out; // some have takes as well, without keys
  TakeReader takes(document, out);
  if (const FbxElement* all = findChild(document.root(), "Takes"))
    for (const FbxElement& take : all->children)
      if (take.name == "Take") out.stacks.push_back(takes.read(take));
  return out;
}

dquat fbxRotation(const dvec3& degrees, std::int64_t order) {
  const auto about = [&](int axis) {
    const double half = 0.5 * glm::radians(degrees[axis]);
    dquat q(std::cos(half), 0.0, 0.0, 0.0);
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = std::sin(half);
    return q;
  };
  // The axes in the order in which a point is turned about them.
  static constexpr std::array<std::array<int, 3>, 6> kOrders = {
      {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
  const auto& axes = kOrders[order >= 0 && order < 6 ? static_cast<std::size_t>(order) : 0];
  return about(axes[2]) * about(axes[1]) * about(axes[0]);
}

FbxMotion::FbxMotion(const FbxAnimation& animation, const FbxStack& stack)
    : animation_(&animation), stack_(&stack) {
  for (std::size_t i = 0; i < stack.layers.size(); ++i)
    for (const auto& [property, node] : stack.layers[i].nodes)
      parts_[property].push_back(
          {&stack.layers[i], &node, i == 0 ? FbxBlend::override : stack.layers[i].blend});
}

const FbxParts* FbxMotion::findParts(std::uint32_t object, const std::string& property) const {
  const auto found = parts_.find({object, property});
  return found == parts_.end() ? nullptr : &found->second;
}

dvec3 FbxMotion::sampleValue(const FbxCurveNode& node, const dvec3& base, double seconds) const {
  dvec3 value = base;
  for (int i = 0; i < 3; ++i) {
    const auto part = static_cast<std::size_t>(i);
    if (node.curves[part] != FbxCurveNode::kNoCurve &&
        !animation_->curves[node.curves[part]].times.empty())
      value[i] = animation_->curves[node.curves[part]].at(seconds);
    else if (node.values[part])
      value[i] = *node.values[part];
  }
  return value;
}

double FbxMotion::sampleWeight(const FbxLayer& layer, double seconds) const {
  const FbxParts* parts = findParts(layer.object, "Weight");
  if (parts == nullptr) return layer.weight;
  const double percent = sampleValue(*parts->front().node, dvec3(100.0 * layer.weight), seconds).x;
  return std::clamp(0.01 * percent, 0.0, 1.0);
}

dvec3 FbxMotion::at(const FbxParts* parts, const dvec3& base, double seconds) const {
  if (parts == nullptr) return base;
  dvec3 value = base;
  for (const FbxPart& part : *parts) {
    const dvec3 own = sampleValue(*part.node, base, seconds);
    if (part.blend == FbxBlend::override)
      value = own;
    else if (part.blend == FbxBlend::additive)
      value += sampleWeight(*part.layer, seconds) * own;
    else
      value += sampleWeight(*part.layer, seconds) * (own - value);
  }
  return value;
}

dvec3 FbxMotion::scaleAt(const FbxParts* parts, const dvec3& base, double seconds) const {
  if (parts == nullptr) return base;
  const auto power = [](const dvec3& scale, double exponent) {
    return glm::sign(scale) * glm::pow(glm::abs(scale), dvec3(exponent));
  };
  dvec3 value = base;
  for (const FbxPart& part : *parts) {
    const dvec3 own = sampleValue(*part.node, base, seconds);
    if (part.blend == FbxBlend::override) {
      value = own;
      continue;
    }
    const double weight = sampleWeight(*part.layer, seconds);
    const bool adds = part.blend == FbxBlend::additive;
    if (!part.layer->multiplyScale)
      value += weight * (adds ? own : own - value);
    else
      value = (adds ? value : power(value, 1.0 - weight)) * power(own, weight);
  }
  return value;
}

dquat FbxMotion::rotationAt(const FbxParts* parts, const dvec3& base, std::int64_t order,
                            double seconds) const {
  if (parts == nullptr) return fbxRotation(base, order);
  const bool composes = std::any_of(parts->begin(), parts->end(), [](const FbxPart& part) {
    return part.blend != FbxBlend::override && part.layer->composeRotation;
  });
  if (!composes) return fbxRotation(at(parts, base, seconds), order);
  dquat value = fbxRotation(base, order);
  for (const FbxPart& part : *parts) {
    const dquat own = fbxRotation(sampleValue(*part.node, base, seconds), order);
    if (part.blend == FbxBlend::override) {
      value = own;
      continue;
    }
    const double weight = sampleWeight(*part.layer, seconds);
    value = part.blend == FbxBlend::additive
                ? value * glm::slerp(dquat(1.0, 0.0, 0.0, 0.0), own, weight)
                : glm::slerp(value, own, weight);
  }
  return value;
}

std::vector<const FbxCurve*> FbxMotion::listCurves(const FbxParts* parts) const {
  std::vector<const FbxCurve*> out;
  if (parts == nullptr) return out;
  const auto add = [&](const FbxCurveNode& node) {
    for (const std::uint32_t curve : node.curves)
      if (curve != FbxCurveNode::kNoCurve && !animation_->curves[curve].times.empty())
        out.push_back(&animation_->curves[curve]);
  };
  for (const FbxPart& part : *parts) {
    add(*part.node);
    if (part.blend == FbxBlend::override) continue;
    if (const FbxParts* weight = findParts(part.layer->object, "Weight"))
      add(*weight->front().node);
  }
  return out;
}

std::optional<FbxMotion::Span> FbxMotion::keySpan() const {
  std::optional<Span> span;
  for (const auto& [property, parts] : parts_)
    for (const FbxCurve* curve : listCurves(&parts)) {
      const double first = curve->times.front();
      const double last = curve->times.back();
      span =
          span ? Span{std::min(span->first, first), std::max(span->last, last)} : Span{first, last};
    }
  return span;
}

} // namespace sinew
