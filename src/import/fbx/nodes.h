// The models of an FBX file as a hierarchy: the chain of offsets, pivots and rotations of each, how
// it inherits scale, and where it stands at a moment of an animation.
#pragma once

#include "import/fbx/animation.h"
#include "import/repairs.h"
#include "model/hierarchy.h"

namespace sinew {

// Properties that place a model in its parent (FBX SDK manual, "Computing transformation
// matrices"): T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1. Rotations in degrees; all but R are
// about x, y, z in this order.
struct FbxChain {
  enum Part : std::uint8_t {
    translation,
    rotationOffset,
    rotationPivot,
    preRotation,
    rotation,
    postRotation,
    scalingOffset,
    scalingPivot,
    scaling,
    partCount
  };
  std::array<glm::dvec3, partCount> values{};
  std::int64_t order = 0;      // order of R's axes
  bool rotationActive = false; // without it order, Rpre and Rpost do not count
};

struct FbxLocal {
  glm::dvec3 translation{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  glm::dvec3 scale{1.0};
};

// How a model inherits the scale of its parent: in the parent's axes (as matrices do), in its own
// axes, or not at all (Maya's segment scale compensation).
enum class FbxInherit : std::uint8_t { ownAxes = 0, parentAxes = 1, notParents = 2 };

struct FbxNode {
  std::uint32_t object = 0;
  std::uint32_t parent = kNoNode; // index into FbxNodes::nodes; kNoNode: below the root
  FbxChain chain;                 // without animation
  FbxInherit inherit = FbxInherit::parentAxes;
  bool visible = true;
  glm::dmat4 nodeFromGeometry{1.0};
  std::uint32_t node = 0; // index into FbxNodes::hierarchy
  // A child of the node that undoes its scale, where children are to inherit it in another way.
  std::uint32_t unscaled = kNoNode;
};

struct FbxNodes {
  Hierarchy hierarchy;
  std::vector<FbxNode> nodes; // parents first
  std::unordered_map<std::uint32_t, std::uint32_t> ofObject;
};

// Whether it is a property that places a model.
bool isFbxChainProperty(std::string_view name);

// motions: those of all stacks; they decide which nodes need an unscaled child. Throws FbxError for
// a model that is its own ancestor.
FbxNodes readFbxNodes(const FbxDocument& document, const std::vector<FbxMotion>& motions,
                      RepairLog& repairs);

// One node at moments of a stack, or without animation.
class FbxNodeMotion {
 public:
  // parent: that of the node's parent, or nullptr below the root. All arguments must outlive it.
  FbxNodeMotion(const FbxNodes& nodes, std::uint32_t index, const FbxMotion* motion,
                const FbxNodeMotion* parent);

  // Where the node of the hierarchy stands in its parent there.
  FbxLocal at(double seconds) const;
  // What its unscaled child undoes.
  glm::dvec3 inheritedScale(double seconds) const;

  // The curves that each part follows; for the scale, those that change it.
  std::vector<const FbxCurve*> translationCurves() const;
  std::vector<const FbxCurve*> rotationCurves() const;
  std::vector<const FbxCurve*> scaleCurves() const;
  // Whether the stack moves it, be it by one value alone.
  bool movesTranslation() const;
  bool movesRotation() const;
  bool movesScale() const;

 private:
  FbxLocal chainAt(double seconds) const;
  glm::dvec3 ownScale(double seconds) const;
  bool moves(std::initializer_list<FbxChain::Part> parts) const;
  void addCurves(std::initializer_list<FbxChain::Part> parts,
                 std::vector<const FbxCurve*>& out) const;
  bool hasPivots() const;

  const FbxNode* node_;
  const FbxMotion* motion_;
  std::array<const FbxParts*, FbxChain::partCount> parts_{};
  std::optional<glm::dvec3> constantScale_;
  const FbxNodeMotion* parent_ = nullptr; // where the parent's scale counts
  const FbxNode* parentNode_ = nullptr;
};

// Those of all nodes, in their order. Both arguments must outlive them.
std::vector<FbxNodeMotion> fbxNodeMotions(const FbxNodes& nodes, const FbxMotion* motion);

} // namespace sinew
