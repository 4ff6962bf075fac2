#include "weights/multifrontal.h"

#include "core/lists.h"
#include "core/parallel.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Dense = Eigen::MatrixXd;

constexpr Eigen::Index kPanel = 96;   // columns of a front that are updated together
constexpr std::size_t kTasks = 16;    // a subtree of at most this part of the work is one task
constexpr double kReports = 200.0;    // reports of progress, at most
constexpr double kWorthThreads = 2e7; // multiplications of an update

// The matrix in the order of elimination: per column the rows at or after it.
struct OrderedColumns {
  Lists<std::uint32_t> rows;
  Lists<double> values;
};

OrderedColumns ordered(const Matrix& lower, std::span<const std::uint32_t> positionByColumn) {
  const auto walk = [&](const auto& visit) {
    for (Eigen::Index column = 0; column < lower.outerSize(); ++column)
      for (Matrix::InnerIterator entry(lower, column); entry; ++entry) {
        const auto [first, last] =
            std::minmax(positionByColumn[static_cast<std::size_t>(entry.row())],
                        positionByColumn[static_cast<std::size_t>(entry.col())]);
        visit(first, last, entry.value());
      }
  };
  const std::size_t n = positionByColumn.size();
  return {gatherLists<std::uint32_t>(
              n, [&](const auto& each) { walk([&](auto a, auto b, double) { each(a, b); }); }),
          gatherLists<double>(
              n, [&](const auto& each) { walk([&](auto a, auto, double v) { each(a, v); }); })};
}

// later -= panel panel^T, its lower triangle, some columns at a time.
void subtractSquare(const Eigen::Ref<const Dense>& panel, Dense& later) {
  const Eigen::Index n = later.rows();
  const auto columns = [&](std::size_t first, std::size_t last) {
    const auto from = static_cast<Eigen::Index>(first);
    const auto count = static_cast<Eigen::Index>(last) - from;
    later.block(from, from, n - from, count).noalias() -=
        panel.bottomRows(n - from) * panel.middleRows(from, count).transpose();
  };
  const auto size = static_cast<std::size_t>(n);
  if (static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(panel.cols()) <
      kWorthThreads)
    for (std::size_t first = 0; first < size; first += kPanel)
      columns(first, std::min(first + kPanel, size));
  else
    forEachPieceInParallel(size, kPanel, columns);
}

using Front = MultifrontalCholesky::Front;

// The index of a row in a front.
Eigen::Index placeIn(const Front& front, std::uint32_t row) {
  if (row < front.first + front.count) return row - front.first;
  const auto at = std::ranges::lower_bound(front.later, row);
  return front.count + (at - front.later.begin());
}

// The same of rows of a child. Both ascend.
std::vector<Eigen::Index> placesIn(const Front& front, std::span<const std::uint32_t> rows) {
  std::vector<Eigen::Index> out;
  out.reserve(rows.size());
  std::size_t at = 0;
  for (const std::uint32_t row : rows) {
    if (row < front.first + front.count) {
      out.push_back(row - front.first);
      continue;
    }
    while (front.later[at] != row)
      ++at;
    out.push_back(static_cast<Eigen::Index>(front.count + at));
  }
  return out;
}

// Factors all fronts, children before parents.
class Factorisation {
 public:
  Factorisation(const Dissection& dissection, OrderedColumns columns, std::vector<Front>& fronts)
      : columns_(std::move(columns)), parts_(dissection.parts), fronts_(fronts),
        updates_(parts_.size()),
        children_(gatherLists<std::uint32_t>(parts_.size(), [&](const auto& each) {
          for (std::uint32_t part = 0; part < parts_.size(); ++part)
            if (parts_[part].parent != part) each(parts_[part].parent, part);
        })) {
    findLater();
  }

  // False where a pivot is not positive.
  bool run(ProgressMeter* meter) {
    if (parts_.empty()) return true;
    const std::vector<double> work = workOfSubtrees();
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> tasks = findTasks(work);
    std::atomic<bool> positive = true;
    std::atomic<double> done = 0.0;
    const auto take = [&](std::uint32_t part) {
      if (!positive) return;
      if (!eliminate(part)) positive = false;
      const double share = estimateWork(part) / work.back();
      const double before = done.fetch_add(share);
      const auto step = [](double of) { return std::floor(of * kReports); };
      if (meter != nullptr && step(before) != step(before + share))
        meter->reach(static_cast<float>(before + share));
    };
    forEachInParallel(tasks.size(), [&](std::size_t task) {
      for (std::uint32_t part = tasks[task].first; part <= tasks[task].second; ++part)
        take(part);
    });
    std::size_t task = 0;
    for (std::uint32_t part = 0; part < fronts_.size(); ++part)
      if (task < tasks.size() && part == tasks[task].first)
        part = tasks[task++].second;
      else
        take(part);
    return positive;
  }

 private:
  void findLater() {
    std::vector<std::uint32_t> lastSeen(columns_.rows.count(), ~0u);
    for (std::uint32_t part = 0; part < parts_.size(); ++part) {
      Front& front = fronts_[part];
      front.first = parts_[part].first;
      front.count = parts_[part].count;
      const auto add = [&](std::uint32_t row) {
        if (row < front.first + front.count || lastSeen[row] == part) return;
        lastSeen[row] = part;
        front.later.push_back(row);
      };
      for (std::uint32_t i = front.first; i < front.first + front.count; ++i)
        std::ranges::for_each(columns_.rows.of(i), add);
      for (const std::uint32_t child : children_.of(part))
        std::ranges::for_each(fronts_[child].later, add);
      std::ranges::sort(front.later);
    }
  }

  double estimateWork(std::uint32_t part) const {
    const Front& front = fronts_[part];
    const auto rows = static_cast<double>(front.count + front.later.size());
    return static_cast<double>(front.count) * rows * rows;
  }

  // Per part, of all up to it; of the last one, of all.
  std::vector<double> workOfSubtrees() const {
    std::vector<double> work(parts_.size());
    for (std::uint32_t part = 0; part < work.size(); ++part) {
      work[part] += estimateWork(part);
      if (parts_[part].parent != part) work[parts_[part].parent] += work[part];
    }
    return work;
  }

  // Subtrees of little work, as first and last part, ascending: they do not need one another.
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
  findTasks(const std::vector<double>& work) const {
    const double limit = work.back() / kTasks;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> tasks;
    std::vector<std::uint32_t> begin(work.size());
    for (std::uint32_t part = 0; part < work.size(); ++part) {
      begin[part] = part;
      for (const std::uint32_t child : children_.of(part))
        begin[part] = std::min(begin[part], begin[child]);
      if (work[part] <= limit && work[parts_[part].parent] > limit)
        tasks.emplace_back(begin[part], part);
    }
    return tasks;
  }

  bool eliminate(std::uint32_t part) {
    Front& front = fronts_[part];
    const auto own = static_cast<Eigen::Index>(front.count);
    const auto after = static_cast<Eigen::Index>(front.later.size());
    front.factor = Dense::Zero(own + after, own);
    Dense later = Dense::Zero(after, after);
    for (std::uint32_t i = 0; i < front.count; ++i) {
      const auto rows = columns_.rows.of(front.first + i);
      const auto values = columns_.values.of(front.first + i);
      for (std::size_t k = 0; k < rows.size(); ++k)
        front.factor(placeIn(front, rows[k]), i) += values[k];
    }
    for (const std::uint32_t child : children_.of(part))
      addUpdate(front, fronts_[child].later, std::exchange(updates_[child], {}), later);
    auto top = front.factor.topRows(own);
    if (Eigen::LLT<Eigen::Ref<Dense>>(top).info() != Eigen::Success) return false;
    if (after == 0) return true;
    auto panel = front.factor.bottomRows(after);
    top.template triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(panel);
    subtractSquare(panel, later);
    updates_[part] = std::move(later);
    return true;
  }

  static void addUpdate(Front& front, std::span<const std::uint32_t> rows, const Dense& update,
                        Dense& later) {
    const auto own = static_cast<Eigen::Index>(front.count);
    const std::vector<Eigen::Index> positions = placesIn(front, rows);
    for (Eigen::Index j = 0; j < update.cols(); ++j) {
      const Eigen::Index column = positions[static_cast<std::size_t>(j)];
      for (Eigen::Index i = j; i < update.rows(); ++i) {
        const Eigen::Index row = positions[static_cast<std::size_t>(i)];
        if (column < own)
          front.factor(row, column) += update(i, j);
        else
          later(row - own, column - own) += update(i, j);
      }
    }
  }

  OrderedColumns columns_;
  const std::vector<DissectionPart>& parts_;
  std::vector<Front>& fronts_;
  std::vector<Dense> updates_; // what a part leaves for its later vertices; lower triangle
  Lists<std::uint32_t> children_;
};

} // namespace

MultifrontalCholesky::MultifrontalCholesky(const Matrix& lower, std::span<const vec3> positions,
                                           ProgressMeter* meter)
    : place_(positions.size()) {
  const Dissection dissection = nestedDissection(lower, positions);
  for (std::uint32_t i = 0; i < place_.size(); ++i)
    place_[dissection.order[i]] = i;
  fronts_.resize(dissection.parts.size());
  succeeded_ = Factorisation(dissection, ordered(lower, place_), fronts_).run(meter);
}

std::size_t MultifrontalCholesky::entries() const {
  std::size_t sum = 0;
  for (const Front& front : fronts_)
    sum += front.count * (front.later.size() + (front.count + 1) / 2);
  return sum;
}

void MultifrontalCholesky::solve(Eigen::Ref<Dense> sides) const {
  // Row-major, so that a vertex' values of all sides lie side by side.
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows x(sides.rows(), sides.cols());
  for (std::size_t v = 0; v < place_.size(); ++v)
    x.row(place_[v]) = sides.row(static_cast<Eigen::Index>(v));
  Rows there;
  for (const Front& front : fronts_) {
    auto own = x.middleRows(front.first, front.count);
    front.factor.topRows(front.count).template triangularView<Eigen::Lower>().solveInPlace(own);
    there.noalias() = front.factor.bottomRows(front.factor.rows() - front.count) * own;
    for (std::size_t i = 0; i < front.later.size(); ++i)
      x.row(front.later[i]) -= there.row(static_cast<Eigen::Index>(i));
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    auto own = x.middleRows(front->first, front->count);
    there.resize(static_cast<Eigen::Index>(front->later.size()), x.cols());
    for (std::size_t i = 0; i < front->later.size(); ++i)
      there.row(static_cast<Eigen::Index>(i)) = x.row(front->later[i]);
    own.noalias() -=
        front->factor.bottomRows(front->factor.rows() - front->count).transpose() * there;
    front->factor.topRows(front->count)
        .template triangularView<Eigen::Lower>()
        .transpose()
        .solveInPlace(own);
  }
  for (std::size_t v = 0; v < place_.size(); ++v)
    sides.row(static_cast<Eigen::Index>(v)) = x.row(place_[v]);
}

} // namespace sinew
