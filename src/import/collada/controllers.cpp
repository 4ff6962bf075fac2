#include "import/collada/controllers.h"

#include <fmt/format.h>

#include <set>

namespace sinew {
namespace {

using glm::dmat4;
using glm::dvec3;

constexpr int kMaxControllers = 8; // one above another

std::string withoutHash(std::string_view reference) {
  if (reference.starts_with('#')) reference.remove_prefix(1);
  return std::string(reference);
}

pugi::xml_node findDeformer(const pugi::xml_node& controller) {
  const pugi::xml_node skin = controller.child("skin");
  return skin ? skin : controller.child("morph");
}

dmat4 matrixFromRows(const double* numbers) {
  dmat4 out;
  for (int i = 0; i < 16; ++i)
    out[i % 4][i / 4] = numbers[i];
  return out;
}

// The node that a joint of a skin is, by its sid below the skeletons, or by its id.
class JointFinder {
 public:
  JointFinder(const ColladaDocument& document, const ColladaNodes& nodes,
              const pugi::xml_node& instance)
      : document_(document), nodes_(nodes) {
    for (const pugi::xml_node& skeleton : instance.children("skeleton"))
      for (const std::string& reference : colladaWords(skeleton))
        if (const pugi::xml_node root = document.find(reference)) skeletons_.push_back(root);
  }

  std::optional<std::uint32_t> find(const std::string& name) const {
    for (const pugi::xml_node& root : skeletons_) {
      if (root.attribute("sid").value() == name) return findElementNode(root);
      if (const auto node = findElementNode(document_.findSid(root, name))) return node;
    }
    if (const auto node = findElementNode(document_.find(name, "node"))) return node;
    if (byWord_.empty()) collectWords();
    const auto found = byWord_.find(name);
    return found == byWord_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::optional<std::uint32_t> findElementNode(const pugi::xml_node& element) const {
    const auto found = nodes_.nodesByElement.find(element.internal_object());
    if (!element || found == nodes_.nodesByElement.end()) return std::nullopt;
    return found->second.front();
  }

  // By sids and names of all nodes, for files that name no skeleton, or a wrong one.
  void collectWords() const {
    for (const char* attribute : {"sid", "name"})
      for (const ColladaPlace& place : nodes_.places)
        byWord_.try_emplace(place.element.attribute(attribute).value(), place.node);
  }

  const ColladaDocument& document_;
  const ColladaNodes& nodes_;
  std::vector<pugi::xml_node> skeletons_;
  mutable std::unordered_map<std::string, std::uint32_t> byWord_;
};

// vcount says how many pairs of the list belong to each point.
void readWeights(const ColladaDocument& document, const pugi::xml_node& list,
                 std::vector<NamedBone>& bones, RepairLog& repairs) {
  const pugi::xml_node joint = colladaInput(list, "JOINT");
  const pugi::xml_node weight = colladaInput(list, "WEIGHT");
  const ColladaSource weights =
      readColladaSource(document, document.find(weight.attribute("source").value(), "source"), 1);
  const std::size_t jointAt = joint.attribute("offset").as_uint();
  const std::size_t weightAt = weight.attribute("offset").as_uint();
  std::size_t stride = 0;
  for (const pugi::xml_node& input : list.children("input"))
    stride = std::max<std::size_t>(stride, input.attribute("offset").as_uint() + std::size_t{1});
  if (stride == 0) return; // no input: nothing says what the pairs are
  const std::vector<double> counts = colladaNumbers(list.child("vcount"));
  const std::vector<double> pairs = colladaNumbers(list.child("v"));
  std::size_t at = 0;
  for (std::uint32_t point = 0; point < counts.size(); ++point)
    for (double left = counts[point]; left >= 1.0 && stride <= pairs.size() - at;
         left -= 1.0, at += stride) {
      const double bone = pairs[at + jointAt];
      const double index = pairs[at + weightAt];
      if (!(bone >= 0.0 && bone < static_cast<double>(bones.size())) || !(index >= 0.0) ||
          !(index < weights.count())) {
        repairs.add(Repair::influenceOutOfRange);
        continue;
      }
      bones[static_cast<std::size_t>(bone)].weights.push_back(
          {point, static_cast<float>(*weights.at(static_cast<std::uint32_t>(index)))});
    }
}

} // namespace

ColladaControllers::ColladaControllers(ColladaDocument& document, Model& model)
    : document_(document), model_(model) {
  std::set<std::string> referred;
  std::vector<pugi::xml_node> morphs;
  for (const pugi::xml_node& library : document.root().children("library_controllers"))
    for (const pugi::xml_node& controller : library.children("controller")) {
      referred.insert(withoutHash(findDeformer(controller).attribute("source").value()));
      if (controller.child("morph")) morphs.push_back(controller);
    }
  // Blender writes controllers that nothing refers to: they are of all that show the mesh. Nodes
  // say what they show, so every element of the libraries is looked at once.
  for (const char* name : {"library_visual_scenes", "library_nodes"})
    for (const pugi::xml_node& library : document.root().children(name)) {
      pugi::xml_node at = library;
      while (at) {
        if (std::string_view(at.name()) == "instance_controller")
          referred.insert(withoutHash(at.attribute("url").value()));
        if (const pugi::xml_node child = at.first_child()) {
          at = child;
          continue;
        }
        while (at && at != library && !at.next_sibling())
          at = at.parent();
        at = at == library ? pugi::xml_node() : at.next_sibling();
      }
    }
  for (const pugi::xml_node& morph : morphs)
    if (!referred.contains(morph.attribute("id").value()))
      loose_.emplace(withoutHash(morph.child("morph").attribute("source").value()), morph);
}

ColladaShape ColladaControllers::readShape(const pugi::xml_node& instance) const {
  ColladaShape out;
  pugi::xml_node at = document_.find(instance.attribute("url").value());
  for (int i = 0; i < kMaxControllers && std::string_view(at.name()) == "controller"; ++i) {
    const pugi::xml_node deformer = findDeformer(at);
    if (std::string_view(deformer.name()) == "morph")
      out.morphs.push_back(at);
    else if (!out.skin)
      out.skin = deformer;
    at = document_.find(deformer.attribute("source").value());
  }
  if (std::string_view(at.name()) != "geometry") return {};
  out.geometry = at;
  const auto [first, last] = loose_.equal_range(at.attribute("id").value());
  for (auto each = first; each != last; ++each)
    out.morphs.push_back(each->second);
  return out;
}

const ColladaMorph& ColladaControllers::readMorph(const pugi::xml_node& controller) {
  const auto [known, isNew] = morphs_.try_emplace(controller.internal_object());
  ColladaMorph& out = known->second;
  if (!isNew) return out;
  const pugi::xml_node morph = controller.child("morph");
  const pugi::xml_node inputs = morph.child("targets");
  const auto readSource = [&](const char* semantic) {
    return document_.find(colladaInput(inputs, semantic).attribute("source").value(), "source");
  };
  const pugi::xml_node weightSource = readSource("MORPH_WEIGHT");
  const ColladaSource weights = readColladaSource(document_, weightSource, 1);
  out.relative = std::string_view(morph.attribute("method").value()) == "RELATIVE";
  out.ids = readColladaNames(readSource("MORPH_TARGET"));
  out.firstTarget = static_cast<std::uint32_t>(model_.morphTargets.size());
  for (std::uint32_t i = 0; i < out.ids.size(); ++i) {
    const pugi::xml_node target = document_.find(out.ids[i], "geometry");
    out.targets.push_back(target);
    const std::string name = target.attribute("name").value();
    const double weight = i < weights.count() ? *weights.at(i) : 0.0;
    const auto usable = static_cast<float>(std::isfinite(weight) ? weight : 0.0);
    model_.morphTargets.push_back({name.empty() ? out.ids[i] : name, usable});
  }
  for (const char* id : {weightSource.attribute("id").value(),
                         weightSource.child("float_array").attribute("id").value()})
    if (*id != '\0') byWeights_[id] = &out;
  return out;
}

std::vector<dvec3> ColladaControllers::readOffsets(const pugi::xml_node& controller,
                                                   std::uint32_t target,
                                                   const std::vector<dvec3>& points) {
  const ColladaMorph& morph = readMorph(controller);
  std::vector<dvec3> offsets = colladaPositions(document_, morph.targets[target]);
  if (offsets.size() != points.size() || points.empty()) {
    if (warned_.try_emplace({controller.internal_object(), target}, true).second)
      model_.warnings.push_back(
          fmt::format("morph controller '{}': target '{}' has not as many positions as the mesh",
                      controller.attribute("id").value(), morph.ids[target]));
    return {};
  }
  if (!morph.relative)
    for (std::size_t i = 0; i < points.size(); ++i)
      offsets[i] -= points[i];
  return offsets;
}

const ColladaMorph* ColladaControllers::morphOfWeights(std::string_view source) const {
  const auto found = byWeights_.find(source);
  return found == byWeights_.end() ? nullptr : found->second;
}

std::vector<NamedBone> readColladaBones(const ColladaDocument& document, const ColladaNodes& nodes,
                                        const pugi::xml_node& skin, const pugi::xml_node& instance,
                                        RepairLog& repairs) {
  const pugi::xml_node joints = skin.child("joints");
  const auto readSource = [&](const char* semantic) {
    return document.find(colladaInput(joints, semantic).attribute("source").value(), "source");
  };
  dmat4 bindShape(1.0);
  if (const std::vector<double> numbers = colladaNumbers(skin.child("bind_shape_matrix"));
      numbers.size() >= 16)
    bindShape = matrixFromRows(numbers.data());
  const ColladaSource binds = readColladaSource(document, readSource("INV_BIND_MATRIX"), 16);
  const std::vector<std::string> names = readColladaNames(readSource("JOINT"));
  const JointFinder finder(document, nodes, instance);
  std::vector<NamedBone> bones(names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const std::optional<std::uint32_t> node = finder.find(names[i]);
    bones[i].name = node ? makeHandle(*node) : names[i];
    const dmat4 bind = i < binds.count() ? matrixFromRows(binds.at(i)) : dmat4(1.0);
    bones[i].jointFromBind = mat4(bind * bindShape);
  }
  readWeights(document, skin.child("vertex_weights"), bones, repairs);
  return bones;
}

} // namespace sinew
