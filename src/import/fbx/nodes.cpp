#include "import/fbx/nodes.h"

#include "import/append_node.h"

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// FBX names the axis (0 x, 1 y, 2 z) and sign of "right", "up" and "towards the viewer".
struct FbxAxes {
  std::array<int, 3> axis{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};
};

// The rotation to our axes, right-handed and Y up; the identity where they are no coordinate
// system.
mat4 modelFromFbx(const FbxAxes& axes) {
  mat4 modelFromFile(0.0f);
  modelFromFile[3][3] = 1.0f;
  for (std::size_t row = 0; row < 3; ++row) {
    if (axes.axis[row] < 0 || axes.axis[row] > 2) return mat4(1.0f);
    modelFromFile[axes.axis[row]][static_cast<int>(row)] = axes.sign[row] < 0 ? -1.0f : 1.0f;
  }
  // Two equal axes: not a coordinate system.
  return std::abs(glm::determinant(modelFromFile)) > 0.5f ? modelFromFile : mat4(1.0f);
}

using glm::dmat4;
using glm::dquat;
using glm::dvec3;

constexpr std::array<const char*, FbxChain::partCount> kPartNames = {
    "Lcl Translation", "RotationOffset", "RotationPivot", "PreRotation", "Lcl Rotation",
    "PostRotation",    "ScalingOffset",  "ScalingPivot",  "Lcl Scaling"};

bool isUniform(const dvec3& scale) {
  const double size = std::max({std::abs(scale.x), std::abs(scale.y), std::abs(scale.z)});
  return std::abs(scale.x - scale.y) <= 1e-7 * size && std::abs(scale.y - scale.z) <= 1e-7 * size;
}

// As repairZeroScale() does to what the hierarchy gets.
dvec3 withoutZeros(dvec3 scale) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(scale[i]) < 1e-9) scale[i] = kTinyScale;
  return scale;
}

Transform toTransform(const FbxLocal& local) {
  return {vec3(local.translation), glm::normalize(quat(local.rotation)), vec3(local.scale)};
}

class NodeReader {
 public:
  NodeReader(const FbxDocument& document, const std::vector<FbxMotion>& motions, RepairLog& repairs)
      : document_(document), motions_(motions), repairs_(repairs) {}

  FbxNodes read() {
    readTree();
    for (FbxNode& node : out_.nodes)
      readNode(node);
    still_ = fbxNodeMotions(out_, nullptr);
    for (const FbxMotion& motion : motions_)
      moved_.push_back(fbxNodeMotions(out_, &motion));
    for (const FbxNode& node : out_.nodes)
      if (node.parent != kNoNode && node.inherit != FbxInherit::parentAxes)
        withOtherChildren_.insert(node.parent);
    appendRoots();
    for (std::uint32_t i = 0; i < out_.nodes.size(); ++i)
      append(i);
    makeNamesUnique(out_.hierarchy);
    return std::move(out_);
  }

 private:
  bool isModel(std::uint32_t object) const { return document_.object(object).kind == "Model"; }

  // The object that a model stands below: another model, or the root.
  std::uint32_t findParent(std::uint32_t object) const {
    for (const FbxLink& link : document_.getParents(object))
      if (link.property.empty() && (link.object == kFbxRoot || isModel(link.object)))
        return link.object;
    return kFbxRoot;
  }

  // Depth first, so that parents come first; the stack is our own, since a file may nest deep.
  void readTree() {
    std::vector<std::vector<std::uint32_t>> below(document_.objects().size());
    std::size_t models = 0;
    for (std::uint32_t object = 0; object < below.size(); ++object)
      if (isModel(object)) ++models;
    for (std::uint32_t object = 0; object < below.size(); ++object)
      for (const FbxLink& link : document_.getChildren(object))
        if (link.property.empty() && isModel(link.object) && findParent(link.object) == object &&
            !contains(below[object], link.object))
          below[object].push_back(link.object);
    for (std::uint32_t object = 0; object < below.size(); ++object) // connected to nothing
      if (isModel(object) && findParent(object) == kFbxRoot && isOrphan(object))
        below[kFbxRoot].push_back(object);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open; // object and its parent's index
    const auto openChildren = [&](std::uint32_t object, std::uint32_t index) {
      for (auto child = below[object].rbegin(); child != below[object].rend(); ++child)
        open.emplace_back(*child, index);
    };
    openChildren(kFbxRoot, kNoNode);
    while (!open.empty()) {
      const auto [object, parent] = open.back();
      open.pop_back();
      const auto index = static_cast<std::uint32_t>(out_.nodes.size());
      out_.ofObject[object] = index;
      out_.nodes.emplace_back();
      out_.nodes.back().object = object;
      out_.nodes.back().parent = parent;
      openChildren(object, index);
    }
    if (out_.nodes.size() == models) return;
    for (std::uint32_t object = 0; object < below.size(); ++object)
      if (isModel(object) && !out_.ofObject.contains(object))
        throw FbxError(fmt::format("the model '{}' is its own ancestor, or below one that is",
                                   document_.object(object).name));
  }

  // A model is connected to its parent once, whatever a file says; short lists are the rule.
  static bool contains(const std::vector<std::uint32_t>& list, std::uint32_t value) {
    return !list.empty() && list.back() == value;
  }

  bool isOrphan(std::uint32_t object) const {
    const std::vector<FbxLink>& parents = document_.getParents(object);
    return std::none_of(parents.begin(), parents.end(), [&](const FbxLink& link) {
      return link.property.empty() && link.object == kFbxRoot;
    });
  }

  void readNode(FbxNode& node) const {
    const FbxProperties properties = document_.properties(node.object);
    FbxChain& chain = node.chain;
    for (std::size_t part = 0; part < chain.values.size(); ++part)
      chain.values[part] =
          properties.vector(kPartNames[part], dvec3(part == FbxChain::scaling ? 1.0 : 0.0));
    chain.order = properties.integer("RotationOrder", 0);
    chain.rotationActive = properties.flag("RotationActive", false);
    const std::int64_t inherit = properties.integer("InheritType", 0);
    node.inherit = inherit == 0   ? FbxInherit::ownAxes
                   : inherit == 2 ? FbxInherit::notParents
                                  : FbxInherit::parentAxes;
    node.nodeFromGeometry =
        glm::translate(dmat4(1.0), properties.vector("GeometricTranslation", dvec3(0.0))) *
        glm::mat4_cast(fbxRotation(properties.vector("GeometricRotation", dvec3(0.0)), 0)) *
        glm::scale(dmat4(1.0), properties.vector("GeometricScaling", dvec3(1.0)));
    const bool parentVisible = node.parent == kNoNode || out_.nodes[node.parent].visible;
    node.visible = (properties.real("Visibility", 1.0) != 0.0 || becomesVisible(node.object)) &&
                   properties.flag("Show", true) &&
                   (parentVisible || !properties.flag("Visibility Inheritance", true));
  }

  bool becomesVisible(std::uint32_t object) const {
    return std::any_of(motions_.begin(), motions_.end(), [&](const FbxMotion& motion) {
      const std::vector<const FbxCurve*> curves =
          motion.listCurves(motion.findParts(object, "Visibility"));
      return std::any_of(curves.begin(), curves.end(), [](const FbxCurve* curve) {
        return std::any_of(curve->values.begin(), curve->values.end(),
                           [](double value) { return value > 0.0; });
      });
    });
  }

  void appendRoots() {
    const FbxProperties& settings = document_.settings();
    FbxAxes axes;
    constexpr std::array<std::array<const char*, 2>, 3> kNames = {
        {{"CoordAxis", "CoordAxisSign"}, {"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}}};
    for (std::size_t i = 0; i < 3; ++i) {
      axes.axis[i] = static_cast<int>(settings.integer(kNames[i][0], axes.axis[i]));
      axes.sign[i] = static_cast<int>(settings.integer(kNames[i][1], 1));
    }
    const mat4 modelFromFile = modelFromFbx(axes);
    std::uint32_t parent = kNoNode;
    if (modelFromFile != mat4(1.0f))
      parent = appendNode(out_.hierarchy, "Y up", kNoNode, decompose(modelFromFile), repairs_);
    root_ = appendNode(out_.hierarchy, "RootNode", parent, Transform(), repairs_);
  }

  void append(std::uint32_t index) {
    FbxNode& node = out_.nodes[index];
    const std::string& name = document_.object(node.object).name;
    const FbxNodeMotion& still = still_[index];
    const Transform rest = toTransform(still.at(0.0));
    std::uint32_t parent = root_;
    if (node.parent != kNoNode) {
      const FbxNode& above = out_.nodes[node.parent];
      parent = node.inherit != FbxInherit::parentAxes && above.unscaled != kNoNode ? above.unscaled
                                                                                   : above.node;
    }
    if (isUsable(rest.translation) && isUsable(rest.scale) && isUsable(rest.rotation))
      node.node = appendNode(out_.hierarchy, name, parent, rest, repairs_);
    else
      node.node = appendNode(out_.hierarchy, name, parent, mat4(NAN), repairs_).node;
    if (!needsUnscaled(index)) return;
    Transform undone;
    undone.scale = vec3(1.0 / still.inheritedScale(0.0));
    if (!isUsable(undone.scale)) undone.scale = vec3(1.0f);
    node.unscaled = appendNode(out_.hierarchy, name + " unscaled", node.node, undone, repairs_);
  }

  // Whether children inherit the node's scale in another way than matrices do, and it matters: a
  // scale that is the same along all axes is the same in all of them.
  bool needsUnscaled(std::uint32_t index) const {
    if (!withOtherChildren_.contains(index)) return false;
    if (!isUniform(still_[index].inheritedScale(0.0))) return true;
    return std::any_of(moved_.begin(), moved_.end(), [&](const std::vector<FbxNodeMotion>& moved) {
      return !staysUniform(moved[index]);
    });
  }

  static bool staysUniform(const FbxNodeMotion& node) {
    if (!isUniform(node.inheritedScale(0.0))) return false;
    for (const FbxCurve* curve : node.scaleCurves())
      for (std::size_t key = 0; key < curve->times.size(); ++key) {
        const double time = curve->times[key];
        const double next = curve->times[std::min(key + 1, curve->times.size() - 1)];
        if (!isUniform(node.inheritedScale(time)) ||
            !isUniform(node.inheritedScale(time + 0.37 * (next - time))))
          return false;
      }
    return true;
  }

  const FbxDocument& document_;
  const std::vector<FbxMotion>& motions_;
  RepairLog& repairs_;
  FbxNodes out_;
  std::uint32_t root_ = 0;
  std::vector<FbxNodeMotion> still_;
  std::vector<std::vector<FbxNodeMotion>> moved_; // per motion
  std::set<std::uint32_t> withOtherChildren_;     // than those that inherit in the parent's axes
};

} // namespace

bool isFbxChainProperty(std::string_view name) {
  return std::find(kPartNames.begin(), kPartNames.end(), name) != kPartNames.end();
}

FbxNodes readFbxNodes(const FbxDocument& document, const std::vector<FbxMotion>& motions,
                      RepairLog& repairs) {
  return NodeReader(document, motions, repairs).read();
}

FbxNodeMotion::FbxNodeMotion(const FbxNodes& nodes, std::uint32_t index, const FbxMotion* motion,
                             const FbxNodeMotion* parent)
    : node_(&nodes.nodes[index]), motion_(motion) {
  if (motion != nullptr)
    for (std::size_t part = 0; part < parts_.size(); ++part)
      parts_[part] = motion->findParts(node_->object, kPartNames[part]);
  std::vector<const FbxCurve*> curves;
  addCurves({FbxChain::scaling}, curves);
  if (std::all_of(curves.begin(), curves.end(),
                  [](const FbxCurve* curve) { return curve->isConstant(); }))
    constantScale_ = ownScale(0.0);
  if (node_->inherit == FbxInherit::parentAxes || node_->parent == kNoNode) return;
  parent_ = parent;
  parentNode_ = &nodes.nodes[node_->parent];
}

std::vector<FbxNodeMotion> fbxNodeMotions(const FbxNodes& nodes, const FbxMotion* motion) {
  std::vector<FbxNodeMotion> out;
  out.reserve(nodes.nodes.size()); // they point to one another
  for (std::uint32_t i = 0; i < nodes.nodes.size(); ++i) {
    const std::uint32_t parent = nodes.nodes[i].parent;
    out.emplace_back(nodes, i, motion, parent == kNoNode ? nullptr : &out[parent]);
  }
  return out;
}

FbxLocal FbxNodeMotion::chainAt(double seconds) const {
  const FbxChain& chain = node_->chain;
  const auto value = [&](FbxChain::Part part) {
    return parts_[part] != nullptr ? motion_->at(parts_[part], chain.values[part], seconds)
                                   : chain.values[part];
  };
  FbxLocal local;
  local.rotation =
      motion_ != nullptr
          ? motion_->rotationAt(parts_[FbxChain::rotation], chain.values[FbxChain::rotation],
                                chain.rotationActive ? chain.order : 0, seconds)
          : fbxRotation(chain.values[FbxChain::rotation], chain.rotationActive ? chain.order : 0);
  if (chain.rotationActive)
    local.rotation = fbxRotation(value(FbxChain::preRotation), 0) * local.rotation *
                     glm::conjugate(fbxRotation(value(FbxChain::postRotation), 0));
  local.scale = ownScale(seconds);
  const dvec3 pivot = value(FbxChain::rotationPivot);
  const dvec3 scalingPivot = value(FbxChain::scalingPivot);
  local.translation = value(FbxChain::translation) + value(FbxChain::rotationOffset) + pivot +
                      local.rotation * (value(FbxChain::scalingOffset) - pivot + scalingPivot -
                                        local.scale * scalingPivot);
  return local;
}

dvec3 FbxNodeMotion::ownScale(double seconds) const {
  if (constantScale_) return *constantScale_;
  const dvec3& rest = node_->chain.values[FbxChain::scaling];
  const FbxParts* parts = parts_[FbxChain::scaling];
  return withoutZeros(parts != nullptr ? motion_->scaleAt(parts, rest, seconds) : rest);
}

// Scale is kept apart from the axes that it acts in: a node that inherits in other than the
// parent's axes multiplies the parent's scale to its own (ownAxes), without what is the parent's
// alone (notParents).
dvec3 FbxNodeMotion::inheritedScale(double seconds) const {
  dvec3 scale = ownScale(seconds);
  for (const FbxNodeMotion* node = this; node->parent_ != nullptr; node = node->parent_)
    if (node->node_->inherit == FbxInherit::ownAxes) scale *= node->parent_->ownScale(seconds);
  return scale;
}

FbxLocal FbxNodeMotion::at(double seconds) const {
  FbxLocal local = chainAt(seconds);
  if (parent_ == nullptr) return local;
  const dvec3 above = parent_->inheritedScale(seconds);
  local.scale = inheritedScale(seconds);
  if (parentNode_->unscaled != kNoNode)
    local.translation *= above;
  else
    local.scale /= above;
  return local;
}

bool FbxNodeMotion::moves(std::initializer_list<FbxChain::Part> parts) const {
  return std::any_of(parts.begin(), parts.end(),
                     [&](FbxChain::Part part) { return parts_[part] != nullptr; });
}

void FbxNodeMotion::addCurves(std::initializer_list<FbxChain::Part> parts,
                              std::vector<const FbxCurve*>& out) const {
  if (motion_ == nullptr) return;
  for (const FbxChain::Part part : parts) {
    const std::vector<const FbxCurve*> curves = motion_->listCurves(parts_[part]);
    out.insert(out.end(), curves.begin(), curves.end());
  }
}

bool FbxNodeMotion::hasPivots() const {
  const FbxChain& chain = node_->chain;
  return chain.values[FbxChain::rotationPivot] != dvec3(0.0) ||
         chain.values[FbxChain::scalingOffset] != dvec3(0.0) ||
         chain.values[FbxChain::scalingPivot] != dvec3(0.0) ||
         moves({FbxChain::rotationPivot, FbxChain::scalingOffset, FbxChain::scalingPivot});
}

std::vector<const FbxCurve*> FbxNodeMotion::translationCurves() const {
  std::vector<const FbxCurve*> out;
  addCurves({FbxChain::translation, FbxChain::rotationOffset}, out);
  if (hasPivots()) {
    addCurves({FbxChain::rotationPivot, FbxChain::scalingOffset, FbxChain::scalingPivot,
               FbxChain::scaling},
              out);
    const std::vector<const FbxCurve*> rotations = rotationCurves();
    out.insert(out.end(), rotations.begin(), rotations.end());
  }
  if (parent_ != nullptr && parentNode_->unscaled != kNoNode) {
    const std::vector<const FbxCurve*> above = parent_->scaleCurves();
    out.insert(out.end(), above.begin(), above.end());
  }
  return out;
}

std::vector<const FbxCurve*> FbxNodeMotion::rotationCurves() const {
  std::vector<const FbxCurve*> out;
  addCurves({FbxChain::preRotation, FbxChain::rotation, FbxChain::postRotation}, out);
  return out;
}

std::vector<const FbxCurve*> FbxNodeMotion::scaleCurves() const {
  std::vector<const FbxCurve*> out;
  for (const FbxNodeMotion* node = this; node != nullptr; node = node->parent_)
    if (!node->constantScale_) node->addCurves({FbxChain::scaling}, out);
  return out;
}

bool FbxNodeMotion::movesTranslation() const {
  return moves({FbxChain::translation, FbxChain::rotationOffset}) ||
         (hasPivots() &&
          (movesRotation() || moves({FbxChain::scaling, FbxChain::rotationPivot,
                                     FbxChain::scalingOffset, FbxChain::scalingPivot}))) ||
         (parent_ != nullptr && parentNode_->unscaled != kNoNode && parent_->movesScale());
}

bool FbxNodeMotion::movesRotation() const {
  return moves({FbxChain::preRotation, FbxChain::rotation, FbxChain::postRotation});
}

bool FbxNodeMotion::movesScale() const {
  for (const FbxNodeMotion* node = this; node != nullptr; node = node->parent_)
    if (node->moves({FbxChain::scaling})) return true;
  return false;
}

} // namespace sinew
