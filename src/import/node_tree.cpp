#include "import/node_tree.h"

#include "import/append_node.h"
#include "import/assimp_types.h"

#include <cmath>

namespace sinew {
namespace {

class TreeReader {
 public:
  explicit TreeReader(RepairLog& repairs) : repairs_(repairs) {}

  std::uint32_t addMatrix(const std::string& name, std::uint32_t parent, const mat4& m) {
    const AppendedNode added = appendNode(tree.hierarchy, name, parent, m, repairs_);
    if (added.stretch) tree.stretchByNode[added.node] = *added.stretch;
    return added.node;
  }

  // Depth first with a stack of its own: a hostile file may nest deeper than the machine's.
  void read(const aiNode& root, std::uint32_t parent) {
    struct Open {
      const aiNode* node;
      const aiNode* listedBy;
      std::uint32_t above;
    };
    std::vector<Open> open{{&root, root.mParent, parent}};
    while (!open.empty()) {
      const auto [node, listedBy, listedUnder] = open.back();
      open.pop_back();
      const std::uint32_t above =
          node->mParent == listedBy ? listedUnder : statedParent(*node, listedUnder);
      const std::uint32_t index = addNode(*node, above);
      for (unsigned i = node->mNumChildren; i-- > 0;)
        if (node->mChildren[i] != nullptr) open.push_back({node->mChildren[i], node, index});
    }
  }

  NodeTree tree;

 private:
  // Assimp lists all bones of a Half-Life model side by side, and states the parent of each.
  std::uint32_t statedParent(const aiNode& node, std::uint32_t listedUnder) const {
    const auto found = tree.nodeBySource.find(node.mParent);
    return found == tree.nodeBySource.end() ? listedUnder : found->second;
  }

  std::uint32_t addNode(const aiNode& node, std::uint32_t parent) {
    const std::string name = toString(node.mName);
    const std::uint32_t index = addMatrix(name, parent, toMat4(node.mTransformation));
    tree.nodeBySource[&node] = index;
    tree.byName[name].push_back(index);
    return index;
  }

  RepairLog& repairs_;
};

} // namespace

NodeTree readNodes(const aiNode& root, const mat4& modelFromFile, RepairLog& repairs) {
  TreeReader reader(repairs);
  std::uint32_t parent = kNoNode;
  if (modelFromFile != mat4(1.0f))
    parent = appendNode(reader.tree.hierarchy, "Y up", kNoNode, decompose(modelFromFile), repairs);
  reader.read(root, parent);
  makeNamesUnique(reader.tree.hierarchy);
  return std::move(reader.tree);
}

} // namespace sinew
