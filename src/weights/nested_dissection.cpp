#include "weights/nested_dissection.h"

#include "core/lists.h"

#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

constexpr std::size_t kUncut = 24; // a part of at most so many vertices is not cut further

Lists<std::uint32_t> neighboursIn(const Eigen::SparseMatrix<double>& lower) {
  using Entries = Eigen::SparseMatrix<double>::InnerIterator;
  return gatherLists<std::uint32_t>(static_cast<std::size_t>(lower.cols()), [&](const auto& each) {
    for (Eigen::Index column = 0; column < lower.outerSize(); ++column)
      for (Entries entry(lower, column); entry; ++entry) {
        if (entry.row() == entry.col()) continue;
        each(static_cast<std::size_t>(entry.row()), static_cast<std::uint32_t>(entry.col()));
        each(static_cast<std::size_t>(entry.col()), static_cast<std::uint32_t>(entry.row()));
      }
  });
}

enum class Part : std::uint8_t { outside, left, right, cut };

// The vertices of each half that have a neighbour in the other: either of the two separates them.
struct Borders {
  std::vector<std::uint32_t> left, right;

  const std::vector<std::uint32_t>& smaller() const {
    return left.size() <= right.size() ? left : right;
  }
};

class Dissector {
 public:
  Dissector(const Eigen::SparseMatrix<double>& lower, std::span<const vec3> positions)
      : positions_(positions), neighbours_(neighboursIn(lower)),
        part_(positions.size(), Part::outside) {
    out_.order.resize(positions.size());
    std::iota(out_.order.begin(), out_.order.end(), 0u);
  }

  Dissection run() {
    dissect(0, out_.order.size());
    for (const std::uint32_t root : roots_) // several trees are joined below the last root
      out_.parts[root].parent = roots_.back();
    return std::move(out_);
  }

 private:
  std::span<std::uint32_t> vertices(std::size_t first, std::size_t last) {
    return std::span(out_.order).subspan(first, last - first);
  }

  // Puts the vertices on two sides of their median along an axis.
  Borders cutAlong(int axis, std::span<std::uint32_t> of) {
    const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
    std::nth_element(of.begin(), middle, of.end(), [&](std::uint32_t a, std::uint32_t b) {
      const float x = positions_[a][axis], y = positions_[b][axis];
      return x < y || (x == y && a < b);
    });
    for (auto v = of.begin(); v != of.end(); ++v)
      part_[*v] = v < middle ? Part::left : Part::right;
    Borders borders;
    for (const std::uint32_t v : of) {
      const Part other = part_[v] == Part::left ? Part::right : Part::left;
      const auto near = neighbours_.of(v);
      if (std::ranges::any_of(near, [&](std::uint32_t n) { return part_[n] == other; }))
        (part_[v] == Part::left ? borders.left : borders.right).push_back(v);
    }
    return borders;
  }

  // Axes along which these vertices reach far, the farthest first: a cut across one is short.
  std::vector<int> sortAxes(std::span<const std::uint32_t> of) const {
    vec3 low = positions_[of.front()], high = low;
    for (const std::uint32_t v : of) {
      low = glm::min(low, positions_[v]);
      high = glm::max(high, positions_[v]);
    }
    const vec3 size = high - low;
    std::vector axes{0, 1, 2};
    std::ranges::stable_sort(axes, [&](int a, int b) { return size[a] > size[b]; });
    axes.pop_back();
    if (size[axes[1]] < 0.5f * size[axes[0]]) axes.pop_back();
    return axes;
  }

  // Puts each vertex on a side of the best cut, or into the cut.
  void halve(std::span<std::uint32_t> of) {
    Borders best;
    int bestAxis = -1, axis = -1;
    for (const int each : sortAxes(of)) {
      Borders borders = cutAlong(axis = each, of);
      if (bestAxis >= 0 && borders.smaller().size() >= best.smaller().size()) continue;
      best = std::move(borders);
      bestAxis = each;
    }
    if (axis != bestAxis) cutAlong(bestAxis, of);
    for (const std::uint32_t v : best.smaller())
      part_[v] = Part::cut;
  }

  // Orders these vertices, last the cut between their halves, which takes the trees of both.
  void dissect(std::size_t first, std::size_t last) {
    const std::span<std::uint32_t> of = vertices(first, last);
    const std::size_t roots = roots_.size();
    std::size_t cutAt = first;
    if (of.size() > kUncut) {
      halve(of);
      const auto gather = [&](auto from, Part part) {
        return std::partition(from, of.end(), [&](std::uint32_t v) { return part_[v] == part; });
      };
      const auto afterLeft = gather(of.begin(), Part::left);
      const auto afterRight = gather(afterLeft, Part::right);
      for (const std::uint32_t v : of)
        part_[v] = Part::outside;
      const std::size_t middle = first + static_cast<std::size_t>(afterLeft - of.begin());
      cutAt = first + static_cast<std::size_t>(afterRight - of.begin());
      if (middle > first) dissect(first, middle);
      if (cutAt > middle) dissect(middle, cutAt);
    }
    if (cutAt == last) return; // nothing joins the halves
    const auto part = static_cast<std::uint32_t>(out_.parts.size());
    out_.parts.push_back(
        {static_cast<std::uint32_t>(cutAt), static_cast<std::uint32_t>(last - cutAt), part});
    for (std::size_t i = roots; i < roots_.size(); ++i)
      out_.parts[roots_[i]].parent = part;
    roots_.resize(roots);
    roots_.push_back(part);
  }

  std::span<const vec3> positions_;
  Lists<std::uint32_t> neighbours_;
  std::vector<Part> part_;
  Dissection out_;
  std::vector<std::uint32_t> roots_; // the roots of the trees so far
};

} // namespace

Dissection nestedDissection(const Eigen::SparseMatrix<double>& lower,
                            std::span<const vec3> positions) {
  return Dissector(lower, positions).run();
}

} // namespace sinew
