// What a frame costs from C and from C++: the palette of a pose and the skin, with normals, by
// turns.
//   bench_library MODEL METHOD...
// Prints microseconds of one frame, the least and the median of 201 rounds of 100 frames, and the
// median of the rounds' own ratios.
#include <sinew/animation.h>
#include <sinew/cpu_skin.h>
#include <sinew/import.h>
#include <sinew/skinning.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <sinew.h>
#include <vector>

namespace {

constexpr int kRounds = 201, kFrames = 100;

template <typename Frame>
double measureMicroseconds(const Frame& frame) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kFrames; ++i)
    frame();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
             .count() /
         kFrames;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void measure(const char* path, const char* name) {
  const sinew::Model model = sinew::importModel(path);
  const sinew::Rig rig = sinew::buildRig(model);
  const sinew::Method& method = sinew::findMethod(name);
  const sinew::Binding binding = method.bind(rig, {});
  const sinew::CpuSkin skin(method, rig, binding);
  const sinew::Pose pose = sinew::sample(model.hierarchy, model.clips.at(0), 0.4f);
  const std::vector<sinew::mat4> nodes = sinew::modelFromNodes(model.hierarchy, pose);
  sinew::Palette palette;
  sinew::packPalette(method, rig, binding, nodes, palette);
  std::vector<sinew::mat4> joints;
  for (const sinew::RigJoint& joint : rig.joints)
    joints.push_back(nodes[joint.node]);

  sinew_model* read = sinew_read(path, nullptr);
  sinew_binding* bound = sinew_bind(read, name, nullptr);
  std::vector<float> out(3 * rig.positions.size()), normals(out.size()),
      rows(4 * palette.rows.size());
  sinew::SkinRoom room;
  const auto inCpp = [&] {
    const bool stretches = method.pack(rig, binding, joints, palette.rows);
    skin.skinInOrder(palette.rows, stretches, room, {out.data(), normals.data(), true});
  };
  const auto inC = [&] {
    int32_t stretches = 0;
    sinew_pack(bound, &joints[0][0][0], nullptr, rows.data(), &stretches);
    sinew_skin(bound, rows.data(), stretches, {out.data(), 0}, {normals.data(), 0}, {});
  };
  std::vector<double> cpp, c, ratios;
  for (int round = 0; round < kRounds; ++round) {
    cpp.push_back(measureMicroseconds(inCpp));
    c.push_back(measureMicroseconds(inC));
    ratios.push_back(c.back() / cpp.back());
  }
  std::printf("%-14s C++ %8.3f %8.3f  C %8.3f %8.3f us  C / C++ %.4f\n", name,
              *std::min_element(cpp.begin(), cpp.end()), median(cpp),
              *std::min_element(c.begin(), c.end()), median(c), median(ratios));
  sinew_binding_free(bound);
  sinew_model_free(read);
}

} // namespace

int main(int argc, char** argv) try {
  for (int i = 2; i < argc; ++i)
    measure(argv[1], argv[i]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_library: %s\n", error.what());
  return 1;
}
