#include "export/gltf_patch.h"

#include "animation/pose.h"
#include "core/error.h"
#include "export/glb.h"
#include "export/glb_mesh.h"
#include "export/glb_parts.h"
#include "export/gltf_patch_clips.h"
#include "export/gltf_patch_nodes.h"
#include "export/gltf_source.h"
#include "export/skinning_data.h"
#include "import/gltf/isolated_gltf.h"
#include "import/source_kind.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace sinew {
namespace {

constexpr const char* kDraco = "KHR_draco_mesh_compression";

bool sameInfluences(const Influences& a, const Influences& b) {
  return a.offsets == b.offsets &&
         std::ranges::equal(a.values, b.values, [](const Influence& x, const Influence& y) {
           return x.joint == y.joint && x.weight == y.weight;
         });
}

bool sameOffsets(const MorphOffsets& a, const MorphOffsets& b) {
  return a.vertices == b.vertices && a.positions == b.positions && a.normals == b.normals;
}

// One node of the file with a mesh, and the meshes of the models that are its primitives.
struct ShownMesh {
  std::size_t node = 0;
  std::size_t mesh = 0;
  std::vector<std::size_t> parts;     // indices of meshes, the same in both models
  std::vector<std::uint32_t> targets; // morph targets of the model now: the file's, then new ones
  std::size_t fileTargets = 0;
};

// What a skin of the model is in the file.
struct FileSkin {
  std::size_t skin = 0;
  std::vector<std::uint32_t> jointByInfluence; // per joint of the model's skin
};

class GltfPatch {
 public:
  GltfPatch(GltfSource source, const GltfModel& was, const Model& now, const SkinningData* skinning)
      : was_(was.model), origin_(was.origin), now_(now), skinning_(skinning),
        file_(std::move(source.json)), buffer_(file_, std::move(source.bytes)),
        meshesOfWeights_(meshesOfWeights(file_)) {
    out_.notes = std::move(source.notes);
  }

  GlbFile write(std::span<const NodeConstraint> constraints) {
    nodes_ = patchNodes(was_, origin_, now_, file_);
    findShownMeshes();
    for (ShownMesh& shown : shown_)
      patchMesh(shown);
    patchSplines();
    addConstraints(constraints, nodes_.nodes, file_);
    patchClips({was_, origin_, now_, nodes_.nodes, nodes_.oldNodeByNode, morphingMeshes(),
                meshesOfWeights_},
               file_, buffer_);
    if (nodes_.removed) removeUnusedSkins(file_);
    out_.bytes = buffer_.finish();
    return std::move(out_);
  }

 private:
  std::size_t toFileNode(std::uint32_t node) const {
    return sinew::toFileNode(now_, nodes_.nodes, node);
  }

  // ---- Meshes

  void findShownMeshes() {
    if (now_.meshes.size() != was_.meshes.size())
      throw CannotPatch("it has other meshes than its file");
    std::map<std::size_t, std::size_t> byNode;
    for (std::size_t m = 0; m < was_.meshes.size(); ++m) {
      if (was_.meshes[m].name != now_.meshes[m].name)
        throw CannotPatch("its meshes have other names or another order than in its file");
      const GltfMeshOrigin& origin = origin_.meshes[m];
      const auto [at, isNew] = byNode.try_emplace(origin.node, shown_.size());
      if (isNew) shown_.push_back({origin.node, origin.mesh, {}, {}, 0});
      shown_[at->second].parts.push_back(m);
    }
    if (now_.morphTargets.size() < was_.morphTargets.size())
      throw CannotPatch("it has fewer morph targets than its file");
    for (ShownMesh& shown : shown_) {
      for (std::uint32_t t = 0; t < was_.morphTargets.size(); ++t)
        if (origin_.morphTargets[t].node == shown.node) shown.targets.push_back(t);
      shown.fileTargets = shown.targets.size();
      for (auto t = static_cast<std::uint32_t>(was_.morphTargets.size());
           t < now_.morphTargets.size(); ++t)
        if (std::ranges::any_of(shown.parts, [&](std::size_t m) {
              return std::ranges::find(now_.meshes[m].morphs, t, &MorphOffsets::target) !=
                     now_.meshes[m].morphs.end();
            }))
          shown.targets.push_back(t);
    }
  }

  // What takes the file's vertices to the mesh's, if the mesh has retained its vertices.
  std::optional<mat4> retainedVertices(std::size_t m) {
    const Mesh& before = was_.meshes[m];
    const Mesh& after = now_.meshes[m];
    if (before.texcoords != after.texcoords || before.texcoords1 != after.texcoords1 ||
        before.colors != after.colors || (!hasMoved(m) && !sameFileTargets(before, after)))
      return std::nullopt;
    if (hasMoved(m)) return mat4(1.0f);
    if (before.positions == after.positions)
      return before.normals == after.normals && before.triangles == after.triangles
                 ? std::optional(origin_.meshes[m].modelFromFile)
                 : std::nullopt;
    if (before.skin || !after.skin || before.positions.size() != after.positions.size())
      return std::nullopt;
    // A rigid mesh that was bound: moved to model space.
    if (modelFromNode_.empty()) modelFromNode_ = modelFromNodes(was_.hierarchy, bindPose(was_));
    const mat4& moved = modelFromNode_[before.node];
    if (glm::determinant(mat3(moved)) <= 0.0f || before.triangles != after.triangles)
      return std::nullopt;
    for (std::size_t v = 0; v < before.positions.size(); ++v)
      if (transformPoint(moved, before.positions[v]) != after.positions[v]) return std::nullopt;
    return moved;
  }

  // Whether the vertices of a skinned mesh lie elsewhere and nothing else of them has changed (a
  // new bind pose).
  bool hasMoved(std::size_t m) const {
    const Mesh& before = was_.meshes[m];
    const Mesh& after = now_.meshes[m];
    const GltfJson& node = file_["nodes"][origin_.meshes[m].node];
    const GltfJson& primitive =
        file_["meshes"][node["mesh"].get<std::size_t>()]["primitives"][origin_.meshes[m].primitive];
    return before.skin && after.skin && before.positions.size() == after.positions.size() &&
           (before.positions != after.positions || before.normals != after.normals) &&
           before.triangles == after.triangles && before.morphs.size() <= after.morphs.size() &&
           !(primitive.contains("extensions") && primitive["extensions"].contains(kDraco));
  }

  // Whether the targets that the file has are as they were; those of a mesh that was bound may have
  // turned with it.
  bool sameFileTargets(const Mesh& before, const Mesh& after) const {
    for (const MorphOffsets& morph : before.morphs) {
      const auto same = std::ranges::find(after.morphs, morph.target, &MorphOffsets::target);
      if (same == after.morphs.end()) return false;
      if (before.skin.has_value() == after.skin.has_value() && !sameOffsets(morph, *same))
        return false;
    }
    return true;
  }

  void patchMesh(ShownMesh& shown) {
    std::optional<mat4> modelFromFile;
    bool keep = true;
    for (const std::size_t m : shown.parts) {
      const std::optional<mat4> own = retainedVertices(m);
      keep = keep && own && (!modelFromFile || *modelFromFile == *own);
      modelFromFile = own;
    }
    if (!keep) modelFromFile = mat4(1.0f);
    const bool moved =
        keep && std::ranges::any_of(shown.parts, [&](std::size_t m) { return hasMoved(m); });
    const Mesh& first = now_.meshes[shown.parts.front()];
    for (const std::size_t m : shown.parts)
      if (!now_.meshes[m].skin) checkNode(shown, m);
    for (const std::size_t m : shown.parts)
      if (now_.meshes[m].skin != first.skin)
        throw CannotPatch(fmt::format("the parts of mesh '{}' have several skins", first.name));
    std::optional<FileSkin> skin;
    if (first.skin && (!keep || moved || skinningChanged(shown)))
      skin = fileSkin(shown, *modelFromFile);
    const bool more = shown.targets.size() > shown.fileTargets;
    if (isInstanced(shown) && (!keep || more || first.skin))
      throw CannotPatch(fmt::format(
          "the instances of mesh '{}' (EXT_mesh_gpu_instancing) are no longer those of its file",
          first.name));
    const GltfJson* before = &file_["nodes"][shown.node];
    const std::vector<std::size_t> nodes = nodesLike(*before, shown.node);
    const bool states = skinning_ != nullptr && first.skin.has_value();
    if (!keep || more || moved || states || weightsChanged(shown)) ownMesh(shown, nodes);
    for (const std::size_t m : shown.parts)
      patchPrimitive(shown, m, keep, *modelFromFile, skin);
    if (more) addTargets(shown, nodes);
    setWeights(shown, nodes);
    if (skin)
      for (const std::size_t node : nodes)
        file_["nodes"][node]["skin"] = skin->skin;
    if (!keep || skin || states) dropSkinning(shown, nodes, keep);
    if (states) addSkinning(shown, nodes, keep, *modelFromFile);
  }

  // A method's data, which are of the weights and vertices that the mesh had. The method itself
  // stays.
  void dropSkinning(const ShownMesh& shown, const std::vector<std::size_t>& nodes, bool keep) {
    for (const std::size_t m : shown.parts)
      eraseSets(shown, m, {"_SINEW_"});
    for (const std::size_t node : nodes) {
      const GltfJson::json_pointer stated("/extras/sinew/skinning");
      GltfJson& json = file_["nodes"][node];
      if (!json.contains(stated) || !json[stated].is_object()) continue;
      for (const char* key : {"entries", "rows_per_entry", "rows", "attributes", "model_from_mesh"})
        json[stated].erase(key);
      if (!keep) json[stated].erase("zones"); // in the unit that the vertices had
    }
  }

  void addSkinning(const ShownMesh& shown, const std::vector<std::size_t>& nodes, bool keep,
                   const mat4& modelFromFile) {
    for (const std::size_t m : shown.parts)
      addSkinningAttributes(
          *skinning_, m, keep ? origin_.meshes[m].vertexByFileVertex : allVertices(now_.meshes[m]),
          buffer_, getPrimitive(shown, m)["attributes"]);
    for (const std::size_t node : nodes)
      if (!stateSkinning(skinningJson(*skinning_, modelFromFile), file_["nodes"][node]))
        out_.notes.push_back(fmt::format(
            "nodes[{}]: extras.sinew.skinning, because its extras are no object", node));
  }

  // An instance is at a node that the file does not have.
  bool isInstanced(const ShownMesh& shown) const {
    return nodes_.before[was_.meshes[shown.parts.front()].node] == kNoPlace;
  }

  void checkNode(const ShownMesh& shown, std::size_t m) const {
    const Mesh& mesh = now_.meshes[m];
    if (nodes_.oldNodeByNode[mesh.node] == was_.meshes[m].node) return;
    if (toFileNode(mesh.node) != shown.node)
      throw CannotPatch(fmt::format("mesh '{}' is on another node", mesh.name));
  }

  // Skinned nodes with the same mesh and skin are one mesh of the model.
  std::vector<std::size_t> nodesLike(const GltfJson& like, std::size_t own) const {
    std::vector<std::size_t> out{own};
    if (!like.contains("skin")) return out;
    for (std::size_t n = 0; n < file_["nodes"].size(); ++n) {
      const GltfJson& node = file_["nodes"][n];
      if (n != own && node.contains("mesh") && node["mesh"] == like["mesh"] &&
          node.contains("skin") && node["skin"] == like["skin"])
        out.push_back(n);
    }
    return out;
  }

  bool skinningChanged(const ShownMesh& shown) const {
    return std::ranges::any_of(shown.parts, [&](std::size_t m) {
      const Mesh& before = was_.meshes[m];
      const Mesh& after = now_.meshes[m];
      return !before.skin || !sameInfluences(before.influences, after.influences) ||
             !sameInfluences(before.splineInfluences, after.splineInfluences) ||
             !sameSkin(*before.skin, *after.skin);
    });
  }

  bool weightsChanged(const ShownMesh& shown) const {
    return std::ranges::any_of(shown.parts, [&](std::size_t m) {
      const Mesh& before = was_.meshes[m];
      const Mesh& after = now_.meshes[m];
      return !sameInfluences(before.influences, after.influences) ||
             !sameInfluences(before.splineInfluences, after.splineInfluences) ||
             (after.skin && !before.skin);
    });
  }

  // Whether the joints that a skin of before has are those of a skin of now, with the same
  // matrices.
  bool extends(std::size_t before, std::size_t after) const {
    const std::vector<SkinJoint>& a = was_.skins[before].joints;
    const std::vector<SkinJoint>& b = now_.skins[after].joints;
    if (a.size() > b.size()) return false;
    for (std::size_t j = 0; j < a.size(); ++j)
      if (nodes_.oldNodeByNode[b[j].node] != a[j].node || a[j].jointFromBind != b[j].jointFromBind)
        return false;
    return true;
  }

  bool sameSkin(std::size_t before, std::size_t after) const {
    return was_.skins[before].joints.size() == now_.skins[after].joints.size() &&
           extends(before, after);
  }

  FileSkin fileSkin(const ShownMesh& shown, const mat4& modelFromFile) {
    const std::size_t m = shown.parts.front();
    const Mesh& before = was_.meshes[m];
    const std::size_t now = *now_.meshes[m].skin;
    for (const auto& [index, matrix, skin] : skins_)
      if (index == now && matrix == modelFromFile) return skin;
    FileSkin out;
    if (before.skin && modelFromFile == origin_.meshes[m].modelFromFile &&
        extends(*before.skin, now))
      out = extendedSkin(origin_.skins[*before.skin], now, modelFromFile);
    else
      out = newSkin(now, modelFromFile);
    skins_.push_back({now, modelFromFile, out});
    return out;
  }

  FileSkin newSkin(std::size_t now, const mat4& modelFromFile) {
    const std::vector<SkinJoint>& joints = now_.skins[now].joints;
    FileSkin out;
    GltfJson made = {{"inverseBindMatrices", addInverseBinds(joints, modelFromFile, buffer_)},
                     {"joints", GltfJson::array()}};
    for (std::uint32_t j = 0; j < joints.size(); ++j) {
      made["joints"].push_back(toFileNode(joints[j].node));
      out.jointByInfluence.push_back(j);
    }
    out.skin = appendTo(file_, "skins", std::move(made));
    return out;
  }

  // The file's skin with the further joints behind its own.
  FileSkin extendedSkin(const GltfSkinOrigin& origin, std::size_t now, const mat4& modelFromFile) {
    const std::vector<SkinJoint>& joints = now_.skins[now].joints;
    FileSkin out{origin.skin, {}};
    for (std::uint32_t j = 0; j < joints.size(); ++j)
      out.jointByInfluence.push_back(j);
    if (joints.size() == origin.joints) return out;
    GltfJson& skin = file_["skins"][origin.skin];
    for (std::size_t j = origin.joints; j < joints.size(); ++j)
      skin["joints"].push_back(toFileNode(joints[j].node));
    skin["inverseBindMatrices"] = addInverseBinds(joints, modelFromFile, buffer_);
    if (skin.contains("skeleton")) {
      skin.erase("skeleton");
      out_.notes.push_back(fmt::format(
          "skins[{}].skeleton: it need not be above the joints that were added", origin.skin));
    }
    return out;
  }

  // The mesh becomes one of these nodes alone, if others show it too.
  void ownMesh(ShownMesh& shown, const std::vector<std::size_t>& nodes) {
    for (std::size_t n = 0; n < file_["nodes"].size(); ++n) {
      const GltfJson& node = file_["nodes"][n];
      if (!node.contains("mesh") || node["mesh"] != shown.mesh ||
          std::ranges::find(nodes, n) != nodes.end())
        continue;
      shown.mesh = appendTo(file_, "meshes", GltfJson(file_["meshes"][shown.mesh]));
      for (const std::size_t own : nodes)
        file_["nodes"][own]["mesh"] = shown.mesh;
      return;
    }
  }

  GltfJson& getPrimitive(const ShownMesh& shown, std::size_t m) {
    return file_["meshes"][shown.mesh]["primitives"][origin_.meshes[m].primitive];
  }

  void patchPrimitive(const ShownMesh& shown, std::size_t m, bool keep, const mat4& modelFromFile,
                      const std::optional<FileSkin>& skin) {
    const Mesh& before = was_.meshes[m];
    const Mesh& after = now_.meshes[m];
    const std::vector<std::uint32_t> jointByInfluence =
        skin ? skin->jointByInfluence : ownJoints(now_, after);
    if (!keep) return replacePrimitive(shown, m, jointByInfluence);
    const GlbVertices& vertices = origin_.meshes[m].vertexByFileVertex;
    if (hasMoved(m)) moveVertices(shown, m);
    const bool bones =
        skin && (!before.skin || !sameInfluences(before.influences, after.influences));
    if (bones) {
      eraseSets(shown, m, {"JOINTS_", "WEIGHTS_"});
      addInfluences(after, vertices, jointByInfluence, buffer_,
                    getPrimitive(shown, m)["attributes"]);
    }
    if (!sameInfluences(before.splineInfluences, after.splineInfluences)) {
      eraseSets(shown, m, {"_SPLINES_", "_SPLINE_WEIGHTS_"});
      addSplineInfluences(after, vertices, buffer_, getPrimitive(shown, m)["attributes"]);
    }
    const mat3 fileFromModel = glm::inverse(mat3(modelFromFile));
    for (std::size_t t = shown.fileTargets; t < shown.targets.size(); ++t) {
      const bool withNormals = getPrimitive(shown, m)["attributes"].contains("NORMAL");
      GltfJson target =
          morphJson(after, shown.targets[t], vertices, fileFromModel, withNormals, buffer_);
      appendTo(getPrimitive(shown, m), "targets", std::move(target));
    }
  }

  // Positions, normals, tangents and targets; all other attributes of the file stay.
  void moveVertices(const ShownMesh& shown, std::size_t m) {
    const Mesh& mesh = now_.meshes[m];
    const GlbVertices& vertices = origin_.meshes[m].vertexByFileVertex;
    const auto ofFile = [&](const auto& values, const auto& other) {
      std::vector<std::decay_t<decltype(other)>> out;
      for (const std::uint32_t v : vertices)
        out.push_back(v == kNotInGltf ? other : values[v]);
      return out;
    };
    GltfJson& primitive = getPrimitive(shown, m);
    GltfJson& attributes = primitive["attributes"];
    const std::vector<vec3> positions = ofFile(mesh.positions, vec3(0.0f));
    attributes["POSITION"] = buffer_.add(std::span<const vec3>(positions), GlbUse::vertices, true);
    const bool withNormals = attributes.contains("NORMAL");
    if (withNormals) {
      const std::vector<vec3> normals = ofFile(mesh.normals, vec3(0.0f, 1.0f, 0.0f));
      attributes["NORMAL"] = buffer_.add(std::span<const vec3>(normals), GlbUse::vertices);
    }
    attributes.erase("TANGENT");
    if (withNormals && !mesh.tangents.empty() &&
        std::ranges::none_of(mesh.tangents,
                             [](const vec4& tangent) { return vec3(tangent) == vec3(0.0f); })) {
      const std::vector<vec4> tangents = ofFile(mesh.tangents, vec4(1.0f, 0.0f, 0.0f, 1.0f));
      attributes["TANGENT"] = buffer_.add(std::span<const vec4>(tangents), GlbUse::vertices);
    }
    for (std::size_t t = 0; t < shown.fileTargets; ++t)
      primitive["targets"][t] =
          morphJson(mesh, shown.targets[t], vertices, mat3(1.0f), withNormals, buffer_);
  }

  // Also from what a compressed primitive says that it has.
  void eraseSets(const ShownMesh& shown, std::size_t m,
                 std::initializer_list<std::string_view> prefixes) {
    GltfJson& primitive = getPrimitive(shown, m);
    const auto erase = [&](GltfJson& attributes) {
      std::vector<std::string> names;
      for (auto at = attributes.begin(); at != attributes.end(); ++at)
        if (std::ranges::any_of(prefixes,
                                [&](std::string_view p) { return at.key().starts_with(p); }))
          names.push_back(at.key());
      for (const std::string& name : names)
        attributes.erase(name);
      return !names.empty();
    };
    erase(primitive["attributes"]);
    if (primitive.contains("extensions") && primitive["extensions"].contains(kDraco) &&
        erase(primitive["extensions"][kDraco]["attributes"]))
      out_.notes.push_back(
          fmt::format("mesh '{}': joints and weights leave {}", now_.meshes[m].name, kDraco));
  }

  void replacePrimitive(const ShownMesh& shown, std::size_t m,
                        const std::vector<std::uint32_t>& jointByInfluence) {
    GltfJson made = primitiveJson(now_, now_.meshes[m], shown.targets, jointByInfluence, buffer_);
    GltfJson& primitive = getPrimitive(shown, m);
    if (primitive.contains("extensions")) {
      std::vector<std::string> dropped;
      for (auto at = primitive["extensions"].begin(); at != primitive["extensions"].end(); ++at)
        if (at.key() != "KHR_materials_variants") dropped.push_back(at.key());
      for (const std::string& name : dropped) {
        primitive["extensions"].erase(name);
        out_.notes.push_back(
            fmt::format("mesh '{}': {} of the vertices it had", now_.meshes[m].name, name));
      }
      if (primitive["extensions"].empty()) primitive.erase("extensions");
    }
    primitive.erase("targets");
    for (auto at = made.begin(); at != made.end(); ++at)
      primitive[at.key()] = at.value();
  }

  // Primitives that the model has not (points, lines) get targets that move nothing.
  void addTargets(const ShownMesh& shown, const std::vector<std::size_t>& nodes) {
    GltfJson& mesh = file_["meshes"][shown.mesh];
    for (std::size_t p = 0; p < mesh["primitives"].size(); ++p) {
      const std::size_t has =
          mesh["primitives"][p].contains("targets") ? mesh["primitives"][p]["targets"].size() : 0;
      if (has >= shown.targets.size()) continue;
      const auto position = mesh["primitives"][p]["attributes"].at("POSITION").get<std::size_t>();
      const auto count = file_["accessors"][position]["count"].get<std::size_t>();
      const std::size_t none = buffer_.addOffsets({}, {}, count);
      for (std::size_t t = has; t < shown.targets.size(); ++t)
        appendTo(mesh["primitives"][p], "targets", {{"POSITION", none}});
    }
    if (!mesh.contains("extras") || mesh["extras"].is_object()) {
      GltfJson& names = mesh["extras"]["targetNames"];
      for (std::size_t t = names.is_array() ? names.size() : 0; t < shown.targets.size(); ++t)
        names.push_back(now_.morphTargets[shown.targets[t]].name);
    }
    mesh["weights"] = weightsJson(shown);
    for (const std::size_t node : nodes)
      if (file_["nodes"][node].contains("weights"))
        file_["nodes"][node]["weights"] = weightsJson(shown);
  }

  GltfJson weightsJson(const ShownMesh& shown) const {
    std::vector<float> weights;
    for (const std::uint32_t target : shown.targets)
      weights.push_back(now_.morphTargets[target].weight);
    return numbersJson(weights);
  }

  // At rest, where they have changed.
  void setWeights(const ShownMesh& shown, const std::vector<std::size_t>& nodes) {
    for (std::size_t t = 0; t < shown.fileTargets; ++t)
      if (now_.morphTargets[shown.targets[t]].weight !=
          was_.morphTargets[shown.targets[t]].weight) {
        for (const std::size_t node : nodes)
          file_["nodes"][node]["weights"] = weightsJson(shown);
        return;
      }
  }

  std::vector<MorphingMesh> morphingMeshes() const {
    std::vector<MorphingMesh> out;
    for (const ShownMesh& shown : shown_)
      if (!shown.targets.empty()) out.push_back({shown.node, shown.targets});
    return out;
  }

  void patchSplines() {
    if (was_.splines.empty() && now_.splines.empty()) return;
    for (const FreeSpline& spline : now_.splines)
      for (const std::uint32_t node : spline.nodes)
        toFileNode(node);
    if (!now_.splines.empty())
      file_["extras"]["sinew"]["splines"] = splinesJson(now_, nodes_.nodes);
    else if (file_.contains("extras") && file_["extras"].contains("sinew"))
      file_["extras"]["sinew"].erase("splines");
  }

  struct MadeSkin {
    std::size_t index = 0; // index into the skins of the model now
    mat4 modelFromFile{1.0f};
    FileSkin skin;
  };

  const Model& was_;
  const GltfOrigin& origin_;
  const Model& now_;
  const SkinningData* skinning_; // null: none
  GltfJson file_;
  GlbBuffer buffer_;
  MeshesOfWeights meshesOfWeights_; // before
  GlbFile out_;
  PatchedNodes nodes_;
  std::vector<ShownMesh> shown_;
  std::vector<MadeSkin> skins_;
  std::vector<mat4> modelFromNode_; // before, in the bind pose
};

} // namespace

GlbFile writeGlb(const Model& model, std::span<const NodeConstraint> constraints,
                 const SkinningData* skinning) {
  std::string why;
  if (model.format.find("glTF") != std::string::npos && !model.path.empty()) try {
      const GltfModel was = importGltfIsolated(model.path);
      return GltfPatch(readGltfSource(model.path), was, model, skinning).write(constraints);
    } catch (const CannotPatch& problem) {
      why = problem.what();
    } catch (const Error& problem) {
      why = problem.what();
    } catch (const GltfJson::exception& problem) {
      why = problem.what();
    }
  GlbFile out{toGlb(model, constraints, skinning), leftOutOfGlb(model)};
  if (!why.empty())
    out.notes.push_back(fmt::format(
        "the parts of {} that sinew does not read; the file is written as a new one: {}",
        model.path, why));
  return out;
}

} // namespace sinew
