// Solves an island of trees in reduced coordinates: contacts, limits, motors and drags by projected
// Gauss-Seidel, as Bullet's own solver does, which computes each row of a constraint over all
// coordinates of a tree. Here the rows between two bodies, or of a joint, are a block: they share
// the way to the root, are solved by the velocity of the one relative to the other (six numbers,
// or a joint's one or three, of four), and meet the tree once per block, along that way
// (reduced_tree.h).
#pragma once

#include "core/workers.h"
#include "physics/lane_pairs.h"
#include "physics/reduced_joint.h"
#include "physics/reduced_tree.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

// Rows that measure velocities of D numbers, in the order in which they are solved.
template <std::size_t D>
struct RowBlock {
  using Vector = std::array<double, D>;
  struct Row {
    Vector along{};
    double wanted = 0.0; // change of the velocity along the row
    double low = 0.0;    // bounds of the impulse: low to high
    double high = 0.0;
    double impulse = 0.0;
    double gain = 0.0; // velocity along the row by a unit impulse
    double inverse = 0.0;
    double* stored = nullptr; // where the impulse is kept for the next step
  };

  std::vector<int> coordinates; // those of all trees that the rows depend on
  std::vector<Vector> y;        // one element per coordinate (reduced_tree.h)
  std::vector<Row> rows;
  // By how much a unit impulse of each row lessens what the later ones lack: `across` numbers of
  // each.
  std::vector<double> crossTerms;
  std::size_t across = 0; // the rows, and one more where they are odd
  double changed = 0.0;   // by the last pass over it: the largest squared velocity along a row
  int skipped = 0;        // iterations that leave it out

  void clear() {
    skipped = 0;
    changed = 0.0;
    coordinates.clear();
    y.clear();
    rows.clear();
  }
};

struct SolvedPoint {
  btManifoldPoint* point = nullptr;
  double friction = 0.0;
  double bounced = 0.0; // the normal's wanted change where it bounces, else 0
};

// The contacts of two bodies: the rows of their normals, three that resist spinning and rolling, of
// all contacts together, then two of friction for each. Or the rows of a drag alone.
struct ContactBlock : RowBlock<6> {
  std::vector<SolvedPoint> points;
  std::array<double, 3> twisting{}; // torque by a unit of normal force: spinning, rolling twice
};

// What is solved together, as nothing else touches it.
struct SolvedIsland {
  std::vector<btCollisionObject*> bodies;
  std::vector<btPersistentManifold*> manifolds;
};

class IslandSolver {
 public:
  void solve(const SolvedIsland& island, const btContactSolverInfo& info);

 private:
  // Elements that keep their memory while there are fewer of them.
  template <class T>
  struct Pool {
    std::vector<T> all;
    std::size_t used = 0;

    T& next() {
      if (used == all.size()) all.emplace_back();
      return all[used++];
    }
    std::span<T> span() { return {all.data(), used}; }
  };
  struct Side {    // one body of a contact
    int tree = -1; // fixed
    int link = -1;
    Motion motion{};
  };

  void gatherTrees(std::span<btCollisionObject* const> bodies, double seconds);
  double fallSpeed(const Side& a, const Side& b, const btVector3& normal, double seconds) const;
  Side makeSide(const btCollisionObject& object) const;
  template <std::size_t D>
  void addPath(RowBlock<D>& block, int tree, std::span<const int> path,
               const std::vector<std::array<double, D>>& y, double sign);
  void addBody(ContactBlock& block, const Side& side, double sign);
  void addContacts(btPersistentManifold& manifold, const btContactSolverInfo& info);
  void addDrag(int tree, const ReducedDrag& drag, const btContactSolverInfo& info);
  template <std::size_t D>
  void addJoint(RowBlock<D>& block, int tree, ReducedJoint& joint, const btContactSolverInfo& info);
  void addJoints(int tree, const btContactSolverInfo& info);
  template <std::size_t D>
  void finish(RowBlock<D>& block, double warm);
  template <std::size_t D>
  double solve(RowBlock<D>& block);
  double solve(ContactBlock& block);
  double iterate(bool backwards, bool all);
  void bounce();
  void store();

  btVector3 origin_{0.0, 0.0, 0.0};
  btVector3 gravity_{0.0, 0.0, 0.0};
  Pool<ReducedTree> trees_;
  std::vector<ReducedForces*> forces_; // per tree; may be null
  std::vector<int> first_;             // per tree: its first coordinate
  std::vector<double> z_;              // z of all trees
  Pool<RowBlock<1>> hinges_;
  Pool<RowBlock<4>> balls_;
  Pool<ContactBlock> contacts_;
  std::vector<JointRow> jointRows_; // scratch memory, as what follows
  std::vector<std::array<double, 1>> y1_;
  std::vector<std::array<double, 4>> y4_;
  std::vector<Motion> y6_;
};

// Gathers the islands of a step and solves them by threads: no result depends on their number.
class ReducedSolver final : public btMultiBodyConstraintSolver {
 public:
  explicit ReducedSolver(std::size_t threads) : workers_(threads), solvers_(workers_.threads()) {}

  void solveMultiBodyGroup(btCollisionObject** bodies, int bodyCount,
                           btPersistentManifold** manifolds, int manifoldCount,
                           btTypedConstraint** constraints, int constraintCount,
                           btMultiBodyConstraint** multiBodyConstraints,
                           int multiBodyConstraintCount, const btContactSolverInfo& info,
                           btIDebugDraw* draw, btDispatcher* dispatcher) override;
  void allSolved(const btContactSolverInfo& info, btIDebugDraw* draw) override;

 private:
  Workers workers_;
  std::vector<IslandSolver> solvers_; // one per thread
  std::vector<SolvedIsland> islands_; // they keep their memory
  std::size_t used_ = 0;
};

} // namespace sinew
