#include "bake/reduce_joints.h"

#include "animation/side_names.h"
#include "core/error.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace sinew {
namespace {

using glm::dmat4;

constexpr std::uint32_t kCurvePoints = 6;

// A third of the triangles around each vertex.
std::vector<double> vertexAreas(const Mesh& mesh) {
  std::vector<double> out(mesh.positions.size(), 0.0);
  for (const Triangle& t : mesh.triangles) {
    const glm::dvec3 a(mesh.positions[t[0]]), b(mesh.positions[t[1]]), c(mesh.positions[t[2]]);
    for (const std::uint32_t v : t)
      out[v] += glm::length(glm::cross(b - a, c - a)) / 6.0;
  }
  return out;
}

// A joint of a skin, and which joint its skin has gone to.
struct MergeBone {
  std::size_t skin = 0;
  std::uint32_t joint = 0;
  std::uint32_t node = 0;
  std::uint32_t parent = kNoNode; // nearest ancestor joint of the same skin, index of a bone
  std::uint32_t into = 0;         // index of a bone; its own while it is there
  dmat4 moments{0.0};             // sum of area w^2 (v, 1) (v, 1)^T
  bool used = false;
};

// The order in which joints leave.
class JointMerging {
 public:
  JointMerging(const Model& model, const RefitTargets& targets, std::set<std::uint32_t> keep)
      : model_(model), keep_(std::move(keep)) {
    listBones();
    addMoments();
    for (std::size_t i = 0; i < targets.poses.poses.size(); ++i)
      if (!targets.poses.heldOut[i]) addPose(targets.poses.poses[i]);
  }

  std::uint32_t jointCount() const { return static_cast<std::uint32_t>(nodes_.size()); }
  const std::vector<std::uint32_t>& order() const { return order_; }

  // Until nothing can be removed; a joint of one side takes that of the other along. meter: one
  // piece for every joint.
  void findOrder(ProgressMeter& meter) {
    const SidePartners partners = partnersByName(model_.hierarchy);
    for (std::set<std::uint32_t> there = nodes_;;) {
      std::uint32_t best = kNoNode;
      double least = std::numeric_limits<double>::max();
      for (const std::uint32_t node : there)
        if (const auto cost = computeCost(node); cost && *cost < least) {
          least = *cost;
          best = node;
        }
      if (best == kNoNode) return;
      for (const std::uint32_t node : {best, partners.partner[best]}) {
        if (node == kNoNode || !there.contains(node) || !computeCost(node)) continue;
        merge(node);
        there.erase(node);
        order_.push_back(node);
        meter.piece();
      }
    }
  }

  // The model after the first `count` of them, with the weights of each added to where it went.
  Model merged(std::size_t count) {
    std::set<std::uint32_t> gone(order_.begin(),
                                 order_.begin() + static_cast<std::ptrdiff_t>(count));
    Model out = model_;
    std::vector<std::uint32_t> indices(bones_.size(), kNoNode); // in the skin now
    for (Skin& skin : out.skins)
      skin.joints.clear();
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      if (gone.contains(bones_[b].node)) continue;
      Skin& skin = out.skins[bones_[b].skin];
      indices[b] = static_cast<std::uint32_t>(skin.joints.size());
      skin.joints.push_back(model_.skins[bones_[b].skin].joints[bones_[b].joint]);
    }
    for (Mesh& mesh : out.meshes)
      if (mesh.skin) mergeWeights(first_[*mesh.skin], gone, indices, mesh);
    return out;
  }

 private:
  void listBones() {
    for (std::size_t s = 0; s < model_.skins.size(); ++s) {
      first_.push_back(static_cast<std::uint32_t>(bones_.size()));
      left_.push_back(model_.skins[s].joints.size());
      std::map<std::uint32_t, std::uint32_t> boneByJoint;
      for (std::uint32_t j = 0; j < model_.skins[s].joints.size(); ++j) {
        const std::uint32_t node = model_.skins[s].joints[j].node;
        const auto index = static_cast<std::uint32_t>(bones_.size());
        boneByJoint.emplace(node, index);
        nodes_.insert(node);
        bones_.push_back({s, j, node, kNoNode, index, dmat4(0.0), false});
      }
      for (std::size_t b = first_[s]; b < bones_.size(); ++b)
        for (std::uint32_t up = model_.hierarchy.nodes[bones_[b].node].parent; up != kNoNode;
             up = model_.hierarchy.nodes[up].parent)
          if (const auto found = boneByJoint.find(up); found != boneByJoint.end()) {
            bones_[b].parent = found->second;
            break;
          }
    }
    for (std::size_t b = 0; b < bones_.size(); ++b)
      bonesByNode_[bones_[b].node].push_back(b);
  }

  void addMoments() {
    for (const Mesh& mesh : model_.meshes) {
      if (!mesh.skin) continue;
      const std::vector<double> areas = vertexAreas(mesh);
      for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        for (const Influence& each : mesh.influences.of(v)) {
          MergeBone& bone = bones_[first_[*mesh.skin] + each.joint];
          const glm::dvec4 p(glm::dvec3(mesh.positions[v]), 1.0);
          const auto w = static_cast<double>(each.weight);
          bone.moments += areas[v] * w * w * glm::outerProduct(p, p);
          bone.used = true;
        }
    }
  }

  void addPose(const Pose& pose) {
    const std::vector<mat4> modelFromNode = modelFromNodes(model_.hierarchy, pose);
    std::vector<dmat4> moved;
    for (const MergeBone& bone : bones_)
      moved.push_back(dmat4(modelFromNode[bone.node]) *
                      dmat4(model_.skins[bone.skin].joints[bone.joint].jointFromBind));
    modelFromBind_.push_back(std::move(moved));
  }

  // The squared error over all poses if the skin of a bone follows another bone of its skin.
  double apart(std::uint32_t bone, std::uint32_t as) {
    if (bone == as || !bones_[bone].used) return 0.0;
    const auto [found, isNew] = apart_.try_emplace({bone, as}, 0.0);
    if (!isNew) return found->second;
    double sum = 0.0;
    for (const std::vector<dmat4>& moved : modelFromBind_) {
      const dmat4 d = moved[bone] - moved[as];
      const dmat4 product = d * bones_[bone].moments;
      for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row)
          sum += product[column][row] * d[column][row];
    }
    return found->second = sum;
  }

  // The bone that would take a bone's skin: its nearest ancestor that is still there.
  std::uint32_t above(std::uint32_t bone) const {
    const std::uint32_t up = bones_[bone].parent;
    return up == kNoNode ? kNoNode : bones_[up].into;
  }

  std::optional<double> computeCost(std::uint32_t node) {
    if (keep_.contains(node)) return std::nullopt;
    double cost = 0.0;
    for (const std::size_t b : bonesByNode_[node]) {
      if (left_[bones_[b].skin] == 1) return std::nullopt; // a skin needs a joint
      for (std::uint32_t c = 0; c < bones_.size(); ++c) {
        if (bones_[c].into != b || !bones_[c].used) continue;
        const std::uint32_t onto = above(static_cast<std::uint32_t>(b));
        if (onto == kNoNode) return std::nullopt;
        cost += apart(c, onto) - apart(c, static_cast<std::uint32_t>(b));
      }
    }
    return cost;
  }

  // Bones of an unused root with nothing above it go nowhere.
  void merge(std::uint32_t node) {
    for (const std::size_t b : bonesByNode_[node]) {
      const std::uint32_t onto = above(static_cast<std::uint32_t>(b));
      for (MergeBone& bone : bones_)
        if (bone.into == b) bone.into = onto;
      --left_[bones_[b].skin];
    }
  }

  // The bone itself or its nearest ancestor that is not gone.
  std::uint32_t remaining(std::uint32_t bone, const std::set<std::uint32_t>& gone) const {
    while (gone.contains(bones_[bone].node))
      bone = bones_[bone].parent;
    return bone;
  }

  void mergeWeights(std::uint32_t first, const std::set<std::uint32_t>& gone,
                    const std::vector<std::uint32_t>& indices, Mesh& mesh) const {
    Influences out;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      std::vector<Influence> row;
      for (const Influence& each : mesh.influences.of(v)) {
        const std::uint32_t joint = indices[remaining(first + each.joint, gone)];
        const auto same = std::ranges::find(row, joint, &Influence::joint);
        if (same == row.end())
          row.push_back({joint, each.weight});
        else
          same->weight += each.weight;
      }
      std::ranges::stable_sort(
          row, [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      out.append(row);
    }
    mesh.influences = std::move(out);
  }

  const Model& model_;
  std::set<std::uint32_t> keep_, nodes_; // nodes_: nodes that are joints
  std::vector<MergeBone> bones_;
  std::vector<std::uint32_t> first_; // first bone of each skin
  std::vector<std::size_t> left_;    // number of bones left in each skin
  std::map<std::uint32_t, std::vector<std::size_t>> bonesByNode_;
  std::vector<std::vector<dmat4>> modelFromBind_; // [pose][bone]
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> apart_;
  std::vector<std::uint32_t> order_;
};

// ---- The scene graph

// The end of a chain, which only shows where its last joint ends.
bool isChainEnd(const std::string& name) {
  for (const char* end : {"_end", "_End", ".end", "_leaf", "Nub", "_END"})
    if (name.ends_with(end)) return true;
  return false;
}

// Nodes that can leave: removed joints and ends of their chains below which nothing stays.
std::vector<bool> nodesToDrop(const Model& model, const std::set<std::uint32_t>& removed,
                              const std::set<std::uint32_t>& keep) {
  const std::vector<Node>& nodes = model.hierarchy.nodes;
  std::vector<bool> stays(nodes.size(), false);
  for (const Mesh& mesh : model.meshes)
    stays[mesh.node] = true;
  for (const Skin& skin : model.skins)
    for (const SkinJoint& joint : skin.joints)
      stays[joint.node] = true;
  for (const std::uint32_t node : keep)
    stays[node] = true;
  std::vector<bool> belowRemoved(nodes.size(), false);
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    const bool above = nodes[n].parent != kNoNode && belowRemoved[nodes[n].parent];
    belowRemoved[n] = above || removed.contains(n);
    if (!removed.contains(n) && !(above && isChainEnd(nodes[n].name))) stays[n] = true;
  }
  for (std::size_t n = nodes.size(); n-- > 0;)
    if (stays[n] && nodes[n].parent != kNoNode) stays[nodes[n].parent] = true;
  std::vector<bool> out(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    out[n] = !stays[n];
  return out;
}

void dropNodes(const std::vector<bool>& drop, Model& model) {
  std::vector<std::uint32_t> now(drop.size(), kNoNode);
  std::vector<Node> nodes;
  for (std::size_t n = 0; n < drop.size(); ++n) {
    if (drop[n]) continue;
    now[n] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(model.hierarchy.nodes[n]);
    if (nodes.back().parent != kNoNode) nodes.back().parent = now[nodes.back().parent];
  }
  model.hierarchy.nodes = std::move(nodes);
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.node = now[joint.node];
  for (Mesh& mesh : model.meshes)
    mesh.node = now[mesh.node];
  for (Clip& clip : model.clips) {
    std::erase_if(clip.channels, [&](const Channel& each) { return drop[each.node]; });
    std::erase_if(clip.twists, [&](const TwistChannel& each) { return drop[each.node]; });
    for (Channel& channel : clip.channels)
      channel.node = now[channel.node];
    for (TwistChannel& twist : clip.twists)
      twist.node = now[twist.node];
  }
}

std::set<std::uint32_t> nodesToKeep(const Model& model, const std::vector<std::string>& names) {
  std::set<std::uint32_t> out;
  std::vector<std::string> known;
  for (const Node& node : model.hierarchy.nodes)
    known.push_back(node.name);
  for (const std::string& name : names) {
    const auto node = findNode(model.hierarchy, name);
    if (!node) throw unknownName("node", name, known);
    out.insert(*node);
  }
  return out;
}

// Solves the model after so many removals.
class Reduction {
 public:
  Reduction(const ReduceOptions& options, const RefitTargets& targets, JointMerging& merging,
            ProgressMeter& meter)
      : options_(options), targets_(targets), merging_(merging), meter_(meter) {}

  const ReduceStep& at(std::size_t removals) {
    const auto found = steps_.find(removals);
    if (found != steps_.end()) return found->second;
    solved_ = merging_.merged(removals);
    RefitOptions refit;
    refit.neighbours = removals > 0;
    refit.influences = options_.influences;
    errors_ = refitWeights(targets_, solved_, refit);
    meter_.piece();
    solvedAt_ = removals;
    const ReduceStep step{merging_.jointCount() - static_cast<std::uint32_t>(removals),
                          errors_.heldOut,
                          std::max(errors_.heldOut.largest, errors_.fitted.largest)};
    return steps_.emplace(removals, step).first->second;
  }

  // The largest number of removals within the tolerance, by bisection.
  std::size_t within(double tolerance, std::size_t limit) {
    std::size_t good = 0, bad = limit + 1;
    if (at(limit).largest <= tolerance) return limit;
    bad = limit;
    while (bad - good > 1) {
      const std::size_t middle = (good + bad) / 2;
      (at(middle).largest <= tolerance ? good : bad) = middle;
    }
    return good;
  }

  void finish(std::size_t removals, ReducedModel& out) {
    at(removals);
    if (solvedAt_ != removals) {
      steps_.erase(removals);
      at(removals);
    }
    out.model = std::move(solved_);
    out.errors = errors_;
    for (const auto& [count, step] : steps_)
      out.curve.push_back(step);
  }

 private:
  const ReduceOptions& options_;
  const RefitTargets& targets_;
  JointMerging& merging_;
  ProgressMeter& meter_;
  std::map<std::size_t, ReduceStep> steps_;
  Model solved_;
  RefitErrors errors_;
  std::size_t solvedAt_ = ~std::size_t{0};
};

std::size_t wantedRemovals(const ReduceOptions& options, const JointMerging& merging,
                           Reduction& reduction) {
  const std::size_t limit = merging.order().size();
  if (options.joints) {
    if (*options.joints + limit < merging.jointCount())
      throw usageError(fmt::format("{} joints are too few: {} are roots or have to stay",
                                   *options.joints, merging.jointCount() - limit),
                       "give a larger --joints, or fewer --keep");
    const std::size_t wanted =
        merging.jointCount() - std::min(*options.joints, merging.jointCount());
    for (std::uint32_t i = 0; i < kCurvePoints; ++i)
      reduction.at(wanted * i / kCurvePoints);
    return wanted;
  }
  return options.tolerance ? reduction.within(*options.tolerance, limit) : 0;
}

} // namespace

ReducedModel reduceJoints(const Model& model, const ReduceOptions& options) {
  if (!model.splines.empty())
    throw usageError("the model has free splines, whose joints stay",
                     "reduce it without them (--splines none)");
  ProgressMeter meter(options.progress);
  meter.startStage("poses", 0.1f);
  BakePoseOptions poses;
  poses.clips.resize(model.clips.size());
  std::iota(poses.clips.begin(), poses.clips.end(), 0u);
  poses.sweep = options.sweep;
  poses.limit = options.poses;
  const RefitTargets targets = refitTargets(model, poses);
  const std::set<std::uint32_t> keep = nodesToKeep(model, options.keep);
  JointMerging merging(model, targets, keep);
  meter.startStage("joints", 0.3f, merging.jointCount());
  merging.findOrder(meter);
  meter.startStage("weights", 0.98f, kCurvePoints + 2);
  Reduction reduction(options, targets, merging, meter);
  const std::size_t removals = wantedRemovals(options, merging, reduction);
  ReducedModel out;
  reduction.finish(removals, out);
  out.before = merging.jointCount();
  out.joints = out.before - static_cast<std::uint32_t>(removals);
  const std::set<std::uint32_t> removed(
      merging.order().begin(), merging.order().begin() + static_cast<std::ptrdiff_t>(removals));
  for (std::size_t i = 0; i < removals; ++i)
    out.removed.push_back(model.hierarchy.nodes[merging.order()[i]].name);
  const std::vector<bool> drop = nodesToDrop(out.model, removed, keep);
  for (std::size_t n = 0; n < drop.size(); ++n)
    if (drop[n]) out.nodes.push_back(model.hierarchy.nodes[n].name);
  dropNodes(drop, out.model);
  for (std::size_t i = 0; i < targets.poses.heldOut.size(); ++i)
    ++(targets.poses.heldOut[i] ? out.heldOutPoses : out.poses);
  return out;
}

} // namespace sinew
