#include "page/page_motion.h"

#include "app/clip_bounds.h"
#include "app/difference.h"
#include "core/parallel.h"
#include "page/page_transforms.h"
#include "skinning/modified.h"

#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMeasured = 12; // poses of a clip, evenly spaced

struct PackedMethod {
  std::vector<Palette> palettes; // one per pose
  Channels rows;                 // rows that the reader has; none where its program packs them
  bool nonUniformScale = false;  // true if any pose has it
};

void putDisplacements(const Binding& binding, std::span<const MatrixRows> joints, Palette& out) {
  if (!joints.empty() && isModified(binding, velocityModifier()))
    putModifierRows(binding, joints, out.rows);
}

PackedMethod packAll(const Workbench& workbench, std::size_t m, const PageClip& clip) {
  const BoundMethod& bound = workbench.bound[m];
  PackedMethod out;
  for (const PagePose& pose : clip.poses) {
    packPalette(*bound.method, workbench.rig, bound.binding,
                bound.method->shows ? pose.standIns[m].modelFromNode : pose.modelFromNode,
                out.palettes.emplace_back(), pose.twists);
    putDisplacements(bound.binding, pose.displacements, out.palettes.back());
    out.nonUniformScale = out.nonUniformScale || out.palettes.back().nonUniformScale;
  }
  return out;
}

Channels packRows(const std::vector<Palette>& palettes) {
  const std::size_t numbers = 4 * palettes.front().rows.size();
  Channels out = makeChannels(numbers, palettes.size());
  for (std::size_t pose = 0; pose < palettes.size(); ++pose) {
    const auto* first = reinterpret_cast<const float*>(palettes[pose].rows.data());
    std::ranges::copy(std::span(first, numbers), out.ofPose(pose).begin());
  }
  return out;
}

} // namespace

std::vector<BlendedPlace> blendedPlaces(const Workbench& workbench) {
  std::vector<BlendedPlace> out;
  const Rig& rig = workbench.rig;
  for (std::uint32_t m = 0; m < workbench.model.materials.size(); ++m) {
    if (workbench.model.materials[m].alphaMode != AlphaMode::blend) continue;
    std::vector<std::size_t> followers(std::max<std::size_t>(rig.joints.size(), 1));
    glm::dvec3 sum(0.0);
    std::size_t count = 0;
    for (const RigMesh& mesh : rig.meshes)
      for (std::uint32_t v = mesh.firstVertex;
           mesh.material == m && v < mesh.firstVertex + mesh.vertexCount; ++v, ++count) {
        ++followers[rig.influences.of(v)[0].joint];
        sum += glm::dvec3(rig.positions[v]);
      }
    BlendedPlace place;
    if (count > 0) {
      const auto joint = std::ranges::max_element(followers) - followers.begin();
      const RigJoint& common = rig.joints[static_cast<std::size_t>(joint)];
      const vec3 middle(sum / static_cast<double>(count));
      place = {common.node, vec3(common.jointFromBind * vec4(middle, 1.0f))};
    }
    out.push_back(place);
  }
  return out;
}

namespace {

void write(std::span<float>& to, const vec3& v) {
  for (int i = 0; i < 3; ++i)
    to[static_cast<std::size_t>(i)] = v[i];
  to = to.subspan(3);
}

std::vector<vec3> computePositions(const Workbench& workbench, std::size_t m,
                                   const Palette& palette, std::span<const float> weights) {
  const BoundMethod& bound = workbench.bound[m];
  const MorphedVertices morphed = morphedAt(workbench, m, weights);
  std::optional<MorphedBinding> cached;
  SkinnedMesh out;
  bound.method->skin(BindVertices(workbench.rig, morphed),
                     morphBinding(*bound.method, workbench.rig, bound.binding, morphed, cached),
                     palette, out);
  return std::move(out.positions);
}

// What the reader has: weights of the morph targets that move.
std::vector<vec3> placesRead(const Method& method, const PageMesh& read, std::size_t m,
                             const Palette& palette, std::span<const float> weights) {
  const MorphedVertices morphed = morphedRead(read.morphs, m, read.rig, weights);
  SkinnedMesh out;
  method.skin(BindVertices(read.rig, morphed),
              morphed.moved() ? morphedRead(read.morphs, m, read.bindings[m], weights)
                              : read.bindings[m],
              palette, out);
  return std::move(out.positions);
}

float farthest(std::span<const vec3> a, std::span<const vec3> b) {
  float square = 0.0f;
  for (std::size_t v = 0; v < a.size(); ++v)
    square = std::max(square, glm::dot(a[v] - b[v], a[v] - b[v]));
  return std::sqrt(square);
}

// Whether rows of the palette may be interpolated between two poses: what a row means is not known
// here (a quaternion may change its sign from one pose to the next), so that is tried, with every
// pose made of its neighbours. A good pose is off by less than half of their distance.
bool interpolates(const Workbench& workbench, std::size_t m, const PackedMethod& packed,
                  const PageClip& clip, std::span<const MorphWeights> weights, float size) {
  if (packed.palettes.size() < 3) return false;
  std::vector<std::uint8_t> good(packed.palettes.size() - 2);
  forEachInParallel(good.size(), [&](std::size_t i) {
    const Palette& before = packed.palettes[i];
    const Palette& after = packed.palettes[i + 2];
    Palette between = before;
    const auto share = clip.times.empty() ? 0.5f
                                          : static_cast<float>((clip.times[i + 1] - clip.times[i]) /
                                                               (clip.times[i + 2] - clip.times[i]));
    for (std::size_t row = 0; row < between.rows.size(); ++row)
      between.rows[row] = (1.0f - share) * before.rows[row] + share * after.rows[row];
    between.nonUniformScale = packed.nonUniformScale;
    const auto places = [&](const Palette& palette) {
      return computePositions(workbench, m, palette, weights[i + 1]);
    };
    const std::vector<vec3> shown = places(packed.palettes[i + 1]);
    const float off = farthest(places(between), shown);
    good[i] = off <= std::max(farthest(places(before), shown), 1e-4f * size);
  });
  return std::ranges::all_of(good, [](std::uint8_t each) { return each != 0; });
}

// A clip as it is stored.
struct ReadClip {
  std::vector<PackedMethod> methods;
  Channels transforms; // transforms of form.nodes
  Channels displacements;
};

Channels collectDisplacements(const PageClip& clip) {
  Channels out = makeChannels(12 * clip.poses.front().displacements.size(), clip.poses.size());
  for (std::size_t pose = 0; pose < clip.poses.size(); ++pose) {
    std::vector<MatrixRows> joints = clip.poses[pose].displacements;
    std::ranges::copy(floatsIn(joints), out.ofPose(pose).begin());
  }
  return out;
}

std::vector<MatrixRows> rowsIn(std::span<const float> numbers) {
  std::vector<MatrixRows> out(numbers.size() / 12);
  std::ranges::copy(numbers, floatsIn(out).begin());
  return out;
}

// What the reader draws a method with in a pose.
Palette paletteRead(const Workbench& workbench, const PageClip& clip, const MotionForm& form,
                    ReadClip& read, std::size_t m, std::size_t pose) {
  Palette out;
  PackedMethod& method = read.methods[m];
  if (form.nodes.empty()) {
    out.rows.resize(method.palettes[pose].rows.size());
    out.nonUniformScale = method.nonUniformScale;
    const std::span<const float> numbers = method.rows.ofPose(pose);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      out.rows[i / 4][static_cast<int>(i % 4)] = numbers[i];
    return out;
  }
  const BoundMethod& bound = workbench.bound[m];
  const ReadPose posed = readPose(workbench.model.hierarchy, form.nodes, clip.poses[pose],
                                  read.transforms.ofPose(pose));
  packPalette(*bound.method, workbench.rig, bound.binding, posed.modelFromNode, out, posed.twists);
  putDisplacements(bound.binding, rowsIn(read.displacements.ofPose(pose)), out);
  return out;
}

// One pose by all methods, and what the reader makes of it.
struct PoseNumbers {
  Outline outline;
  std::vector<float> largest, mean; // per method
  float error = 0.0f;               // share of the size
};

// readPalette(m): what the reader has; null: its error is not asked for.
PoseNumbers measure(const Workbench& workbench, const std::vector<PackedMethod>& packed,
                    const PageMesh& mesh, float size, std::size_t pose,
                    std::span<const float> weights, std::span<const float> weightsRead,
                    const std::function<Palette(std::size_t)>& readPalette) {
  PoseNumbers out;
  std::vector<vec3> reference;
  for (std::size_t m = 0; m < workbench.bound.size(); ++m) {
    std::vector<vec3> places = computePositions(workbench, m, packed[m].palettes[pose], weights);
    if (readPalette) {
      const auto seen =
          placesRead(*workbench.bound[m].method, mesh, m, readPalette(m), weightsRead);
      out.error = std::max(out.error, computeDifference(seen, places, size).largest);
    }
    if (m == 0) {
      out.outline = makeOutline(places);
      reference = std::move(places);
      out.largest.push_back(0.0f);
      out.mean.push_back(0.0f);
      continue;
    }
    const Difference difference = computeDifference(places, reference, size);
    out.largest.push_back(difference.largest);
    out.mean.push_back(difference.mean);
  }
  return out;
}

// What a camera frames where nothing is measured: of a sample of poses and, unless morph targets
// move them, of vertices, as the window does. A pose between takes the outline of the one before.
void outlinePoses(const Workbench& workbench, const PageClip& clip, const ReadClip& read,
                  std::span<const MorphWeights> weights, bool morphs,
                  std::vector<PoseNumbers>& numbers) {
  constexpr std::size_t kOutlined = 24;
  const std::size_t every = (numbers.size() + kOutlined - 1) / kOutlined;
  for (std::size_t pose = 0; pose < numbers.size(); ++pose)
    if (pose % every != 0)
      numbers[pose].outline = numbers[pose - 1].outline;
    else if (morphs)
      numbers[pose].outline = makeOutline(
          computePositions(workbench, 0, read.methods[0].palettes[pose], weights[pose]));
    else
      numbers[pose].outline = skinOutline(workbench.rig, clip.poses[pose].modelFromNode);
}

// Box; without the program also joints and places.
Channels packScene(const Workbench& workbench, const PageClip& clip, bool byProgram,
                   const std::vector<PoseNumbers>& numbers) {
  std::vector<std::uint32_t> joints;
  std::vector<BlendedPlace> places;
  if (!byProgram) {
    joints = jointNodes(workbench.model);
    places = blendedPlaces(workbench);
  }
  Channels scene = makeChannels(6 + 3 * (joints.size() + places.size()), clip.poses.size());
  for (std::size_t pose = 0; pose < clip.poses.size(); ++pose) {
    const std::vector<mat4>& modelFromNode = clip.poses[pose].modelFromNode;
    Bounds bounds = numbers[pose].outline;
    if (bounds.empty()) bounds = {vec3(-0.5f), vec3(0.5f)};
    std::span<float> to = scene.ofPose(pose);
    write(to, bounds.min);
    write(to, bounds.max);
    for (const std::uint32_t node : joints)
      write(to, vec3(modelFromNode[node][3]));
    for (const BlendedPlace& place : places)
      write(to, vec3(modelFromNode[place.node] * vec4(place.inNode, 1.0f)));
  }
  return scene;
}

Json addClip(const Workbench& workbench, const PageClip& clip, const PageMorphs& morphs,
             const PageMesh& mesh, float size, const MotionForm& form, PackedArrays& arrays,
             PageError& error) {
  const std::size_t poses = clip.poses.size();
  Json out{{"name", clip.name},
           {"framesPerSecond", clip.framesPerSecond},
           {"begin", clip.begin},
           {"poses", poses}};
  for (const double time : clip.times)
    out["times"].push_back(std::round(1e6 * time) / 1e6);
  for (const PagePose& pose : clip.poses)
    if (!pose.label.empty()) out["labels"].push_back(pose.label);
  for (const PagePose& pose : clip.poses)
    if (const auto& camera = pose.camera)
      out["cameras"].push_back(
          {{"yaw", camera->yaw},
           {"pitch", camera->pitch},
           {"distance", camera->distance},
           {"target", {camera->target.x, camera->target.y, camera->target.z}}});
  std::vector<MorphWeights> weights;
  Channels moving = makeChannels(morphs.moving.size(), poses);
  for (std::size_t pose = 0; pose < poses; ++pose) {
    weights.push_back(weightsAt(morphs, clip.poses[pose]));
    for (std::size_t k = 0; k < moving.count; ++k)
      moving.ofPose(pose)[k] = weights.back()[morphs.moving[k]];
  }
  if (moving.count > 0) out["morphs"] = addChannels(moving, form.exact, arrays);
  const bool byProgram = !form.nodes.empty();
  ReadClip read;
  if (byProgram)
    out["transforms"] =
        addTransforms(workbench, form.nodes, clip, size, form.exact, arrays, read.transforms);
  read.displacements = collectDisplacements(clip);
  if (byProgram && read.displacements.count > 0)
    out["displacements"] = addChannels(read.displacements, form.exact, arrays);
  std::vector<Json> tables(workbench.bound.size(), Json::object());
  const bool packs = form.measured || !byProgram || moving.count > 0;
  for (std::size_t m = 0; packs && m < workbench.bound.size(); ++m) {
    PackedMethod& method = read.methods.emplace_back(packAll(workbench, m, clip));
    if (byProgram) continue;
    method.rows = packRows(method.palettes);
    tables[m] = addChannels(method.rows, form.exact, arrays);
    tables[m]["nonUniformScale"] = method.nonUniformScale;
    tables[m]["smooth"] = form.measured && clip.framesPerSecond > 0.0 &&
                          interpolates(workbench, m, method, clip, weights, size);
  }
  std::vector<PoseNumbers> numbers(poses);
  const std::size_t every = (poses + kMeasured - 1) / kMeasured;
  if (form.measured)
    forEachInParallel(poses, [&](std::size_t pose) {
      const auto readPalette = [&](std::size_t m) {
        return paletteRead(workbench, clip, form, read, m, pose);
      };
      numbers[pose] =
          measure(workbench, read.methods, mesh, size, pose, weights[pose], moving.ofPose(pose),
                  pose % every == 0 ? std::function<Palette(std::size_t)>(readPalette) : nullptr);
    });
  else
    outlinePoses(workbench, clip, read, weights, moving.count > 0, numbers);
  for (std::size_t m = 0; form.measured && m < workbench.bound.size(); ++m) {
    Channels differences = makeChannels(2, poses);
    for (std::size_t pose = 0; pose < poses; ++pose) {
      differences.ofPose(pose)[0] = numbers[pose].largest[m];
      differences.ofPose(pose)[1] = numbers[pose].mean[m];
    }
    tables[m]["difference"] = addChannels(differences, form.exact, arrays);
  }
  for (std::size_t pose = 0; form.measured && pose < poses; pose += every) {
    error.largest = std::max(error.largest, numbers[pose].error);
    ++error.poses;
  }
  const std::vector<std::uint32_t> joints = jointNodes(workbench.model);
  Outline outline;
  for (std::size_t pose = 0; pose < poses; ++pose) {
    numbers[pose].outline =
        withJoints(numbers[pose].outline, joints, clip.poses[pose].modelFromNode);
    outline.include(numbers[pose].outline);
  }
  out["outline"] = arrays.add(floatsIn(outline.points), 3);
  Channels scene = packScene(workbench, clip, byProgram, numbers);
  out["scene"] = addChannels(scene, form.exact, arrays);
  out["methods"] = tables;
  return out;
}

} // namespace

Json addMotion(const Workbench& workbench, std::span<const PageClip> clips,
               const PageMorphs& morphs, const PageMesh& read, float size, const MotionForm& form,
               PackedArrays& arrays, PageError& error) {
  Json out = Json::array();
  for (const PageClip& clip : clips)
    out.push_back(addClip(workbench, clip, morphs, read, size, form, arrays, error));
  return out;
}

} // namespace sinew
