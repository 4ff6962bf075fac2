// Automatic weights against those that others made: an artist's, and bounded biharmonic ones.
#include "core/file.h"
#include "core/test_effort.h"
#include "import/import_test_tools.h"
#include "weights/automatic_weights.h"
#include "weights/weight_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

using namespace sinew;

namespace {

struct Subject {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<BoneSegment> bones;         // in the order of the file's edges
  std::vector<std::vector<float>> wanted; // per vertex and bone
};

// Faces may be polygons; corners may be v, v/t or v/t/n.
void readObj(const std::filesystem::path& path, Subject& out) {
  std::istringstream file(readFile(path));
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      vec3 p;
      words >> p.x >> p.y >> p.z;
      out.positions.push_back(p);
    } else if (kind == "f") {
      std::vector<std::uint32_t> corners;
      for (std::string corner; words >> corner;)
        corners.push_back(static_cast<std::uint32_t>(std::stoul(corner)) - 1);
      for (std::size_t i = 2; i < corners.size(); ++i)
        out.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    }
  }
}

void readBones(const std::filesystem::path& path, Subject& out) {
  std::istringstream file(readFile(path));
  std::map<int, vec3> joints;
  bool edges = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    int first = 0;
    int second = 0;
    vec3 p;
    if (line.find('#') != std::string::npos)
      edges = true;
    else if (edges && words >> first >> second)
      out.bones.push_back({joints.at(first), joints.at(second)});
    else if (!edges && words >> first >> p.x >> p.y >> p.z)
      joints[first] = p;
  }
}

// Lines `vertex bone:weight ...`.
void readArtists(const std::filesystem::path& path, Subject& out) {
  out.wanted.assign(out.positions.size(), std::vector<float>(out.bones.size(), 0.0f));
  std::istringstream file(readFile(path));
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::size_t vertex = 0;
    std::size_t bone = 0;
    char colon = 0;
    float weight = 0.0f;
    words >> vertex;
    while (words >> bone >> colon >> weight)
      out.wanted.at(vertex).at(bone) = weight;
  }
}

// `bones vertices`, then bone after bone.
void readDmat(const std::filesystem::path& path, Subject& out) {
  out.wanted.assign(out.positions.size(), std::vector<float>(out.bones.size(), 0.0f));
  std::istringstream file(readFile(path));
  std::size_t bones = 0;
  std::size_t vertices = 0;
  file >> bones >> vertices;
  REQUIRE(bones == out.bones.size());
  REQUIRE(vertices == out.positions.size());
  for (std::size_t b = 0; b < bones; ++b)
    for (std::size_t v = 0; v < vertices; ++v)
      file >> out.wanted[v][b];
}

struct Quality {
  double distance = 0.0; // sum of |difference| over bones, mean over vertices; 2 at most
  double bleeding = 0.0; // share of weight on bones that neither have any nor touch one that has
};

bool touch(const BoneSegment& a, const BoneSegment& b) {
  return a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to;
}

Quality compare(const Subject& subject, const Influences& influences) {
  Quality out;
  const std::size_t bones = subject.bones.size();
  for (std::size_t v = 0; v < subject.positions.size(); ++v) {
    std::vector<float> weights(bones, 0.0f);
    for (const Influence& i : influences.of(v))
      weights[i.joint] = i.weight;
    for (std::size_t b = 0; b < bones; ++b) {
      out.distance += static_cast<double>(std::abs(weights[b] - subject.wanted[v][b]));
      bool near = false;
      for (std::size_t o = 0; o < bones; ++o)
        near = near || (subject.wanted[v][o] > 0.01f && touch(subject.bones[b], subject.bones[o]));
      if (!near) out.bleeding += static_cast<double>(weights[b]);
    }
  }
  out.distance /= static_cast<double>(subject.positions.size());
  out.bleeding /= static_cast<double>(subject.positions.size());
  return out;
}

Quality measure(const Subject& subject, WeightAlgorithm algorithm, std::uint32_t influences,
                bool diffusion = true) {
  WeightOptions options;
  options.algorithm = algorithm;
  options.influences = influences;
  options.diffusion = diffusion;
  const AutomaticWeights weights =
      automaticWeights(subject.positions, subject.triangles, subject.bones, options);
  const Quality out = compare(subject, weights.influences);
  SINEW_FIGURE(std::string(toString(algorithm)), ", ", influences, " influences",
               std::string(diffusion ? "" : ", no diffusion"), ": L1 ", out.distance, ", bleeding ",
               out.bleeding);
  return out;
}

constexpr WeightAlgorithm kAlgorithms[] = {WeightAlgorithm::boneHeat, WeightAlgorithm::boneGlow};

} // namespace

TEST_CASE("automatic weights of a human body are near the artist's") {
  const auto folder = test::sharedModels() / "makehuman_body";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("not there: ", folder.string());
    return;
  }
  Subject body;
  readObj(folder / "makehuman_body.obj", body);
  readBones(folder / "body.tgf", body);
  readArtists(folder / "body.weights.txt", body);
  REQUIRE(body.bones.size() == 38);
  for (const WeightAlgorithm algorithm : kAlgorithms) {
    const Quality pruned = measure(body, algorithm, 4);
    measure(body, algorithm, 0);
    const Quality notSpread = measure(body, algorithm, 4, false);
    CHECK(pruned.distance < notSpread.distance);
    CHECK(pruned.distance < 0.75);
    CHECK(pruned.bleeding < 0.12);
  }
}

TEST_CASE("automatic weights of an arm are near bounded biharmonic ones") {
  const auto folder = test::sharedModels() / "libigl_arm";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("not there: ", folder.string());
    return;
  }
  Subject arm;
  readObj(folder / "arm.obj", arm);
  readBones(folder / "arm.tgf", arm);
  readDmat(folder / "arm-weights.dmat", arm);
  for (const WeightAlgorithm algorithm : kAlgorithms) {
    const Quality pruned = measure(arm, algorithm, 4);
    const Quality notSpread = measure(arm, algorithm, 4, false);
    CHECK(pruned.distance < notSpread.distance);
    CHECK(pruned.distance < 0.35);
    CHECK(pruned.bleeding < 0.01);
  }
  CHECK(measure(arm, WeightAlgorithm::automatic, 4).distance < 0.047); // Blender's
}
