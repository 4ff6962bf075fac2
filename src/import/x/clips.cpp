#include "import/clip_repairs.h"
#include "import/repairs.h"
#include "import/x/frames.h"
#include "import/x/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr double kXTicksPerSecond = 4800.0; // a second, where a file does not say
constexpr double kXFramesPerSecond = 30.0;

enum class XKeyType : std::uint8_t { rotation, scale, position, oldMatrix, matrix };
constexpr std::array<std::uint32_t, 5> kValuesOfKey = {4, 3, 3, 16, 16}; // by type

// The keys of one AnimationKey.
struct XKeys {
  XKeyType type = XKeyType::rotation;
  std::vector<double> ticks;
  std::vector<float> values; // kValuesOfKey of each

  bool isMatrices() const { return type == XKeyType::matrix || type == XKeyType::oldMatrix; }
};

XKeys readXKeys(const XObject& object, UnusedCounts& unused) {
  XValues values(object);
  XKeys out;
  const std::uint32_t type = values.index();
  if (type >= kValuesOfKey.size())
    throw XError(fmt::format("{} is of type {}; 0 to 4 exist", makeLabel(object), type));
  out.type = static_cast<XKeyType>(type);
  const std::uint32_t each = kValuesOfKey[type];
  const std::uint32_t count = values.count(2 + each, "keys");
  out.ticks.reserve(count);
  out.values.reserve(std::size_t{count} * each);
  for (std::uint32_t i = 0; i < count; ++i) {
    out.ticks.push_back(values.number());
    if (const std::uint32_t stated = values.index(); stated != each)
      throw XError(fmt::format("{} of type {} has a key of {} values, not {}", makeLabel(object),
                               type, stated, each));
    for (std::uint32_t v = 0; v < each; ++v)
      out.values.push_back(static_cast<float>(values.number()));
  }
  unused.add("number beyond a list's end", "numbers beyond lists' ends", values.left());
  return out;
}

// Whether keys of a file that does not say its ticks are plainly counted in frames: one or two
// ticks apart, which at 4800 a second no display could show. Blender's exporter writes such.
bool keysAreFrames(const std::vector<XKeys>& all) {
  double ticks = 0.0;
  double steps = 0.0;
  for (const XKeys& keys : all)
    if ((keys.type == XKeyType::rotation || keys.isMatrices()) && keys.ticks.size() > 1) {
      ticks += keys.ticks.back() - keys.ticks.front();
      steps += static_cast<double>(keys.ticks.size() - 1);
    }
  return steps > 0.0 && ticks > 0.0 && ticks < 5.0 * steps;
}

// How far a matrix is from translation, rotation and scale, against its largest entry.
bool isSheared(const mat4& m, const Transform& parts) {
  constexpr float kShear = 1e-4f;
  const mat4 nearest = toMatrix(parts);
  float largest = 0.0f;
  float difference = 0.0f;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      largest = std::max(largest, std::abs(m[c][r]));
      difference = std::max(difference, std::abs(m[c][r] - nearest[c][r]));
    }
  return difference > kShear * largest;
}

// An Animation with its keys, and the nodes that it moves.
struct XMoved {
  std::vector<std::uint32_t> nodes;
  std::vector<XKeys> keys;
};

class XClipReader {
 public:
  XClipReader(const XDocument& document, const XFrames& frames, RepairLog& repairs,
              UnusedCounts& unused)
      : document_(document), frames_(frames), repairs_(repairs), unused_(unused) {}

  // parent: the animations' parent, a set or the file.
  Clip read(std::uint32_t parent) {
    Clip clip;
    clip.name = document_.object(parent).name;
    std::vector<XMoved> all;
    std::vector<XKeys> keys;
    for (const std::uint32_t animation : document_.innerOrReferenced(parent, {"Animation"})) {
      all.push_back(readAnimation(animation));
      keys.insert(keys.end(), all.back().keys.begin(), all.back().keys.end());
    }
    findTicks(parent, keys);
    for (const XMoved& moved : all) {
      const Channel channel = makeChannel(moved.keys);
      for (const std::uint32_t node : moved.nodes)
        add(channel, node, clip);
    }
    clip.seconds = lastKey(clip);
    return clip;
  }

 private:
  XMoved readAnimation(std::uint32_t index) {
    XMoved out;
    bool refers = false;
    for (const std::uint32_t child : document_.object(index).children) {
      const XObject& object = document_.object(child);
      if (isA(object, "AnimationKey")) out.keys.push_back(readXKeys(object, unused_));
      if (!isReference(object)) continue;
      refers = true;
      if (const std::uint32_t frame = document_.target(object, {"Frame"});
          frame != XDocument::kNone)
        out.nodes.insert(out.nodes.end(), frames_.nodesByObject[frame].begin(),
                         frames_.nodesByObject[frame].end());
    }
    if (out.nodes.empty() && (refers || !out.keys.empty()))
      repairs_.add(Repair::channelWithoutNode);
    return out;
  }

  // What holds for the set: its own, the last before it, the first of the file.
  void findTicks(std::uint32_t set, const std::vector<XKeys>& keys) {
    const XObject* stated = document_.firstInner(set, "AnimTicksPerSecond");
    for (const std::uint32_t each : document_.inner(XDocument::kFile, "AnimTicksPerSecond"))
      if (stated == nullptr || (set != XDocument::kFile && each < set &&
                                document_.firstInner(set, "AnimTicksPerSecond") == nullptr))
        stated = &document_.object(each);
    ticks_ = 0.0;
    if (stated != nullptr) ticks_ = XValues(*stated).number();
    if (ticks_ > 0.0 && std::isfinite(ticks_)) return;
    ticks_ = keysAreFrames(keys) ? kXFramesPerSecond : kXTicksPerSecond;
    if (ticks_ == kXFramesPerSecond) repairs_.add(Repair::clipInFrames);
  }

  Channel makeChannel(const std::vector<XKeys>& all) {
    Channel out;
    const bool matrices =
        std::any_of(all.begin(), all.end(), [](const XKeys& keys) { return keys.isMatrices(); });
    for (const XKeys& keys : all) {
      if (matrices && !keys.isMatrices()) // they would say the same again
        unused_.add("list of keys beside one of matrices", "lists of keys beside ones of matrices");
      else
        addKeys(keys, out);
    }
    sortKeys(out.translation, repairs_);
    sortKeys(out.rotation, repairs_);
    sortKeys(out.scale, repairs_);
    repairRotationKeys(out.rotation, repairs_);
    repairScaleKeys(out.scale, repairs_);
    return out;
  }

  void addKeys(const XKeys& keys, Channel& out) {
    const std::size_t each = kValuesOfKey[static_cast<std::size_t>(keys.type)];
    for (std::size_t i = 0; i < keys.ticks.size(); ++i) {
      const auto time = static_cast<float>(keys.ticks[i] / ticks_);
      const float* v = &keys.values[i * each];
      if (!isUsable(time) || !std::all_of(v, v + each, [](float x) { return isUsable(x); })) {
        repairs_.add(Repair::keyNotFinite);
        continue;
      }
      switch (keys.type) {
      case XKeyType::rotation: // the inverse of what it means elsewhere
        addKey(time, rightHanded(glm::conjugate(quat(v[0], v[1], v[2], v[3]))), out.rotation);
        break;
      case XKeyType::scale:
        addKey(time, vec3(v[0], v[1], v[2]), out.scale);
        break;
      case XKeyType::position:
        addKey(time, rightHanded(vec3(v[0], v[1], v[2])), out.translation);
        break;
      case XKeyType::oldMatrix:
      case XKeyType::matrix:
        addMatrix(time, v, out);
      }
    }
  }

  template <class T>
  static void addKey(float time, const T& value, Track<T>& track) {
    track.times.push_back(time);
    track.values.push_back(value);
  }

  void addMatrix(float time, const float* v, Channel& out) {
    mat4 matrix;
    for (int i = 0; i < 16; ++i)
      matrix[i / 4][i % 4] = v[i];
    matrix = rightHanded(matrix);
    const Transform parts = decompose(matrix);
    if (isSheared(matrix, parts))
      unused_.add("shear of a matrix key (the nearest rotation is played)",
                  "shears of matrix keys (the nearest rotations are played)");
    addKey(time, parts.translation, out.translation);
    addKey(time, parts.rotation, out.rotation);
    addKey(time, parts.scale, out.scale);
  }

  void add(Channel channel, std::uint32_t node, Clip& clip) {
    const auto isEmpty = [](const auto& track) { return track.times.empty(); };
    if (isEmpty(channel.translation) && isEmpty(channel.rotation) && isEmpty(channel.scale)) return;
    channel.node = node;
    if (const auto split = frames_.stretchByNode.find(node); split != frames_.stretchByNode.end()) {
      // The keys are of both halves of the node, so one of them rests.
      const std::vector<Node>& nodes = frames_.hierarchy.nodes;
      const Transform whole =
          decompose(toMatrix(nodes[split->second].rest) * toMatrix(nodes[node].rest));
      if (isEmpty(channel.translation)) addKey(0.0f, whole.translation, channel.translation);
      if (isEmpty(channel.rotation)) addKey(0.0f, whole.rotation, channel.rotation);
      if (isEmpty(channel.scale)) addKey(0.0f, whole.scale, channel.scale);
      clip.channels.push_back({split->second,
                               {{0.0f}, {vec3(0.0f)}},
                               {{0.0f}, {quat(1, 0, 0, 0)}},
                               {{0.0f}, {vec3(1.0f)}}});
    }
    clip.channels.push_back(std::move(channel));
  }

  const XDocument& document_;
  const XFrames& frames_;
  RepairLog& repairs_;
  UnusedCounts& unused_;
  double ticks_ = kXTicksPerSecond;
};

} // namespace

void readXClips(const XDocument& document, const XFrames& frames, RepairLog& repairs,
                UnusedCounts& unused, Model& model) {
  XClipReader reader(document, frames, repairs, unused);
  std::vector<std::uint32_t> sets = document.inner(XDocument::kFile, "AnimationSet");
  sets.push_back(XDocument::kFile);
  for (const std::uint32_t set : sets) {
    Clip clip = reader.read(set);
    if (!clip.channels.empty()) model.clips.push_back(std::move(clip));
  }
  nameClips(model.clips);
}

} // namespace sinew
