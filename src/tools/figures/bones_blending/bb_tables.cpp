// Tables 1 and 2: the time of a frame with and without bones blending, original and divided 1:4,
// for one arm and for a whole body; and the sizes. As in the paper, bones blending also on the
// right arm alone: that arm and the rest of the body are then two meshes.
#include "demo/models.h"
#include "rig/subdivide.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"
#include "tools/figures/timing.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <set>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 2> kArm = {"UpperArm", "LowerArm"};
constexpr std::array<std::string_view, 3> kRightArm = {"RightUpperArm", "RightLowerArm",
                                                       "RightHand"};

std::vector<std::uint32_t> jointsNamed(const Model& model,
                                       std::span<const std::string_view> names) {
  const Rig rig = buildRig(model);
  std::vector<std::uint32_t> joints;
  for (const std::string_view name : names)
    joints.push_back(rigJoint(rig, model, name));
  return joints;
}

// The part of a mesh with the triangles for which keep(index) holds, and only their vertices.
template <class Keep>
Mesh keepPart(const Mesh& mesh, Keep keep) {
  Mesh part;
  part.name = mesh.name;
  part.material = mesh.material;
  part.node = mesh.node;
  part.skin = mesh.skin;
  std::vector<std::uint32_t> newIndex(mesh.positions.size(), ~0u);
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    if (!keep(i)) continue;
    Triangle triangle = mesh.triangles[i];
    for (std::uint32_t& v : triangle) {
      if (newIndex[v] == ~0u) {
        newIndex[v] = static_cast<std::uint32_t>(part.positions.size());
        part.positions.push_back(mesh.positions[v]);
        part.normals.push_back(mesh.normals[v]);
        if (!mesh.texcoords.empty()) part.texcoords.push_back(mesh.texcoords[v]);
        if (!mesh.colors.empty()) part.colors.push_back(mesh.colors[v]);
        if (mesh.influences.vertexCount() > 0) part.influences.append(mesh.influences.of(v));
      }
      v = newIndex[v];
    }
    part.triangles.push_back(triangle);
  }
  return part;
}

// The triangles connected to the joints, or all others.
Model keepPart(Model model, std::span<const std::uint32_t> joints, bool connected) {
  const Rig rig = buildRig(model);
  std::set<std::uint32_t> listed;
  for (const std::uint32_t joint : joints)
    for (const std::uint32_t triangle : trianglesOfJoint(rig, joint))
      listed.insert(triangle);
  std::vector<Mesh> parts;
  for (std::size_t i = 0; i < model.meshes.size(); ++i) {
    Mesh part = keepPart(model.meshes[i], [&](std::uint32_t triangle) {
      return listed.contains(rig.meshes[i].firstTriangle + triangle) == connected;
    });
    if (!part.triangles.empty()) parts.push_back(std::move(part));
  }
  model.meshes = std::move(parts);
  return model;
}

// A character in one of its two forms.
struct Form {
  std::string character, division;
  Model model;
  std::span<const std::string_view> joints;
};

std::vector<Form> listForms() {
  std::vector<Form> forms;
  const auto add = [&](const char* name, const Model& model,
                       std::span<const std::string_view> joints) {
    forms.push_back({name, "original", model, joints});
    forms.push_back({name, "1:4",
                     subdivideJoints(model, jointsNamed(model, joints), Subdivision::midpoints),
                     joints});
  };
  add("one arm", makeArm(), kArm);
  add("whole body", makeHumanoid(), kRightArm);
  return forms;
}

struct Times {
  double without = 0.0, onArm = 0.0, everywhere = 0.0; // microseconds a character
};

// Alternates rounds over all forms, each of them without, on the arm (two meshes) and everywhere.
std::vector<Times> measureTimes(const std::vector<Form>& forms, const TimingPlan& plan,
                                FigureResult& result) {
  std::vector<std::unique_ptr<Workbench>> benches;
  std::vector<BenchEntry> entries;
  const auto add = [&](const Model& model, std::initializer_list<std::string_view> chosen) {
    benches.push_back(
        std::make_unique<Workbench>(poseBy(model, {"lbs"}, restPose(model.hierarchy))));
    for (const std::string_view name : chosen)
      entries.push_back({std::string(name), &findMethod(name), {}, benches.back().get()});
  };
  for (const Form& form : forms) {
    add(form.model, {"lbs", "bones-blending"});
    const std::vector<std::uint32_t> joints = jointsNamed(form.model, form.joints);
    add(keepPart(form.model, joints, true), {"bones-blending"});
    add(keepPart(form.model, joints, false), {"lbs"});
  }
  BenchOptions options;
  options.vertices = plan.vertices;
  options.frames = plan.frames;
  options.vertexOnly = true;
  const BenchReport report = runBench(entries, options);
  describeRun(report, result);
  std::vector<Times> times;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    // Uses the ratios within the rounds, which other load disturbs least.
    const auto perCharacter = [&](std::size_t k) {
      const BenchResult& r = report.results[4 * i + k];
      const std::size_t each = entries[4 * i + k].workbench->rig.positions.size();
      return 1000.0 * r.ratioToStatic * report.results[0].frame.minimum *
             static_cast<double>(each) / static_cast<double>(r.vertices);
    };
    times.push_back({perCharacter(0), perCharacter(2) + perCharacter(3), perCharacter(1)});
  }
  return times;
}

Table makeTable(const std::vector<Form>& forms, const std::vector<Times>& times) {
  Table table{"time of a character, vertex stage alone",
              {{"character", ""},
               {"mesh", ""},
               {"vertices", "", 0},
               {"triangles", "", 0},
               {"no_bb", "us", 1},
               {"bb_on_the_arm", "us", 1},
               {"bb", "us", 1},
               {"bb_over_no_bb", "", 2}},
              {}};
  for (std::size_t i = 0; i < forms.size(); ++i)
    table.rows.push_back(
        {forms[i].character, forms[i].division, static_cast<double>(vertexCount(forms[i].model)),
         static_cast<double>(triangleCount(forms[i].model)), times[i].without, times[i].onArm,
         times[i].everywhere, times[i].everywhere / times[i].without});
  return table;
}

FigureResult runTimeTables(const FigureOptions& options) {
  const std::vector<Form> forms = listForms();
  FigureResult result;
  const std::vector<Times> times =
      measureTimes(forms, applyOptions({.vertices = 200000, .frames = 31}, options), result);
  std::vector<Tile> tiles;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    result.numbers[forms[i].character][forms[i].division] = {
        {"vertices", vertexCount(forms[i].model)},
        {"triangles", triangleCount(forms[i].model)},
        {"no_bb_us", times[i].without},
        {"bb_on_the_arm_us", times[i].onArm},
        {"bb_us", times[i].everywhere}};
    const Bounds frame = i < 2 ? around(vec3(0.30f, 0, 0), 0.16f)
                               : Bounds{{-0.80f, 1.10f, -0.15f}, {0.10f, 1.60f, 0.15f}};
    tiles.push_back({shoot(poseBy(forms[i].model, {"bones-blending"}, bindPose(forms[i].model)),
                           {.width = 460,
                            .height = 240,
                            .pitch = 8.0f,
                            .frame = frame,
                            .textures = false,
                            .wireframe = true}),
                     forms[i].character + ", " + forms[i].division});
  }
  result.says = "bones blending on the right arm: 19.04 against 16.57 ms a frame, 1.15 times, and "
                "32.7 against 23.31 ms, 1.40 times, with that arm divided 1:4";
  result.measured = fmt::format(
      "the whole body's vertex stage: {:.2f} times with bones blending on the right arm and {:.2f} "
      "times with it everywhere, {:.2f} and {:.2f} times with the arm divided 1:4; one arm alone: "
      "{:.2f} and {:.2f} times",
      times[2].onArm / times[2].without, times[2].everywhere / times[2].without,
      times[3].onArm / times[3].without, times[3].everywhere / times[3].without,
      times[0].everywhere / times[0].without, times[1].everywhere / times[1].without);
  result.tables.push_back({"", makeTable(forms, times)});
  result.images.push_back({"", layOut(tiles, 2)});
  return result;
}

} // namespace

Figure timeTables() {
  return {.name = "bb-tables",
          .paper = kBonesBlendingPaper,
          .title = "Tables 1 and 2: time with and without bones blending, and sizes",
          .run = runTimeTables};
}

} // namespace sinew
