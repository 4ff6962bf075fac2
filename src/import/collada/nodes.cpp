#include "import/collada/nodes.h"

#include "import/append_node.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <array>
#include <cmath>
#include <set>

namespace sinew {
namespace {

using glm::dmat4;
using glm::dvec3;
using glm::dvec4;

constexpr std::uint64_t kInstanceBytes = 2048; // memory that a node with a mesh takes

struct TransformName {
  std::string_view name;
  ColladaTransformKind kind;
  std::size_t numbers;
};
constexpr std::array kTransforms = {
    TransformName{"matrix", ColladaTransformKind::matrix, 16},
    TransformName{"translate", ColladaTransformKind::translate, 3},
    TransformName{"rotate", ColladaTransformKind::rotate, 4},
    TransformName{"scale", ColladaTransformKind::scale, 3},
    TransformName{"lookat", ColladaTransformKind::lookat, 9},
    TransformName{"skew", ColladaTransformKind::skew, 7},
};

dvec3 vectorAt(const std::vector<double>& numbers, std::size_t at) {
  return {numbers[at], numbers[at + 1], numbers[at + 2]};
}

dvec3 unitOr(const dvec3& v, const dvec3& otherwise) {
  const double length = glm::length(v);
  return length > 1e-12 && std::isfinite(length) ? v / length : otherwise;
}

// From the eye along -Z to the interest.
dmat4 lookAt(const std::vector<double>& numbers) {
  const dvec3 eye = vectorAt(numbers, 0);
  const dvec3 back = unitOr(eye - vectorAt(numbers, 3), {0, 0, 1});
  const dvec3 right = unitOr(glm::cross(vectorAt(numbers, 6), back), {1, 0, 0});
  return {dvec4(right, 0), dvec4(glm::cross(back, right), 0), dvec4(back, 0), dvec4(eye, 1)};
}

// Points move along the second axis, so that the first one turns by the angle towards it (Upstill,
// "The RenderMan SideModel", Skew).
dmat4 skew(const std::vector<double>& numbers) {
  const dvec3 turned = unitOr(vectorAt(numbers, 1), {0, 1, 0});
  const dvec3 along = unitOr(vectorAt(numbers, 4), {1, 0, 0});
  const double parallel = glm::dot(turned, along);
  const dvec3 across = turned - parallel * along;
  const double height = glm::length(across);
  if (!(height > 1e-9)) return dmat4(1.0);
  const double wanted = std::atan2(parallel, height) + glm::radians(numbers[0]);
  const double factor = std::tan(wanted) - parallel / height;
  dmat4 out(1.0);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      out[c][r] += factor * along[r] * across[c] / height;
  return out;
}

// The file's axes to ours.
mat4 uprightFrom(std::string_view axis) {
  if (axis == "Z_UP")
    return {vec4(1, 0, 0, 0), vec4(0, 0, -1, 0), vec4(0, 1, 0, 0), vec4(0, 0, 0, 1)};
  if (axis == "X_UP")
    return {vec4(0, 1, 0, 0), vec4(-1, 0, 0, 0), vec4(0, 0, 1, 0), vec4(0, 0, 0, 1)};
  return mat4(1.0f);
}

pugi::xml_node findScene(const ColladaDocument& document) {
  const pugi::xml_node shown = document.root().child("scene").child("instance_visual_scene");
  if (const pugi::xml_node scene = document.find(shown.attribute("url").value(), "visual_scene"))
    return scene;
  for (const pugi::xml_node& library : document.root().children("library_visual_scenes"))
    if (const pugi::xml_node scene = library.child("visual_scene")) return scene;
  throw ColladaError("it has no visual scene");
}

class ColladaNodeReader {
 public:
  ColladaNodeReader(ColladaDocument& document, RepairLog& repairs)
      : document_(document), repairs_(repairs) {}

  ColladaNodes read() {
    const pugi::xml_node scene = findScene(document_);
    const std::vector<std::string> axis =
        colladaWords(document_.root().child("asset").child("up_axis"));
    const std::uint32_t top =
        appendNode(out_.hierarchy, readName(scene), kNoNode,
                   uprightFrom(axis.empty() ? "Y_UP" : axis.front()), repairs_)
            .node;
    out_.places.push_back({scene, top});
    push(scene, top);
    while (!open_.empty()) {
      const Open next = open_.back();
      open_.pop_back();
      append(next);
    }
    for (std::uint32_t i = 0; i < out_.hierarchy.nodes.size(); ++i)
      out_.byName[makeHandle(i)].push_back(i);
    makeNamesUnique(out_.hierarchy);
    return std::move(out_);
  }

 private:
  struct Open {
    pugi::xml_node element;
    std::uint32_t parent = 0;
  };

  static std::string readName(const pugi::xml_node& element) {
    const std::string name = colladaName(element);
    return name.empty() ? element.attribute("sid").value() : name;
  }

  // The nodes within an element, in reverse: the stack gives them back in order.
  void push(const pugi::xml_node& element, std::uint32_t node) {
    for (pugi::xml_node child = element.last_child(); child; child = child.previous_sibling()) {
      const std::string_view name = child.name();
      if (name == "node") open_.push_back({child, node});
      if (name != "instance_node") continue;
      if (const pugi::xml_node other = document_.find(child.attribute("url").value(), "node"))
        open_.push_back({other, node});
    }
  }

  // A node within itself ends at the budget.
  void append(const Open& open) {
    if (!once_.insert(open.element.internal_object()).second)
      document_.budget().take(1, kInstanceBytes, "repeated nodes and meshes");
    const mat4 matrix(toMatrix(colladaTransforms(open.element)));
    const AppendedNode added =
        appendNode(out_.hierarchy, readName(open.element), open.parent, matrix, repairs_);
    if (added.stretch) out_.stretchByNode[added.node] = *added.stretch;
    out_.places.push_back({open.element, added.node});
    out_.nodesByElement[open.element.internal_object()].push_back(added.node);
    push(open.element, added.node);
  }

  ColladaDocument& document_;
  RepairLog& repairs_;
  std::vector<Open> open_;
  std::set<const void*> once_;
  ColladaNodes out_;
};

} // namespace

std::vector<ColladaTransform> colladaTransforms(const pugi::xml_node& node) {
  std::vector<ColladaTransform> out;
  for (const pugi::xml_node& child : node.children())
    for (const TransformName& each : kTransforms)
      if (child.name() == each.name) {
        std::vector<double> numbers = colladaNumbers(child);
        if (numbers.size() >= each.numbers) { // else it is empty, and says nothing
          numbers.resize(each.numbers);
          out.push_back({each.kind, child, std::move(numbers)});
        }
      }
  return out;
}

dmat4 toMatrix(const ColladaTransform& transform) {
  const std::vector<double>& n = transform.numbers;
  switch (transform.kind) {
  case ColladaTransformKind::matrix: {
    dmat4 out;
    for (int i = 0; i < 16; ++i)
      out[i % 4][i / 4] = n[static_cast<std::size_t>(i)];
    return out;
  }
  case ColladaTransformKind::translate:
    return glm::translate(dmat4(1.0), vectorAt(n, 0));
  case ColladaTransformKind::rotate: {
    const dvec3 axis = unitOr(vectorAt(n, 0), dvec3(0.0));
    return axis == dvec3(0.0) ? dmat4(1.0) : glm::rotate(dmat4(1.0), glm::radians(n[3]), axis);
  }
  case ColladaTransformKind::scale:
    return glm::scale(dmat4(1.0), vectorAt(n, 0));
  case ColladaTransformKind::lookat:
    return lookAt(n);
  default:
    return skew(n);
  }
}

dmat4 toMatrix(std::span<const ColladaTransform> transforms) {
  dmat4 out(1.0);
  for (const ColladaTransform& each : transforms)
    out = out * toMatrix(each);
  return out;
}

std::string makeHandle(std::uint32_t node) {
  return fmt::format("#{}", node);
}

ColladaNodes readColladaNodes(ColladaDocument& document, RepairLog& repairs) {
  return ColladaNodeReader(document, repairs).read();
}

} // namespace sinew
