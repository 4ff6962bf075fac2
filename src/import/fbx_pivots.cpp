#include "import/fbx_pivots.h"

#include "import/assimp_types.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

constexpr std::string_view kTag = "_$AssimpFbx$_";
constexpr int kMaxPivotHalvings = 8;

void applyStep(PivotChain& chain, std::string_view part, const mat4& m) {
  const Transform t = decompose(m);
  FbxPivots& p = chain.pivots;
  if (part == "Translation")
    p.translation = t.translation;
  else if (part == "RotationOffset" || part == "RotationPivot")
    p.before += t.translation;
  else if (part == "PreRotation")
    p.pre = t.rotation;
  else if (part == "Rotation")
    p.rotation = t.rotation;
  else if (part == "PostRotation")
    p.post = t.rotation;
  else if (part == "RotationPivotInverse" || part == "ScalingOffset" || part == "ScalingPivot")
    p.between += t.translation;
  else if (part == "Scaling")
    p.scale = t.scale;
  else if (part == "ScalingPivotInverse")
    p.scalingPivot = -t.translation;
  else if (part == "GeometricTranslation" || part == "GeometricRotation" ||
           part == "GeometricScaling")
    chain.nodeFromGeometry = chain.nodeFromGeometry * m;
}

template <class T, class Between>
T valueAt(const Track<T>& track, float time, const T& otherwise, Between between) {
  if (track.times.empty()) return otherwise;
  const auto after = std::upper_bound(track.times.begin(), track.times.end(), time);
  if (after == track.times.begin()) return track.values.front();
  const auto key = static_cast<std::size_t>(after - track.times.begin() - 1);
  if (key + 1 == track.times.size()) return track.values.back();
  const float span = track.times[key + 1] - track.times[key];
  return between(track.values[key], track.values[key + 1], (time - track.times[key]) / span);
}

vec3 mix(const vec3& a, const vec3& b, float t) {
  return a + t * (b - a);
}

// The translation of the product at a time between keys, by the same interpolation that playing
// the chain itself would use.
class CurvedTranslation {
 public:
  CurvedTranslation(const FbxPivots& pivots, const Channel& parts)
      : pivots_(pivots), parts_(parts) {}

  vec3 at(float time) const {
    return localTransform(pivots_, valueAt(parts_.translation, time, pivots_.translation, mix),
                          valueAt(parts_.rotation, time, pivots_.rotation, slerpShortest),
                          valueAt(parts_.scale, time, pivots_.scale, mix))
        .translation;
  }

  // Appends the keys after `start` up to and with `end`.
  void refine(float start, const vec3& from, float end, const vec3& to, float tolerance, int depth,
              Track<vec3>& out) const {
    const float middle = 0.5f * (start + end);
    const bool curved =
        depth > 0 && start < middle && middle < end && off(start, from, end, to) > tolerance;
    if (curved) {
      const vec3 center = at(middle);
      refine(start, from, middle, center, tolerance, depth - 1, out);
      refine(middle, center, end, to, tolerance, depth - 1, out);
    } else {
      out.times.push_back(end);
      out.values.push_back(to);
    }
  }

 private:
  // Largest distance from the straight line at three places inside.
  float off(float start, const vec3& from, float end, const vec3& to) const {
    float largest = 0.0f;
    for (const float t : {0.25f, 0.5f, 0.75f})
      largest = std::max(largest, glm::distance(at(start + t * (end - start)), mix(from, to, t)));
    return largest;
  }

  const FbxPivots& pivots_;
  const Channel& parts_;
};

Track<vec3> resample(const FbxPivots& pivots, const Channel& parts, float tolerance) {
  std::vector<float> times = parts.translation.times;
  times.insert(times.end(), parts.rotation.times.begin(), parts.rotation.times.end());
  times.insert(times.end(), parts.scale.times.begin(), parts.scale.times.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());

  const CurvedTranslation curve(pivots, parts);
  Track<vec3> out;
  for (const float time : times) {
    const vec3 value = curve.at(time);
    if (out.times.empty()) {
      out.times.push_back(time);
      out.values.push_back(value);
    } else {
      const float start = out.times.back();
      const vec3 from = out.values.back();
      curve.refine(start, from, time, value, tolerance, kMaxPivotHalvings, out);
    }
  }
  return out;
}

} // namespace

Transform localTransform(const FbxPivots& pivots, const vec3& translation, const quat& rotation,
                         const vec3& scale) {
  Transform t;
  t.rotation = glm::normalize(pivots.pre * rotation * pivots.post);
  t.scale = scale;
  t.translation =
      translation + pivots.before + t.rotation * (pivots.between - scale * pivots.scalingPivot);
  return t;
}

bool isPivotNode(std::string_view name) {
  return name.find(kTag) != std::string_view::npos;
}

std::string pivotChannelName(std::string_view name, std::string_view part) {
  return std::string(name).append(kTag).append(part);
}

PivotChain readPivotChain(const aiNode& first) {
  PivotChain chain;
  const std::string firstName = toString(first.mName);
  chain.name = firstName.substr(0, firstName.find(kTag));
  const std::string prefix = chain.name + std::string(kTag);
  for (const aiNode* node = &first;;) {
    chain.nodes.push_back(node);
    chain.childrenOf = node;
    const std::string name = toString(node->mName);
    if (name != chain.name)
      applyStep(chain, name.substr(prefix.size()), toMat4(node->mTransformation));
    // The chain continues while there is one child that belongs to it: another helper, or the real
    // node itself, and behind that only the inverses of the geometric parts.
    const bool realSeen = chain.nodes.size() > 1 && name == chain.name;
    if (node->mNumChildren != 1) break;
    const std::string next = toString(node->mChildren[0]->mName);
    const bool helper = next.starts_with(prefix);
    if (!helper && (realSeen || next != chain.name)) break;
    node = node->mChildren[0];
  }
  return chain;
}

Channel bakePivots(const FbxPivots& pivots, const Channel& parts, float tolerance) {
  Channel out;
  out.node = parts.node;
  out.scale = parts.scale;
  out.rotation = parts.rotation;
  for (quat& q : out.rotation.values)
    q = glm::normalize(pivots.pre * q * pivots.post);
  const bool straight = pivots.between == vec3(0.0f) && pivots.scalingPivot == vec3(0.0f);
  if (!straight) {
    out.translation = resample(pivots, parts, tolerance);
  } else {
    out.translation = parts.translation;
    for (vec3& t : out.translation.values)
      t += pivots.before;
  }
  return out;
}

} // namespace sinew
