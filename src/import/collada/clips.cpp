#include "import/append_node.h"
#include "import/clip_repairs.h"
#include "import/collada/curve.h"
#include "import/collada/steps.h"
#include "import/track_sampler.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;
using glm::dquat;
using glm::dvec3;

constexpr double kColladaTolerance = 1e-6; // relative to the model, or to the largest value
constexpr std::uint64_t kKeyBytes = 128;   // approximate memory of a number at a key

struct Parts {
  dvec3 translation{0.0};
  dquat rotation{1.0, 0.0, 0.0, 0.0};
  dvec3 scale{1.0};
  bool sheared = false;
};

// As decompose(), in double precision where axes stay at right angles.
Parts splitMatrix(const dmat4& m) {
  Parts out;
  out.translation = dvec3(m[3]);
  dmat3 axes(m);
  for (int i = 0; i < 3; ++i)
    out.scale[i] = glm::length(axes[i]);
  const double least = std::min({out.scale.x, out.scale.y, out.scale.z});
  bool square = least > 1e-12;
  if (square) {
    if (glm::determinant(axes) < 0.0) out.scale.x = -out.scale.x;
    for (int i = 0; i < 3; ++i)
      axes[i] /= out.scale[i];
    constexpr double kShear = 1e-5;
    for (int i = 0; i < 3; ++i)
      square = square && std::abs(glm::dot(axes[i], axes[(i + 1) % 3])) < kShear;
  }
  if (square) {
    out.rotation = glm::normalize(glm::quat_cast(axes));
    return out;
  }
  const Transform nearest = decompose(mat4(m));
  out.sheared = least > 1e-12;
  out.rotation = dquat(nearest.rotation);
  out.scale = dvec3(nearest.scale);
  return out;
}

dmat4 matrixOfParts(const Parts& p) {
  dmat4 out(glm::mat3_cast(p.rotation));
  for (int i = 0; i < 3; ++i)
    out[i] *= p.scale[i];
  out[3] = glm::dvec4(p.translation, 1.0);
  return out;
}

dmat4 keyMatrix(const ColladaCurve& curve, std::size_t key) {
  dmat4 out;
  for (std::uint32_t i = 0; i < 16; ++i)
    out[static_cast<int>(i % 4)][static_cast<int>(i / 4)] = curve.value(key, i);
  return out;
}

// Keys of whole matrices: between them translation, rotation and scale are linear.
dmat4 matrixAt(const ColladaCurve& curve, double time) {
  const std::size_t k = curve.keyBefore(time);
  if (time <= curve.times[k] || k + 1 == curve.keys() || curve.kinds[k] == ColladaStretch::step)
    return keyMatrix(curve, k);
  const double s = (time - curve.times[k]) / (curve.times[k + 1] - curve.times[k]);
  const Parts a = splitMatrix(keyMatrix(curve, k));
  const Parts b = splitMatrix(keyMatrix(curve, k + 1));
  return matrixOfParts({glm::mix(a.translation, b.translation, s),
                        glm::slerp(a.rotation, b.rotation, s), glm::mix(a.scale, b.scale, s)});
}

// What a channel moves of a node's transforms.
struct Moved {
  std::size_t transform = 0; // index of the node's transforms
  std::uint32_t first = 0;   // index of the first number that moves
  const ColladaCurve* curve = nullptr;

  bool isWhole(const ColladaTransform& t) const { return curve->width == t.numbers.size(); }
};

// A node with all that one clip moves of it.
struct MovedNode {
  pugi::xml_node element;
  std::vector<ColladaTransform> transforms;
  std::vector<Moved> moved;

  dmat4 at(double time) const {
    std::vector<ColladaTransform> now = transforms;
    std::vector<std::optional<dmat4>> whole(now.size());
    for (const Moved& each : moved) {
      ColladaTransform& t = now[each.transform];
      if (t.kind == ColladaTransformKind::matrix && each.isWhole(t)) {
        whole[each.transform] = matrixAt(*each.curve, time);
        continue;
      }
      for (std::uint32_t i = 0; i < each.curve->width; ++i)
        t.numbers[each.first + i] = each.curve->at(time, i);
    }
    dmat4 out(1.0);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i].kind == ColladaTransformKind::scale)
        for (double& factor : now[i].numbers)
          if (std::abs(factor) < 1e-9) factor = kTinyScale; // else rotations are lost
      out = out * (whole[i] ? *whole[i] : toMatrix(now[i]));
    }
    return out;
  }

  bool isOneMatrix() const {
    return transforms.size() == 1 && moved.size() == 1 &&
           transforms[0].kind == ColladaTransformKind::matrix && moved[0].isWhole(transforms[0]);
  }
};

// ".X", "(2)", "(1)(3)": which number of an element a target means; nothing for all of it. A matrix
// by column and row.
std::optional<std::uint32_t> parseMember(std::string_view member) {
  if (member.starts_with('.')) {
    constexpr std::array<std::pair<std::string_view, std::uint32_t>, 14> kMembers = {{
        {"X", 0},
        {"Y", 1},
        {"Z", 2},
        {"W", 3},
        {"ANGLE", 3},
        {"R", 0},
        {"G", 1},
        {"B", 2},
        {"A", 3},
        {"S", 0},
        {"T", 1},
        {"P", 2},
        {"U", 0},
        {"V", 1},
    }};
    for (const auto& [name, number] : kMembers)
      if (member.substr(1) == name) return number;
    return std::nullopt;
  }
  std::uint32_t numbers[2] = {0, 0};
  std::size_t count = 0;
  while (member.starts_with('(') && count < 2) {
    const std::size_t end = member.find(')');
    if (end == member.npos) return std::nullopt;
    const auto [rest, error] = std::from_chars(&member[1], &member[end], numbers[count]);
    if (error != std::errc() || numbers[count] > 1u << 20) return std::nullopt;
    ++count;
    member.remove_prefix(end + 1);
  }
  if (count == 0) return std::nullopt;
  return count == 1 ? numbers[0] : numbers[0] + 4 * numbers[1];
}

struct Window {
  double start = 0.0;
  std::optional<double> end;
};

class ColladaClipReader {
 public:
  ColladaClipReader(ColladaDocument& document, const ColladaNodes& nodes,
                    const ColladaControllers& controllers, float size, RepairLog& repairs,
                    UnusedCounts& unused)
      : document_(document), nodes_(nodes), controllers_(controllers), size_(size),
        repairs_(repairs), unused_(unused) {}

  void read(Model& model) {
    std::vector<pugi::xml_node> all;
    for (const pugi::xml_node& library : document_.root().children("library_animations"))
      for (const pugi::xml_node& animation : library.children("animation"))
        all.push_back(animation);
    std::set<const void*> played;
    for (const pugi::xml_node& library : document_.root().children("library_animation_clips"))
      for (const pugi::xml_node& source : library.children("animation_clip"))
        readClip(source, played, model);
    std::erase_if(all, [&](const pugi::xml_node& animation) {
      return played.contains(animation.internal_object());
    });
    Clip clip = makeClip(all, {});
    if (all.size() == 1) clip.name = colladaName(all.front());
    if (clip.moves()) model.clips.push_back(std::move(clip));
    nameClips(model.clips);
    unused_.add("animation of something other than nodes and morph weights",
                "animations of something other than nodes and morph weights", otherTargets_);
    unused_.add("curve of keys of an unknown kind (lines are played)",
                "curves of keys of unknown kinds (lines are played)", otherCurves_);
    unused_.add("animated node with shear (the nearest rotations are played)",
                "animated nodes with shear (the nearest rotations are played)", sheared_.size());
    if (missed_ > 0)
      model.warnings.push_back(fmt::format("{} track{} too wild to be kept within 1e-6 of the file",
                                           missed_, missed_ == 1 ? " is" : "s are"));
  }

 private:
  void readClip(const pugi::xml_node& source, std::set<const void*>& played, Model& model) {
    std::vector<pugi::xml_node> animations;
    for (const pugi::xml_node& instance : source.children("instance_animation"))
      if (const pugi::xml_node animation =
              document_.find(instance.attribute("url").value(), "animation")) {
        animations.push_back(animation);
        played.insert(animation.internal_object());
      }
    Window window;
    window.start = colladaNumber(source.attribute("start"), 0.0);
    const double end = colladaNumber(source.attribute("end"), 0.0);
    if (end > window.start) window.end = end;
    Clip clip = makeClip(animations, window);
    clip.name = colladaName(source);
    if (clip.moves()) model.clips.push_back(std::move(clip));
  }

  // All channels of the animations and of those within them.
  Clip makeClip(const std::vector<pugi::xml_node>& animations, Window window) {
    nodesInClip_.clear();
    morphsInClip_.clear();
    for (const pugi::xml_node& top : animations) {
      pugi::xml_node at = top;
      while (at) {
        if (std::string_view(at.name()) == "channel") readChannel(at);
        const bool within = std::string_view(at.name()) == "animation";
        if (within && at.first_child()) {
          at = at.first_child();
          continue;
        }
        while (at && at != top && !at.next_sibling())
          at = at.parent();
        at = at == top ? pugi::xml_node() : at.next_sibling();
      }
    }
    Clip clip;
    if (!window.end) window.start = std::min(window.start, firstKey());
    for (const auto& [order, node] : ordered())
      addNode(*node, window, clip);
    for (const auto& [target, moved] : morphsInClip_) {
      const ColladaCurve& curve = *moved.first;
      const std::uint32_t number = moved.second;
      MorphChannel channel;
      channel.target = target;
      channel.weight = sampleNumbers(
          collectTimes({&curve}, window), [&](double t) { return curve.at(t, number); },
          kColladaTolerance, missed_);
      clip.morphs.push_back(std::move(channel));
    }
    clip.seconds = lastKey(clip);
    return clip;
  }

  // Keys before the beginning of time move it.
  double firstKey() const {
    double first = 0.0;
    for (const auto& [element, node] : nodesInClip_)
      for (const Moved& each : node.moved)
        first = std::min(first, each.curve->times.front());
    for (const auto& [target, curve] : morphsInClip_)
      first = std::min(first, curve.first->times.front());
    return first;
  }

  // In the order of the hierarchy, so that equal files become equal clips.
  std::map<std::uint32_t, const MovedNode*> ordered() const {
    std::map<std::uint32_t, const MovedNode*> out;
    for (const auto& [element, node] : nodesInClip_)
      if (const auto found = nodes_.nodesByElement.find(element);
          found != nodes_.nodesByElement.end())
        out[found->second.front()] = &node;
    return out;
  }

  const ColladaCurve* readCurve(const pugi::xml_node& sampler) {
    const auto [known, isNew] = curves_.try_emplace(sampler.internal_object());
    ColladaCurve& curve = known->second;
    if (isNew) {
      curve = readColladaCurve(document_, sampler, repairs_);
      if (curve.unknownKind) ++otherCurves_;
    } else {
      document_.budget().take(curve.keys() + 1, kKeyBytes * std::max(curve.width, 1u),
                              "keys of repeated animations");
    }
    return curve.keys() == 0 ? nullptr : &curve;
  }

  void readChannel(const pugi::xml_node& channel) {
    std::string_view target = channel.attribute("target").value();
    const ColladaCurve* curve =
        readCurve(document_.find(channel.attribute("source").value(), "sampler"));
    if (curve == nullptr || readMorphChannel(target, *curve)) return;
    // "node/sid/sid.X"
    const std::size_t last = target.rfind('/');
    if (last == target.npos) return countOther();
    const std::size_t memberAt = target.find_first_of(".(", last);
    const std::string_view member =
        memberAt == target.npos ? std::string_view() : target.substr(memberAt);
    pugi::xml_node element = document_.find(target.substr(0, target.find('/')));
    if (!element) {
      repairs_.add(Repair::channelWithoutNode);
      return;
    }
    std::string_view path = target.substr(0, memberAt);
    path.remove_prefix(path.find('/') + 1);
    while (!path.empty() && element) {
      const std::size_t end = std::min(path.find('/'), path.size());
      element = document_.findSid(element, path.substr(0, end));
      path.remove_prefix(std::min(end + 1, path.size()));
    }
    if (!element || !nodes_.nodesByElement.contains(element.parent().internal_object()))
      return countOther();
    const pugi::xml_node node = element.parent();
    MovedNode& moved = nodesInClip_[node.internal_object()];
    if (!moved.element) {
      moved.element = node;
      moved.transforms = colladaTransforms(node);
    }
    const auto transform = std::ranges::find(moved.transforms, element, &ColladaTransform::element);
    const std::uint32_t first = member.empty() ? 0 : parseMember(member).value_or(~0u);
    const bool fits = transform != moved.transforms.end() && first < transform->numbers.size() &&
                      curve->width <= transform->numbers.size() - first &&
                      (member.empty() ? curve->width == transform->numbers.size() ||
                                            transform->kind != ColladaTransformKind::matrix
                                      : true);
    if (!fits) return countOther();
    moved.moved.push_back(
        {static_cast<std::size_t>(transform - moved.transforms.begin()), first, curve});
  }

  void countOther() { ++otherTargets_; }

  // "weights(2)", or all weights together.
  bool readMorphChannel(std::string_view target, const ColladaCurve& curve) {
    target.remove_prefix(target.rfind('/') + 1); // npos + 1 is 0
    const std::string_view id = target.substr(0, target.find('('));
    const ColladaMorph* morph = controllers_.morphOfWeights(id);
    if (morph == nullptr) return false;
    const std::string_view member = target.substr(id.size());
    const std::size_t count = morph->targets.size();
    const std::uint32_t first = member.empty() ? 0 : parseMember(member).value_or(~0u);
    if (first >= count || curve.width > count - first || (member.empty() && curve.width != count)) {
      unused_.add("animation of morph weights that does not fit its targets",
                  "animations of morph weights that do not fit their targets");
      return true;
    }
    for (std::uint32_t i = 0; i < curve.width; ++i)
      morphsInClip_[morph->firstTarget + first + i] = {&curve, i};
    return true;
  }

  // The first and the last moment of some curves within the window, and their keys between them.
  static SampleTimes collectTimes(const std::vector<const ColladaCurve*>& curves,
                                  const Window& window) {
    SampleTimes out;
    out.origin = window.start;
    out.stepped = true;
    for (const ColladaCurve* curve : curves) {
      out.stepped = out.stepped && curve->isStepped();
      for (const double time : curve->times)
        if (time > window.start && (!window.end || time < *window.end)) out.times.push_back(time);
      // At the window's own edges the curve has a value too.
      const bool before = curve->times.front() <= window.start;
      const bool behind = window.end && curve->times.back() >= *window.end;
      if (before) out.times.push_back(window.start);
      if (behind) out.times.push_back(*window.end);
    }
    if (out.times.empty()) out.times.push_back(window.start);
    std::ranges::sort(out.times);
    const auto same = [](double a, double b) { return b - a < 1e-7; };
    out.times.erase(std::unique(out.times.begin(), out.times.end(), same), out.times.end());
    return out;
  }

  void addNode(const MovedNode& moved, const Window& window, Clip& clip) {
    std::vector<const ColladaCurve*> curves;
    for (const Moved& each : moved.moved)
      curves.push_back(each.curve);
    if (curves.empty()) return;
    SampleTimes moments = collectTimes(curves, window);
    Channel channel;
    if (moved.isOneMatrix() && (moments.stepped || allLinear(*curves[0])))
      channel = sampleKeys(moved, moments);
    else
      channel = sampled(moved, moments);
    repairRotationKeys(channel.rotation, repairs_);
    repairScaleKeys(channel.scale, repairs_);
    const std::vector<std::uint32_t>& places =
        nodes_.nodesByElement.at(moved.element.internal_object());
    if (places.size() > 1)
      document_.budget().take(channel.rotation.times.size() * (places.size() - 1), kKeyBytes,
                              "keys of repeated nodes");
    for (const std::uint32_t node : places) {
      channel.node = node;
      if (const auto split = nodes_.stretchByNode.find(node); split != nodes_.stretchByNode.end())
        clip.channels.push_back({split->second, // the keys are of both halves of the node
                                 {{0.0f}, {vec3(0.0f)}},
                                 {{0.0f}, {quat(1, 0, 0, 0)}},
                                 {{0.0f}, {vec3(1.0f)}}});
      clip.channels.push_back(channel);
    }
  }

  static bool allLinear(const ColladaCurve& curve) {
    return std::ranges::none_of(curve.kinds,
                                [](ColladaStretch kind) { return kind == ColladaStretch::step; });
  }

  // A key of the file is a key of the clip.
  Channel sampleKeys(const MovedNode& moved, const SampleTimes& moments) {
    Channel out;
    if (moments.stepped)
      out.translation.interpolation = out.rotation.interpolation = out.scale.interpolation =
          Interpolation::step;
    for (const double time : moments.times) {
      const Parts parts = splitMatrix(matrixAt(*moved.moved[0].curve, time));
      countShear(moved, parts);
      const auto seconds = static_cast<float>(time - moments.origin);
      if (!out.rotation.times.empty() && !(seconds > out.rotation.times.back())) continue;
      out.translation.times.push_back(seconds);
      out.translation.values.emplace_back(parts.translation);
      out.rotation.times.push_back(seconds);
      out.rotation.values.emplace_back(parts.rotation);
      out.scale.times.push_back(seconds);
      out.scale.values.emplace_back(parts.scale);
    }
    return out;
  }

  Channel sampled(const MovedNode& moved, const SampleTimes& moments) {
    double largest = 1e-9;
    for (const double time : moments.times) {
      const Parts parts = splitMatrix(moved.at(time));
      countShear(moved, parts);
      for (int i = 0; i < 3; ++i)
        largest = std::max(largest, std::abs(parts.scale[i]));
    }
    Channel out;
    out.translation = sampleVectors(
        moments, [&](double t) { return dvec3(moved.at(t)[3]); },
        kColladaTolerance * std::max<double>(size_, 1e-9), missed_);
    out.rotation = sampleRotations(
        moments, [&](double t) { return splitMatrix(moved.at(t)).rotation; },
        0.5 * kColladaTolerance, missed_);
    out.scale = sampleVectors(
        moments, [&](double t) { return splitMatrix(moved.at(t)).scale; },
        kColladaTolerance * largest, missed_);
    return out;
  }

  void countShear(const MovedNode& moved, const Parts& parts) {
    if (parts.sheared) sheared_.insert(moved.element.internal_object());
  }

  ColladaDocument& document_;
  const ColladaNodes& nodes_;
  const ColladaControllers& controllers_;
  float size_;
  RepairLog& repairs_;
  UnusedCounts& unused_;
  std::map<const void*, ColladaCurve> curves_;   // by <sampler>
  std::map<const void*, MovedNode> nodesInClip_; // by <node>
  std::map<std::uint32_t, std::pair<const ColladaCurve*, std::uint32_t>> morphsInClip_; // by target
  std::set<const void*> sheared_;
  std::size_t otherTargets_ = 0, otherCurves_ = 0, missed_ = 0;
};

} // namespace

void readColladaClips(ColladaDocument& document, const ColladaNodes& nodes,
                      const ColladaControllers& controllers, float size, RepairLog& repairs,
                      UnusedCounts& unused, Model& model) {
  ColladaClipReader(document, nodes, controllers, size, repairs, unused).read(model);
}

} // namespace sinew
