#include "export/gltf_patch_clips.h"

#include "import/gltf/json_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace sinew {
namespace {

template <class T>
bool sameTrack(const Track<T>& a, const Track<T>& b) {
  return a.times == b.times && a.values == b.values && a.interpolation == b.interpolation &&
         a.tangents == b.tangents;
}

const Channel* findChannel(const Clip& clip, std::uint32_t node) {
  const auto found = std::ranges::find(clip.channels, node, &Channel::node);
  return found == clip.channels.end() ? nullptr : &*found;
}

const Track<float>* findMorphTrack(const Clip& clip, std::uint32_t target) {
  const auto found = std::ranges::find(clip.morphs, target, &MorphChannel::target);
  return found == clip.morphs.end() ? nullptr : &found->weight;
}

class ClipPatch {
 public:
  ClipPatch(const PatchedModel& model, GltfJson& file, GlbBuffer& buffer)
      : was_(model.was), origin_(model.origin), now_(model.now), nodes_(model.nodes),
        oldNodeByNode_(model.oldNodeByNode), morphing_(model.morphing),
        pointedBefore_(model.meshesOfWeights), pointedNow_(meshesOfWeights(file)), file_(file),
        buffer_(buffer) {}

  void write() {
    std::set<std::size_t> removed;
    for (std::size_t c = 0; c < was_.clips.size(); ++c) {
      const auto same = std::ranges::find(now_.clips, was_.clips[c].name, &Clip::name);
      if (same == now_.clips.end())
        removed.insert(origin_.clips[c]);
      else
        patchClip(was_.clips[c], *same, file_["animations"][origin_.clips[c]]);
    }
    GltfJson first = GltfJson::array(); // new ones that stand before those of the file
    bool behind = false;
    for (const Clip& clip : now_.clips) {
      if (std::ranges::find(was_.clips, clip.name, &Clip::name) != was_.clips.end()) {
        behind = true;
        continue;
      }
      checkNodes(clip);
      GltfJson made = animationJson(now_, nodes_, morphing_, clip, buffer_);
      if (!made.contains("channels")) continue;
      if (behind)
        appendTo(file_, "animations", std::move(made));
      else
        first.push_back(std::move(made));
    }
    if (!first.empty() || !removed.empty()) reorderClips(std::move(first), removed);
  }

 private:
  void reorderClips(GltfJson first, const std::set<std::size_t>& removed) {
    GltfJson all = std::move(first);
    for (std::size_t a = 0; file_.contains("animations") && a < file_["animations"].size(); ++a)
      if (!removed.contains(a)) all.push_back(std::move(file_["animations"][a]));
    if (all.empty())
      file_.erase("animations");
    else
      file_["animations"] = std::move(all);
  }

  void checkNodes(const Clip& clip) const {
    for (const Channel& channel : clip.channels)
      place(channel.node);
    for (const TwistChannel& channel : clip.twists)
      place(channel.node);
  }

  // Channels that have not changed stay; the others are replaced.
  void patchClip(const Clip& before, const Clip& after, GltfJson& animation) {
    GltfJson retained = GltfJson::array();
    std::set<std::pair<std::size_t, std::string>> standing; // node and path
    const std::set<std::size_t> weights = changedWeights(before, after, animation);
    for (const GltfJson& channel : animation["channels"]) {
      const GltfAnimatedProperty property = animatedProperty(channel["target"]);
      const bool ofWeights = property.path == "weights";
      const std::vector<std::size_t> nodes = listNodes(property);
      if (ofWeights ? std::ranges::any_of(nodes, [&](auto n) { return weights.contains(n); })
                    : !stays(before, after, property))
        continue;
      for (const std::size_t node : nodes)
        standing.emplace(node, property.path);
      retained.push_back(channel);
    }
    if (retained.size() != animation["channels"].size())
      animation["channels"] = std::move(retained);
    const auto isNew = [&](std::size_t node, const char* path) {
      return !standing.contains({node, path});
    };
    for (const Channel& channel : after.channels) {
      const std::size_t node = place(channel.node);
      if (isNew(node, "translation"))
        addNodeTrack(channel.translation, node, "translation", buffer_, animation);
      if (isNew(node, "rotation")) addNodeTrack(channel.rotation, node, buffer_, animation);
      if (isNew(node, "scale")) addNodeTrack(channel.scale, node, "scale", buffer_, animation);
    }
    for (const MorphingMesh& mesh : morphing_)
      if (isNew(mesh.node, "weights")) addWeightTrack(now_, mesh, after, buffer_, animation);
    patchTwists(before, after, animation);
    dropUnusedSamplers(animation);
  }

  void patchTwists(const Clip& before, const Clip& after, GltfJson& animation) {
    const bool same = std::ranges::equal(
        before.twists, after.twists, [&](const TwistChannel& a, const TwistChannel& b) {
          return oldNodeByNode_[b.node] == a.node && sameTrack(a.twist, b.twist);
        });
    if (same) return;
    if (after.twists.empty())
      animation["extras"]["sinew"].erase("twists");
    else
      addTwists(now_, nodes_, after, buffer_, animation);
  }

  // The nodes of the file that a property belonged to; for a mesh's weights, the mesh's nodes.
  std::vector<std::size_t> listNodes(const GltfAnimatedProperty& property) const {
    if (property.node) return {*property.node};
    std::vector<std::size_t> nodes;
    if (property.mesh)
      for (const auto& [node, mesh] : pointedBefore_)
        if (mesh == *property.mesh) nodes.push_back(node);
    return nodes;
  }

  // The nodes whose morph weights are recreated: where they have changed, and where a channel
  // that moves such a node moves others too.
  std::set<std::size_t> changedWeights(const Clip& before, const Clip& after,
                                       const GltfJson& animation) const {
    std::set<std::size_t> out;
    for (const MorphingMesh& mesh : morphing_)
      if (!weightsStay(before, after, mesh)) out.insert(mesh.node);
    for (const GltfJson& channel : animation["channels"]) {
      const GltfAnimatedProperty property = animatedProperty(channel["target"]);
      if (!property.mesh) continue;
      const std::vector<std::size_t> nodes = listNodes(property);
      if (std::ranges::any_of(nodes, [&](std::size_t node) {
            const auto now = pointedNow_.find(node);
            return out.contains(node) || now == pointedNow_.end() || now->second != *property.mesh;
          }))
        out.insert(nodes.begin(), nodes.end());
    }
    return out;
  }

  // Whether a property of a node that a channel of the file moves is unchanged. Channels that the
  // model does not have (for other scenes or extensions) stay.
  bool stays(const Clip& before, const Clip& after, const GltfAnimatedProperty& property) const {
    const std::string& path = property.path;
    if (!property.node || (path != "translation" && path != "rotation" && path != "scale"))
      return true;
    const std::uint32_t node = origin_.nodeByFileNode.at(*property.node);
    if (node == kNotInGltf) return true;
    const Channel* a = findChannel(before, node);
    const auto now = std::ranges::find(oldNodeByNode_, node);
    if (now == oldNodeByNode_.end()) return false; // the model no longer has the node
    const Channel* b = findChannel(after, static_cast<std::uint32_t>(now - oldNodeByNode_.begin()));
    const Channel none{};
    const Channel& x = a != nullptr ? *a : none;
    const Channel& y = b != nullptr ? *b : none;
    if (path == "translation") return sameTrack(x.translation, y.translation);
    if (path == "rotation") return sameTrack(x.rotation, y.rotation);
    return sameTrack(x.scale, y.scale);
  }

  bool weightsStay(const Clip& before, const Clip& after, const MorphingMesh& mesh) const {
    return std::ranges::all_of(mesh.targets, [&](std::uint32_t target) {
      if (target >= was_.morphTargets.size()) return false; // there were fewer
      const Track<float>* a = findMorphTrack(before, target);
      const Track<float>* b = findMorphTrack(after, target);
      return (a == nullptr) == (b == nullptr) && (a == nullptr || sameTrack(*a, *b));
    });
  }

  static void dropUnusedSamplers(GltfJson& animation) {
    std::map<std::size_t, std::size_t> places;
    for (const GltfJson& channel : animation["channels"])
      places[channel["sampler"].get<std::size_t>()] = 0;
    if (places.size() == animation["samplers"].size()) return;
    GltfJson retained = GltfJson::array();
    for (auto& [from, to] : places) {
      to = retained.size();
      retained.push_back(animation["samplers"].at(from));
    }
    for (GltfJson& channel : animation["channels"])
      channel["sampler"] = places.at(channel["sampler"].get<std::size_t>());
    animation["samplers"] = std::move(retained);
  }

  std::size_t place(std::uint32_t node) const { return toFileNode(now_, nodes_, node); }

  const Model& was_;
  const GltfOrigin& origin_;
  const Model& now_;
  const FileNodes& nodes_;
  std::span<const std::uint32_t> oldNodeByNode_;
  std::span<const MorphingMesh> morphing_;
  const MeshesOfWeights& pointedBefore_;
  MeshesOfWeights pointedNow_;
  GltfJson& file_;
  GlbBuffer& buffer_;
};

} // namespace

MeshesOfWeights meshesOfWeights(const GltfJson& file) {
  MeshesOfWeights out;
  if (!file.contains("nodes")) return out;
  for (std::size_t n = 0; n < file["nodes"].size(); ++n) {
    const GltfJson& node = file["nodes"][n];
    if (node.contains("mesh") && !node.contains("weights"))
      out.emplace(n, node["mesh"].get<std::size_t>());
  }
  return out;
}

void patchClips(const PatchedModel& model, GltfJson& file, GlbBuffer& buffer) {
  ClipPatch(model, file, buffer).write();
}

} // namespace sinew
