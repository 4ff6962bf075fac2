#include "import/fbx/skins.h"

#include "import/skin_reader.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

using glm::dmat4;

// Sixteen numbers; nothing where there are none.
std::optional<dmat4> matrixIn(const FbxElement& element, std::string_view name,
                              RepairLog& repairs) {
  const std::vector<double> numbers = toReals(findChild(element, name));
  if (numbers.empty()) return std::nullopt;
  if (numbers.size() != 16)
    throw FbxError(fmt::format("'{}' of a cluster has {} numbers, not 16", name, numbers.size()));
  dmat4 m;
  for (int i = 0; i < 16; ++i)
    m[i / 4][i % 4] = numbers[static_cast<std::size_t>(i)];
  for (int column = 0; column < 4; ++column) {
    const double affine = column == 3 ? 1.0 : 0.0;
    if (std::abs(m[column].w - affine) > 1e-6) repairs.add(Repair::bindMatrixNotAffine);
    m[column].w = affine;
  }
  return m;
}

class FbxSkinReader {
 public:
  FbxSkinReader(const FbxDocument& document, const FbxNodes& nodes, std::size_t points,
                RepairLog& repairs, FbxSkinReport& report)
      : document_(document), nodes_(nodes), repairs_(repairs), report_(report) {
    out_.influences.resize(points);
    completes_.assign(points, Mode::normalize);
  }

  FbxSkin read(std::uint32_t geometry) {
    for (const std::uint32_t skin : document_.getChildren(geometry, "Deformer", "Skin")) {
      readMethod(*document_.object(skin).element);
      mode_.reset();
      for (const std::uint32_t cluster : document_.getChildren(skin, "Deformer", "Cluster"))
        readCluster(cluster);
    }
    for (std::size_t i = 0; i < out_.influences.size(); ++i) {
      if (completes_[i] != Mode::normalize) addRest(i);
      tidyInfluences(out_.influences[i], repairs_);
    }
    return std::move(out_);
  }

 private:
  // How weights count: the manual of the FBX SDK, FbxCluster::ELinkMode.
  enum class Mode : std::uint8_t { normalize, totalOne, additive };

  static Mode readMode(const FbxElement& cluster) {
    const FbxElement* mode = findChild(cluster, "Mode");
    const std::string name = mode != nullptr ? textAt(*mode, 0) : std::string();
    return name == "Additive" ? Mode::additive
           : name == "Total1" ? Mode::totalOne
                              : Mode::normalize;
  }

  // The shares that dual quaternions have of the points of a mixture are listed by point; where
  // there are no indices, for the first points. The others' are 0.
  void readMethod(const FbxElement& skin) {
    const FbxElement* type = findChild(skin, "SkinningType");
    const std::string method = type != nullptr ? textAt(*type, 0) : std::string();
    if (method == "Rigid") ++report_.rigid;
    std::vector<float>& out = out_.dualQuaternionShares;
    if (method == "DualQuaternion") out.assign(out_.influences.size(), 1.0f);
    if (method != "Blend") return;
    out.assign(out_.influences.size(), 0.0f);
    const std::vector<double> shares = toReals(findChild(skin, "BlendWeights"));
    const std::vector<std::int64_t> points = toIntegers(findChild(skin, "Indexes"));
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const std::int64_t point =
          points.empty() ? static_cast<std::int64_t>(i) : points[std::min(i, points.size() - 1)];
      if (point < 0 || static_cast<std::size_t>(point) >= out.size() || !std::isfinite(shares[i]))
        continue;
      out[static_cast<std::size_t>(point)] = static_cast<float>(std::clamp(shares[i], 0.0, 1.0));
    }
  }

  // A weight moves the point from where the mesh is, so what the weights lack of 1 is the mesh's.
  // Additive clusters do so one after another, which for one is the same, and for several small
  // weights nearly.
  void addRest(std::size_t point) {
    std::vector<Influence>& influences = out_.influences[point];
    if (completes_[point] == Mode::additive && influences.size() > 1) ++report_.additiveProduct;
    float sum = 0.0f;
    for (const Influence& each : influences)
      sum += each.weight;
    constexpr float kRounding = 1e-5f;
    if (sum > 1.0f + kRounding) ++report_.overfull;
    if (sum < 1.0f - kRounding)
      influences.push_back({static_cast<std::uint32_t>(out_.clusters.size()), 1.0f - sum});
  }

  void readCluster(std::uint32_t index) {
    const FbxElement& element = *document_.object(index).element;
    const std::vector<std::int64_t> points = toIntegers(findChild(element, "Indexes"));
    const std::vector<double> weights = toReals(findChild(element, "Weights"));
    if (points.size() != weights.size())
      throw FbxError(fmt::format("the cluster '{}' has {} indices and {} weights",
                                 document_.object(index).name, points.size(), weights.size()));
    const std::vector<std::uint32_t> bones = document_.getChildren(index, "Model");
    if (bones.empty()) {
      ++report_.withoutBone;
      return;
    }
    if (!mode_) mode_ = readMode(element);
    if (*mode_ == Mode::additive && findChild(element, "TransformAssociateModel") != nullptr)
      ++report_.associated;
    const FbxNode& bone = nodes_.nodes[nodes_.ofObject.at(bones.front())];
    FbxCluster cluster;
    cluster.node = bone.node;
    cluster.sceneFromBone = matrixIn(element, "TransformLink", repairs_);
    cluster.boneFromMesh = matrixIn(element, "Transform", repairs_);
    for (std::optional<dmat4>* matrix : {&cluster.sceneFromBone, &cluster.boneFromMesh})
      if (*matrix && isSingular(mat4(**matrix))) {
        repairs_.add(Repair::bindMatrixSingular);
        matrix->reset();
      }
    addWeights(points, weights);
    out_.clusters.push_back(cluster);
  }

  void addWeights(const std::vector<std::int64_t>& points, const std::vector<double>& weights) {
    const auto joint = static_cast<std::uint32_t>(out_.clusters.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto weight = static_cast<float>(weights[i]);
      if (points[i] < 0 || static_cast<std::size_t>(points[i]) >= out_.influences.size())
        repairs_.add(Repair::influenceOutOfRange);
      else if (!std::isfinite(weight))
        repairs_.add(Repair::weightNotFinite);
      else if (weight < 0.0f)
        repairs_.add(Repair::weightNotPositive);
      else if (weight > 0.0f) {
        out_.influences[static_cast<std::size_t>(points[i])].push_back({joint, weight});
        completes_[static_cast<std::size_t>(points[i])] = *mode_;
      }
    }
  }

  const FbxDocument& document_;
  const FbxNodes& nodes_;
  RepairLog& repairs_;
  FbxSkinReport& report_;
  FbxSkin out_;
  std::optional<Mode> mode_;    // mode of the skin that is being read
  std::vector<Mode> completes_; // per control point: by the last skin that moves it
};

} // namespace

FbxSkin readFbxSkin(const FbxDocument& document, const FbxNodes& nodes, std::uint32_t geometry,
                    std::size_t points, RepairLog& repairs, FbxSkinReport& report) {
  return FbxSkinReader(document, nodes, points, repairs, report).read(geometry);
}

} // namespace sinew
