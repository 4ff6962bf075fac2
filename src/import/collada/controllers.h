// Controllers of a Collada file: skins and morphs, and the geometry that they deform.
#pragma once

#include "import/collada/geometry.h"
#include "import/collada/nodes.h"
#include "import/skin_reader.h"

#include <map>

namespace sinew {

// What an instance shows: a geometry, and the controllers that deform it.
struct ColladaShape {
  pugi::xml_node geometry;
  pugi::xml_node skin;                // <skin>; or empty
  std::vector<pugi::xml_node> morphs; // <controller>
};

// The morph targets of the model that a controller made.
struct ColladaMorph {
  std::uint32_t firstTarget = 0;
  std::vector<pugi::xml_node> targets; // <geometry>; empty where it is not there
  std::vector<std::string> ids;
  bool relative = false; // positions of targets are offsets
};

class ColladaControllers {
 public:
  // Both must outlive it.
  ColladaControllers(ColladaDocument& document, Model& model);

  // Reads an <instance_geometry> or <instance_controller>; no geometry where it shows none.
  ColladaShape readShape(const pugi::xml_node& instance) const;

  // Reads the morph at the first call.
  const ColladaMorph& readMorph(const pugi::xml_node& controller);
  // Offsets of a target, one for each of the geometry's points; empty, and a warning at the first
  // time, where it does not fit.
  std::vector<glm::dvec3> readOffsets(const pugi::xml_node& controller, std::uint32_t target,
                                      const std::vector<glm::dvec3>& points);

  // The morph whose weights stand in a <source> of that id, or an array within it; null: none.
  const ColladaMorph* morphOfWeights(std::string_view source) const;

 private:
  ColladaDocument& document_;
  Model& model_;
  std::multimap<std::string, pugi::xml_node> loose_; // by geometry: controllers nothing refers to
  std::map<const void*, ColladaMorph> morphs_;       // by controller
  std::map<std::string, const ColladaMorph*, std::less<>> byWeights_;
  std::map<std::pair<const void*, std::uint32_t>, bool> warned_;
};

// The bones of a skin, by makeHandle() their nodes, with points of the geometry; a bone without a
// node has its name.
std::vector<NamedBone> readColladaBones(const ColladaDocument& document, const ColladaNodes& nodes,
                                        const pugi::xml_node& skin, const pugi::xml_node& instance,
                                        RepairLog& repairs);

} // namespace sinew
