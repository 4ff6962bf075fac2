#include "import/x/frames.h"

#include "import/append_node.h"

#include <fmt/format.h>

#include <set>

namespace sinew {
namespace {

constexpr std::size_t kMaxRepeated = std::size_t{1} << 16; // frames shown by references

// The frame or mesh that a child of a frame shows, itself or by a reference; kNone if it is
// neither.
std::uint32_t shownBy(const XDocument& document, std::uint32_t child) {
  const XObject& object = document.object(child);
  if (isReference(object)) return document.target(object, {"Frame", "Mesh"});
  return isA(object, "Frame") || isA(object, "Mesh") ? child : XDocument::kNone;
}

// What frames refer to.
std::set<std::uint32_t> referredTo(const XDocument& document) {
  std::set<std::uint32_t> out;
  for (const XObject& frame : document.objects()) {
    if (!isA(frame, "Frame")) continue;
    for (const std::uint32_t child : frame.children)
      if (const std::uint32_t shown = shownBy(document, child);
          shown != child && shown != XDocument::kNone)
        out.insert(shown);
  }
  return out;
}

class XFrameReader {
 public:
  XFrameReader(const XDocument& document, RepairLog& repairs)
      : document_(document), repairs_(repairs), referred_(referredTo(document)) {
    out_.nodesByObject.resize(document.objects().size());
  }

  XFrames read() {
    std::vector<std::uint32_t> roots;
    for (const std::uint32_t frame : document_.inner(XDocument::kFile, "Frame"))
      if (!referred_.contains(frame)) roots.push_back(frame);
    const bool looseMeshes = !listMeshes(document_, {XDocument::kFile, 0, {}}).empty();
    std::uint32_t top = kNoNode;
    if (roots.size() != 1 || looseMeshes) {
      top = appendNode(out_.hierarchy, "ROOT", kNoNode, Transform(), repairs_);
      if (looseMeshes) out_.places.push_back({XDocument::kFile, top, {}});
    }
    for (auto root = roots.rbegin(); root != roots.rend(); ++root)
      open_.push_back({*root, top, kNone, false});
    while (!open_.empty()) {
      const Open next = open_.back();
      open_.pop_back();
      append(next);
    }
    for (const std::uint32_t frame : document_.inner(XDocument::kFile, "Frame"))
      if (out_.nodesByObject[frame].empty()) throw cycle(frame);
    makeNamesUnique(out_.hierarchy);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Open {
    std::uint32_t frame = 0;
    std::uint32_t parent = kNoNode; // node
    std::size_t above = kNone;      // index of appended_
    bool repeated = false;          // by a reference to it or above it
  };
  struct Appended {
    std::uint32_t frame = 0;
    std::size_t above = kNone;
  };

  XError cycle(std::uint32_t frame) const {
    return XError(fmt::format("{} is within itself", makeLabel(document_.object(frame))));
  }

  void append(const Open& open) {
    for (std::size_t i = open.above; i != kNone && open.repeated; i = appended_[i].above)
      if (appended_[i].frame == open.frame) throw cycle(open.frame);
    if (open.repeated && ++repeated_ > kMaxRepeated)
      throw XError(fmt::format("its references repeat frames more than {} times", kMaxRepeated));
    const XObject& frame = document_.object(open.frame);
    mat4 matrix(1.0f);
    if (const XObject* own = document_.firstInner(open.frame, "FrameTransformMatrix")) {
      XValues values(*own);
      matrix = readXMatrix(values);
    }
    std::string name = frame.name;
    if (name.empty() && open.above != kNone) name = out_.hierarchy.nodes[open.parent].name;
    const AppendedNode added = appendNode(out_.hierarchy, name, open.parent, matrix, repairs_);
    if (added.stretch) out_.stretchByNode[added.node] = *added.stretch;
    out_.places.push_back({open.frame, added.node, name});
    out_.nodesByObject[open.frame].push_back(added.node);
    if (!frame.name.empty()) out_.byName[frame.name].push_back(added.node);
    appended_.push_back({open.frame, open.above});
    for (auto child = frame.children.rbegin(); child != frame.children.rend(); ++child) {
      const std::uint32_t shown = shownBy(document_, *child);
      if (shown != XDocument::kNone && isA(document_.object(shown), "Frame"))
        open_.push_back(
            {shown, added.node, appended_.size() - 1, open.repeated || shown != *child});
    }
  }

  const XDocument& document_;
  RepairLog& repairs_;
  std::set<std::uint32_t> referred_;
  std::vector<Open> open_;
  std::vector<Appended> appended_;
  std::size_t repeated_ = 0;
  XFrames out_;
};

} // namespace

mat4 readXMatrix(XValues& values) {
  mat4 out;
  for (int i = 0; i < 16; ++i)
    out[i / 4][i % 4] = static_cast<float>(values.number());
  return rightHanded(out);
}

XFrames readXFrames(const XDocument& document, RepairLog& repairs) {
  return XFrameReader(document, repairs).read();
}

std::vector<std::uint32_t> listMeshes(const XDocument& document, const XFrames::Place& place) {
  std::vector<std::uint32_t> out;
  if (place.frame == XDocument::kFile) {
    const std::set<std::uint32_t> referred = referredTo(document);
    out = document.inner(XDocument::kFile, "Mesh");
    std::erase_if(out, [&](std::uint32_t mesh) { return referred.contains(mesh); });
  } else {
    for (const std::uint32_t child : document.object(place.frame).children)
      if (const std::uint32_t shown = shownBy(document, child);
          shown != XDocument::kNone && isA(document.object(shown), "Mesh"))
        out.push_back(shown);
  }
  return out;
}

} // namespace sinew
