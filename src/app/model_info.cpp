#include "app/model_info.h"

#include "animation/retarget/motion.h"
#include "app/subdivision.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace sinew {
namespace {

using InfoJson = nlohmann::ordered_json;

std::uint32_t countInfluences(const Mesh& mesh) {
  return mesh.skin ? maxInfluences(mesh.influences) : 0;
}

std::size_t countJoints(const Model& model, const Mesh& mesh) {
  return mesh.skin ? model.skins[*mesh.skin].joints.size() : 0;
}

InfoJson motionJson(const std::shared_ptr<const MotionReport>& report) {
  if (!report) return {};
  InfoJson matched = InfoJson::array();
  for (const MatchedJoint& pair : report->matched)
    matched.push_back(
        {{"joint", pair.joint},
         {"motion", pair.motion},
         {"rule", std::string(kNameMatchWords[static_cast<std::size_t>(pair.match)])}});
  return {{"path", report->file},   {"matched", matched},     {"unmatched", report->unmatched},
          {"still", report->still}, {"scale", report->scale}, {"same_frames", report->sameFrames},
          {"exact", report->exact}};
}

// The pairs found by one rule in a line; empty without any.
std::string pairsText(const MotionReport& report, NameMatch match, const char* what) {
  std::string names;
  std::size_t count = 0;
  for (const MatchedJoint& pair : report.matched) {
    if (pair.match != match) continue;
    names += match == NameMatch::exact ? " " + pair.joint
                                       : fmt::format(" {}={}", pair.joint, pair.motion);
    ++count;
  }
  return count > 0 ? fmt::format("  {} {}:{}\n", count, what, names) : std::string();
}

std::string namesText(const std::vector<std::string>& names, const char* what) {
  if (names.empty()) return {};
  return fmt::format("  {} {}: {}\n", names.size(), what, fmt::join(names, " "));
}

std::string motionText(const MotionReport& report) {
  return fmt::format("\nmotion of {}: {}, scale {:.4g}\n", report.file,
                     report.exact        ? "copied key by key"
                     : report.sameFrames ? "rotations copied, since the joint frames agree"
                                         : "converted to this skeleton's joint frames",
                     report.scale) +
         pairsText(report, NameMatch::given, "joints by the map") +
         pairsText(report, NameMatch::exact, "joints by the same name") +
         pairsText(report, NameMatch::normalised,
                   "joints by name without name space, case and separators") +
         pairsText(report, NameMatch::part, "joints by the part of the body") +
         namesText(report.unmatched, "joints of the motion that the model does not have") +
         namesText(report.still, "joints of the model that the motion does not move");
}

// What a morph target moves, and by which clips.
struct MorphUse {
  std::size_t vertices = 0;
  std::vector<std::string> meshes;
  std::vector<std::string> clips;
};

MorphUse measureMorphUse(const Model& model, std::uint32_t target) {
  MorphUse use;
  for (const Mesh& mesh : model.meshes)
    for (const MorphOffsets& morph : mesh.morphs)
      if (morph.target == target) {
        use.vertices += morph.vertices.size();
        use.meshes.push_back(mesh.name);
      }
  for (const Clip& clip : model.clips)
    if (std::ranges::any_of(clip.morphs, [&](const auto& each) { return each.target == target; }))
      use.clips.push_back(clip.name);
  return use;
}

InfoJson morphJson(const Model& model) {
  const std::vector<std::string> labels = morphLabels(model);
  InfoJson out = InfoJson::array();
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    const MorphUse use = measureMorphUse(model, i);
    out.push_back({{"name", labels[i]},
                   {"weight", model.morphTargets[i].weight},
                   {"vertices", use.vertices},
                   {"meshes", use.meshes},
                   {"clips", use.clips}});
  }
  return out;
}

std::string morphTable(const Model& model) {
  if (model.morphTargets.empty()) return {};
  const std::vector<std::string> labels = morphLabels(model);
  std::string out =
      fmt::format("\n{:<36} {:>8} {:>9}  {}\n", "morph target", "weight", "vertices", "clips");
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    const MorphUse use = measureMorphUse(model, i);
    out += fmt::format("{:<36} {:>8.3g} {:>9}  {}\n", labels[i], model.morphTargets[i].weight,
                       use.vertices,
                       use.clips.empty() ? "-" : fmt::format("{}", fmt::join(use.clips, ", ")));
  }
  return out;
}

InfoJson morphPosesJson(const Model& model) {
  const std::vector<std::string> labels = morphLabels(model);
  InfoJson out = InfoJson::object();
  for (const MorphPose& pose : model.morphPoses) {
    InfoJson weights = InfoJson::object();
    for (const MorphPoseWeight& each : pose.weights)
      weights[labels[each.target]] = each.weight;
    out[pose.name] = weights;
  }
  return out;
}

InfoJson humanoidJson(const Model& model) {
  InfoJson out = InfoJson::object();
  for (const Node& node : model.hierarchy.nodes)
    if (!node.humanBone.empty()) out[node.humanBone] = node.name;
  return out;
}

std::size_t springJoints(const Model& model) {
  std::size_t count = 0;
  for (const Spring& spring : model.springBones.springs)
    count += spring.joints.size();
  return count;
}

InfoJson springsJson(const Model& model) {
  const SpringBones& bones = model.springBones;
  if (bones.springs.empty()) return {};
  return {{"springs", bones.springs.size()},
          {"joints", springJoints(model)},
          {"colliders", bones.colliders.size()}};
}

// What a VRM file says of the character.
std::string characterText(const Model& model) {
  std::string out;
  if (const auto bones = std::ranges::count_if(
          model.hierarchy.nodes, [](const Node& node) { return !node.humanBone.empty(); });
      bones > 0)
    out += fmt::format("humanoid: {} bones\n", bones);
  if (const SpringBones& bones = model.springBones; !bones.springs.empty())
    out += fmt::format("springs: {} with {} joints and {} colliders (--layers own)\n",
                       bones.springs.size(), springJoints(model), bones.colliders.size());
  if (!model.morphPoses.empty()) {
    out += "expressions:";
    for (const MorphPose& pose : model.morphPoses)
      out += fmt::format("{} {}", &pose == model.morphPoses.data() ? "" : ",", pose.name);
    out += "\n";
  }
  return out.empty() ? out : "\n" + out;
}

InfoJson zonesJson(const Zones& zones) {
  if (zones.table.empty()) return {};
  InfoJson methods = InfoJson::object();
  for (const auto& [joint, zone] : zones.table)
    if (!zone.method.empty()) methods[joint] = zone.method;
  return {{"path", zones.path}, {"joints", zones.table.size()}, {"methods", methods}};
}

std::size_t followers(const Model& model, const FreeSpline& spline) {
  const auto index = static_cast<std::uint32_t>(&spline - model.splines.data());
  std::size_t count = 0;
  for (const Mesh& mesh : model.meshes)
    count += static_cast<std::size_t>(
        std::ranges::count(mesh.splineInfluences.values, index, &Influence::joint));
  return count;
}

} // namespace

nlohmann::ordered_json infoJson(const Workbench& workbench) {
  const Model& model = workbench.model;
  InfoJson meshes = InfoJson::array();
  for (const Mesh& mesh : model.meshes)
    meshes.push_back({{"name", mesh.name},
                      {"vertices", mesh.positions.size()},
                      {"triangles", mesh.triangles.size()},
                      {"skinned", mesh.skin.has_value()},
                      {"joints", countJoints(model, mesh)},
                      {"max_influences", countInfluences(mesh)}});
  const std::vector<std::string> morphs = morphLabels(model);
  InfoJson clips = InfoJson::array();
  for (const Clip& clip : model.clips) {
    InfoJson moved = InfoJson::array();
    for (const MorphChannel& channel : clip.morphs)
      moved.push_back(morphs[channel.target]);
    clips.push_back({{"name", clip.name},
                     {"seconds", clip.seconds},
                     {"channels", clip.channels.size() + clip.morphs.size()},
                     {"morph_targets", moved}});
  }
  InfoJson splines = InfoJson::array();
  for (const FreeSpline& spline : model.splines) {
    InfoJson nodes = InfoJson::array();
    for (const std::uint32_t node : spline.nodes)
      nodes.push_back(model.hierarchy.nodes[node].name);
    splines.push_back(
        {{"name", spline.name}, {"nodes", nodes}, {"vertices", followers(model, spline)}});
  }
  InfoJson textures = InfoJson::array();
  for (const Texture& texture : model.textures)
    textures.push_back(
        {{"path", texture.path}, {"found", texture.found}, {"source", texture.source}});
  const InfluenceCut cut = influencesCut(workbench.rig.influences, kDefaultInfluences);
  const Bounds box = posedOutline(workbench);
  return {
      {"model", model.path},
      {"format", model.format},
      {"meshes", meshes},
      {"vertices", vertexCount(model)},
      {"subdivided_vertices", insertedVertexCount(model)},
      {"triangles", triangleCount(model)},
      {"joints", jointNodes(model).size()},
      {"nodes", model.hierarchy.nodes.size()},
      {"splines", splines},
      {"morph_targets", morphJson(model)},
      {"morph_poses", morphPosesJson(model)},
      {"humanoid", humanoidJson(model)},
      {"spring_bones", springsJson(model)},
      {"clips", clips},
      {"motion", motionJson(workbench.motion)},
      {"textures", textures},
      {"meters_per_unit", model.metersPerUnit ? InfoJson(*model.metersPerUnit) : InfoJson()},
      {"skinned_by", model.skinnedBy.empty() ? InfoJson() : InfoJson(model.skinnedBy)},
      {"bounds",
       {{"min", {box.min.x, box.min.y, box.min.z}}, {"max", {box.max.x, box.max.y, box.max.z}}}},
      {"cut_influences",
       {{"at", kDefaultInfluences},
        {"vertices", cut.vertices},
        {"influences", cut.influences},
        {"largest_weight", cut.largestWeight}}},
      {"zones", zonesJson(workbench.zones)},
      {"repairs", model.repairs},
      {"warnings", model.warnings}};
}

namespace {

std::string meshTable(const Model& model) {
  std::string out = fmt::format("{:<28} {:>9} {:>10} {:>7} {:>11}\n", "mesh", "vertices",
                                "triangles", "joints", "influences");
  for (const Mesh& mesh : model.meshes)
    out += fmt::format("{:<28} {:>9} {:>10} {:>7} {:>11}\n", mesh.name, mesh.positions.size(),
                       mesh.triangles.size(),
                       mesh.skin ? std::to_string(countJoints(model, mesh)) : "rigid",
                       mesh.skin ? std::to_string(countInfluences(mesh)) : "-");
  return out;
}

// How many vertices a draw takes four, eight or more influences for.
std::string influenceCounts(const Influences& influences) {
  std::array<std::size_t, 4> counts{}; // 1 to 4, 5 to 8, 9 to 12, more
  for (std::size_t v = 0; v < influences.vertexCount(); ++v)
    ++counts[std::min<std::size_t>((std::max<std::size_t>(influences.of(v).size(), 1) - 1) / 4, 3)];
  static constexpr std::array kNames{"up to 4", "5 to 8", "9 to 12", "more than 12"};
  std::string out = "\nvertices by influences:";
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      out += fmt::format("{} {} have {}", out.back() == ':' ? "" : ",", counts[i], kNames[i]);
  return out + "\n";
}

std::string zonesText(const Zones& zones) {
  if (zones.table.empty()) return {};
  return fmt::format("\nzones of {} joint{}{}; per-joint: {}\n", zones.table.size(),
                     zones.table.size() == 1 ? "" : "s",
                     zones.path.empty() ? "" : ", from " + zones.path,
                     zoneMethodsText(zones.table));
}

} // namespace

std::string infoText(const Workbench& workbench) {
  const Model& model = workbench.model;
  const Bounds box = posedOutline(workbench);
  const vec3 extent = box.extent();
  std::string out =
      fmt::format("{}\n{}, {} vertices, {} triangles, {} joints, size {:.4g} x {:.4g} x {:.4g}{}\n",
                  model.path.empty() ? model.name : model.path, model.format, vertexCount(model),
                  triangleCount(model), jointNodes(model).size(), extent.x, extent.y, extent.z,
                  model.metersPerUnit ? fmt::format(" (unit {:.4g} m)", *model.metersPerUnit) : "");
  if (!model.meshes.empty()) out += "\n" + meshTable(model);
  if (!model.skinnedBy.empty())
    out += fmt::format("\nits skin states the method {}{}\n", model.skinnedBy,
                       workbench.rig.dualQuaternionShares.empty()
                           ? ""
                           : ": linear blending and dual quaternions, mixed by vertex");
  for (const FreeSpline& spline : model.splines)
    out += fmt::format("{}free spline {}: {}, {}, {}; {} vertices follow it\n",
                       &spline == &model.splines[0] ? "\n" : "", spline.name,
                       model.hierarchy.nodes[spline.nodes[0]].name,
                       model.hierarchy.nodes[spline.nodes[1]].name,
                       model.hierarchy.nodes[spline.nodes[2]].name, followers(model, spline));
  out += morphTable(model);
  out += characterText(model);
  if (!model.clips.empty())
    out += fmt::format("\n{:<36} {:>8} {:>9}\n", "clip", "seconds", "channels");
  for (const Clip& clip : model.clips)
    out += fmt::format("{:<36} {:>8.3f} {:>9}\n", clip.name, clip.seconds,
                       clip.channels.size() + clip.morphs.size());
  if (workbench.motion) out += motionText(*workbench.motion);
  for (const Texture& texture : model.textures)
    out += fmt::format("\ntexture {}: {}", texture.path,
                       texture.found ? texture.source : "missing, drawn as a checkerboard");
  if (!model.textures.empty()) out += "\n";
  const std::uint32_t largest = maxInfluences(workbench.rig.influences);
  if (largest > 4) out += influenceCounts(workbench.rig.influences);
  if (const InfluenceCut cut = influencesCut(workbench.rig.influences, kDefaultInfluences);
      cut.vertices > 0)
    out += fmt::format("{} influences a vertex leave out {} influences at {} vertices, largest "
                       "weight {:.3f}; --influences all keeps {}\n",
                       kDefaultInfluences, cut.influences, cut.vertices, cut.largestWeight,
                       largest > kInfluenceLimit ? fmt::format("{} a vertex", kInfluenceLimit)
                                                 : "them");
  if (const std::size_t count = insertedVertexCount(model); count > 0)
    out += fmt::format("\nsubdivided: {} of the vertices are new\n", count);
  out += zonesText(workbench.zones);
  for (const std::string& line : model.repairs)
    out += fmt::format("repaired: {}\n", line);
  for (const std::string& line : model.warnings)
    out += fmt::format("warning: {}\n", line);
  return out;
}

} // namespace sinew
