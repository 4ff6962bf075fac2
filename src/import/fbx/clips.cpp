#include "animation/pose.h"
#include "import/clip_repairs.h"
#include "import/fbx/steps.h"
#include "import/track_sampler.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using glm::dvec3;

constexpr double kTolerance = 1e-6; // fraction of the model's size
constexpr double kFrame = 1.0 / 24.0;
constexpr std::size_t kMaxMoments = std::size_t{1} << 17; // limit for a clip's repeated curves

double measureSize(const Model& model, std::span<const mat4> modelFromNode) {
  Bounds bounds;
  for (const mat4& m : modelFromNode)
    if (isFinite(m)) bounds.include(vec3(m[3]));
  for (const Mesh& mesh : model.meshes) {
    const Bounds own = computeBounds(mesh.positions);
    if (mesh.skin || own.empty()) {
      if (!own.empty()) bounds.include(own);
      continue;
    }
    const mat4& m = modelFromNode[mesh.node];
    bounds.include(transformPoint(m, own.min));
    bounds.include(transformPoint(m, own.max));
  }
  return bounds.size();
}

// How much longer than its own unit the axes of a node are in the model.
double computeScale(const mat4& m) {
  return std::max(
      {glm::length(vec3(m[0])), glm::length(vec3(m[1])), glm::length(vec3(m[2])), 1e-12f});
}

// The moments at which a curve may bend, its repetitions included.
void addMoments(const FbxCurve& curve, double start, double stop, std::vector<double>& out) {
  const auto add = [&](double offset, bool mirrored) {
    for (const double time : curve.times) {
      const double at =
          offset + (mirrored ? curve.times.back() - (time - curve.times.front()) : time);
      if (at > start && at < stop) out.push_back(at);
    }
  };
  add(0.0, false);
  const double length = curve.times.back() - curve.times.front();
  if (!(length > 0.0)) return;
  const auto repeats = [](const FbxExtrapolation& how) {
    return how.kind != FbxExtrapolation::Kind::constant &&
           how.kind != FbxExtrapolation::Kind::slope;
  };
  const auto repeat = [&](double direction, double far) {
    const double cycles = std::ceil(far / length);
    for (double i = 1.0; i <= cycles && out.size() < kMaxMoments; i += 1.0)
      add(direction * i * length, std::fmod(i, 2.0) == 1.0);
    for (double i = 1.0; i <= cycles && out.size() < kMaxMoments; i += 1.0)
      add(direction * i * length, std::fmod(i, 2.0) != 1.0);
  };
  if (repeats(curve.after)) repeat(1.0, stop - curve.times.back());
  if (repeats(curve.before)) repeat(-1.0, curve.times.front() - start);
}

class ClipMaker {
 public:
  ClipMaker(const FbxMotion& motion, const FbxNodes& nodes, std::span<const mat4> modelFromNode,
            double size)
      : motion_(motion), nodes_(nodes), modelFromNode_(modelFromNode), size_(size) {}

  Clip make(const std::vector<FbxMorph>& morphs) {
    Clip clip;
    clip.name = motion_.stack().name;
    findSpan();
    clip.seconds = static_cast<float>(stop_ - start_);
    const std::vector<FbxNodeMotion> moved = fbxNodeMotions(nodes_, &motion_);
    for (std::size_t i = 0; i < moved.size(); ++i)
      addNode(nodes_.nodes[i], moved[i], clip);
    for (const FbxMorph& morph : morphs)
      addMorph(morph, clip);
    return clip;
  }

  std::size_t missed() const { return missed_; }

 private:
  // From the stack's start to its stop. A stop long behind the last key is the editor's whole time
  // line, one up to a frame before it is short of the last frame.
  void findSpan() {
    const FbxStack& stack = motion_.stack();
    const auto keys = motion_.keySpan();
    const bool stated = stack.stop > stack.start && std::abs(stack.start) < 1e6 && stack.stop < 1e6;
    start_ = stated ? stack.start : keys ? std::min(keys->first, 0.0) : 0.0;
    stop_ = stated ? stack.stop : keys ? keys->last : 0.0;
    if (!stated || !keys || repeats()) return;
    if (keys->first >= stop_ || keys->last <= start_) { // what it states is elsewhere
      start_ = keys->first;
      stop_ = keys->last;
    } else if (keys->last < stop_ + 1.5 * kFrame) {
      stop_ = keys->last;
    }
  }

  bool repeats() const {
    for (const auto& [property, parts] : motion_.parts())
      for (const FbxCurve* curve : motion_.listCurves(&parts))
        if (curve->after.kind != FbxExtrapolation::Kind::constant) return true;
    return false;
  }

  SampleTimes collectTimes(const std::vector<const FbxCurve*>& curves) const {
    SampleTimes out;
    out.origin = start_;
    out.times.push_back(start_);
    bool moving = false;
    out.stepped = true;
    for (const FbxCurve* curve : curves) {
      const bool flat = curve->isConstant() && curve->after.kind != FbxExtrapolation::Kind::slope;
      if (flat) continue;
      moving = true;
      out.stepped = out.stepped && curve->isStepped();
      addMoments(*curve, start_, stop_, out.times);
    }
    if (!moving) return out;
    if (stop_ > start_) out.times.push_back(stop_);
    std::sort(out.times.begin(), out.times.end());
    out.times.erase(std::unique(out.times.begin(), out.times.end(),
                                [](double a, double b) { return b - a < 1e-7; }),
                    out.times.end());
    return out;
  }

  void addNode(const FbxNode& node, const FbxNodeMotion& moved, Clip& clip) {
    Channel channel;
    channel.node = node.node;
    const std::uint32_t parent = nodes_.hierarchy.nodes[node.node].parent;
    const double above = parent == kNoNode ? 1.0 : computeScale(modelFromNode_[parent]);
    if (moved.movesTranslation())
      channel.translation = sampleVectors(
          collectTimes(moved.translationCurves()),
          [&](double t) { return moved.at(t).translation; }, kTolerance * size_ / above, missed_);
    if (moved.movesRotation())
      channel.rotation = sampleRotations(
          collectTimes(moved.rotationCurves()), [&](double t) { return moved.at(t).rotation; },
          0.5 * kTolerance, missed_);
    if (moved.movesScale())
      channel.scale = sampleScale(moved, [&](double t) { return moved.at(t).scale; });
    add(std::move(channel), clip);
    if (node.unscaled == kNoNode || !moved.movesScale()) return;
    Channel undone;
    undone.node = node.unscaled;
    undone.scale = sampleScale(moved, [&](double t) { return 1.0 / moved.inheritedScale(t); });
    add(std::move(undone), clip);
  }

  Track<vec3> sampleScale(const FbxNodeMotion& moved, const std::function<dvec3(double)>& scale) {
    const SampleTimes moments = collectTimes(moved.scaleCurves());
    double largest = 0.0;
    for (const double time : moments.times)
      for (int i = 0; i < 3; ++i)
        largest = std::max(largest, std::abs(scale(time)[i]));
    return sampleVectors(moments, scale, kTolerance * std::max(largest, 1e-9), missed_);
  }

  static void add(Channel channel, Clip& clip) {
    if (!channel.translation.times.empty() || !channel.rotation.times.empty() ||
        !channel.scale.times.empty())
      clip.channels.push_back(std::move(channel));
  }

  void addMorph(const FbxMorph& morph, Clip& clip) {
    const FbxParts* parts = motion_.findParts(morph.object, "DeformPercent");
    if (parts == nullptr) return;
    const auto percent = [&](double t) { return motion_.at(parts, dvec3(morph.percent), t).x; };
    SampleTimes moments = collectTimes(motion_.listCurves(parts));
    if (morph.shapes.size() > 1) addCrossings(morph, percent, moments);
    for (std::size_t i = 0; i < morph.shapes.size(); ++i) {
      MorphChannel channel;
      channel.target = morph.firstTarget + static_cast<std::uint32_t>(i);
      channel.weight = sampleNumbers(
          moments, [&](double t) { return shapeWeight(morph, i, percent(t)); }, kTolerance,
          missed_);
      clip.morphs.push_back(std::move(channel));
    }
  }

  // Where the percentage passes that of a shape, weights bend.
  static void addCrossings(const FbxMorph& morph, const std::function<double(double)>& percent,
                           SampleTimes& moments) {
    constexpr int kSteps = 16;
    std::vector<double> found;
    for (std::size_t i = 0; i + 1 < moments.times.size() && !moments.stepped; ++i)
      for (int step = 0; step < kSteps; ++step) {
        const double length = (moments.times[i + 1] - moments.times[i]) / kSteps;
        const double a = moments.times[i] + step * length;
        for (const double full : morph.fullAt)
          if ((percent(a) < full) != (percent(a + length) < full))
            found.push_back(crossing(percent, full, a, a + length));
      }
    moments.times.insert(moments.times.end(), found.begin(), found.end());
    std::sort(moments.times.begin(), moments.times.end());
    moments.times.erase(std::unique(moments.times.begin(), moments.times.end(),
                                    [](double a, double b) { return b - a < 1e-7; }),
                        moments.times.end());
  }

  static double crossing(const std::function<double(double)>& percent, double full, double a,
                         double b) {
    const bool below = percent(a) < full;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (a + b);
      ((percent(middle) < full) == below ? a : b) = middle;
    }
    return b;
  }

  const FbxMotion& motion_;
  const FbxNodes& nodes_;
  std::span<const mat4> modelFromNode_;
  double size_;
  double start_ = 0.0, stop_ = 0.0;
  std::size_t missed_ = 0;
};

// Properties besides those of nodes and blend shapes, counted for a warning.
std::size_t otherProperties(const FbxMotion& motion, const FbxNodes& nodes,
                            const std::vector<FbxMorph>& morphs) {
  std::size_t count = 0;
  for (const auto& [property, parts] : motion.parts()) {
    const auto& [object, name] = property;
    const std::vector<const FbxCurve*> curves = motion.listCurves(&parts);
    const bool still = std::all_of(curves.begin(), curves.end(),
                                   [](const FbxCurve* curve) { return curve->isConstant(); });
    if (still || name == "Weight") continue;
    if (nodes.ofObject.contains(object) && isFbxChainProperty(name)) continue;
    const std::uint32_t owner = object;
    const bool isMorph = name == "DeformPercent" &&
                         std::any_of(morphs.begin(), morphs.end(), [owner](const FbxMorph& morph) {
                           return morph.object == owner;
                         });
    count += isMorph ? 0 : 1;
  }
  return count;
}

} // namespace

void readFbxClips(const FbxAnimation& animation, const std::vector<FbxMotion>& motions,
                  const FbxNodes& nodes, const std::vector<FbxMorph>& morphs, RepairLog& repairs,
                  Model& model) {
  const std::vector<mat4> modelFromNode =
      modelFromNodes(nodes.hierarchy, restPose(nodes.hierarchy));
  const double size = std::max(1e-12, static_cast<double>(measureSize(model, modelFromNode)));
  std::size_t empty = 0;
  std::size_t missed = 0;
  std::size_t others = 0;
  for (const FbxMotion& motion : motions) {
    ClipMaker maker(motion, nodes, modelFromNode, size);
    Clip clip = maker.make(morphs);
    missed += maker.missed();
    others += otherProperties(motion, nodes, morphs);
    if (!clip.moves())
      empty += motion.parts().empty() ? 0 : 1; // Maya writes a stack whatever there is
    else
      model.clips.push_back(std::move(clip));
  }
  nameClips(model.clips);
  repairs.add(Repair::keyNotFinite, animation.report.notFinite);
  repairs.add(Repair::keyUnordered, animation.report.unordered);
  const auto warn = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) model.warnings.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
  };
  warn(empty, "animation moves nothing: left out", "animations move nothing: left out");
  warn(animation.mutedLayers, "animation layer is muted: not used",
       "animation layers are muted: not used");
  warn(animation.report.velocities, "animation curve has velocities of its keys: not used",
       "animation curves have velocities of their keys: not used");
  warn(others, "animated property is none of a node's place or a blend shape: not used",
       "animated properties are none of a node's place or a blend shape: not used");
  warn(missed, "track changes too fast for the keys that it may have: it is less exact",
       "tracks change too fast for the keys that they may have: they are less exact");
}

} // namespace sinew
