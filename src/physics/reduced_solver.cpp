#include "physics/reduced_solver.h"

#include "physics/restitution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::max();
constexpr int kBounceRounds = 10;
// A block of which a pass changes no velocity by 0.3 mm/s is left out of so many iterations.
constexpr double kQuiet = 1e-7; // squared metres a second
constexpr int kSkipped = 2;
constexpr double kLeastGiven = 1e-12; // what a unit impulse has to change, or the row is none
constexpr std::size_t kMaxRows = 3 * MANIFOLD_CACHE_SIZE + 4; // an even number

template <std::size_t D>
void giveImpulse(const RowBlock<D>& block, const std::array<double, D>& impulse,
                 std::vector<double>& z) {
  for (std::size_t e = 0; e < block.coordinates.size(); ++e)
    z[static_cast<std::size_t>(block.coordinates[e])] += dot(block.y[e], impulse);
}

// A block's pass in an iteration. The rows follow one another by what each lacks of its impulse,
// not by the velocity: what stands between one and the next is a product and a sum.
template <std::size_t D>
class BlockPass {
 public:
  BlockPass(RowBlock<D>& block, const std::vector<double>& z) : block_(block) {
    std::array<double, D> velocity{};
    for (std::size_t e = 0; e < block.coordinates.size(); ++e)
      add(velocity, z[static_cast<std::size_t>(block.coordinates[e])], block.y[e]);
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      const auto& row = block.rows[i];
      lacks_[i] = (row.wanted - dot(row.along, velocity)) * row.inverse;
    }
    lacks_[block.rows.size()] = 0.0; // what makes them even
  }

  double wanted(std::size_t i) const { return block_.rows[i].impulse + lacks_[i]; }

  void set(std::size_t i, double impulse) {
    auto& row = block_.rows[i];
    const double by = impulse - row.impulse;
    if (by == 0.0) return;
    row.impulse = impulse;
    moved_ = true;
    const double change = by * row.gain;
    changed_ = std::max(changed_, change * change);
    const double* crossTerms = &block_.crossTerms[i * block_.across];
    for (std::size_t j = i / 2 * 2; j < block_.across; j += 2)
      storePair(&lacks_[j], loadPair(&lacks_[j]) - by * loadPair(crossTerms + j));
    add(sum_, by, row.along);
  }

  void solve(std::size_t i) {
    const auto& row = block_.rows[i];
    const double before = row.impulse;
    set(i, std::clamp(wanted(i), row.low, row.high));
    const double moved = (row.impulse - before) * row.gain;
    largest_ = std::max(largest_, moved * moved);
  }

  // The largest squared change of the velocity along a row that was solved.
  double end(std::vector<double>& z) const {
    if (moved_) giveImpulse(block_, sum_, z);
    block_.changed = changed_;
    return largest_;
  }

 private:
  RowBlock<D>& block_;
  std::array<double, kMaxRows> lacks_;
  std::array<double, D> sum_{}; // sum of the impulses
  double largest_ = 0.0;
  double changed_ = 0.0; // with the rows of friction
  bool moved_ = false;
};

// The first of a tree, or the end.
auto firstLink(std::span<btCollisionObject* const> bodies) {
  return std::find_if(bodies.begin(), bodies.end(), [](btCollisionObject* object) {
    return btMultiBodyLinkCollider::upcast(object) != nullptr;
  });
}

} // namespace

void IslandSolver::gatherTrees(std::span<btCollisionObject* const> bodies, double seconds) {
  trees_.used = hinges_.used = balls_.used = contacts_.used = 0;
  forces_.clear();
  first_.clear();
  for (btCollisionObject* object : bodies) {
    if (auto* link = btMultiBodyLinkCollider::upcast(object)) link->m_multiBody->setCompanionId(-1);
    object->setCompanionId(-1);
  }
  origin_ = (*firstLink(bodies))->getWorldTransform().getOrigin();
  int coordinates = 0;
  for (btCollisionObject* object : bodies) {
    auto* link = btMultiBodyLinkCollider::upcast(object);
    btRigidBody* rigid = btRigidBody::upcast(object);
    if (link != nullptr ? link->m_multiBody->getCompanionId() >= 0
                        : rigid == nullptr || rigid->isStaticOrKinematicObject())
      continue;
    const auto number = static_cast<int>(trees_.used);
    ReducedTree& tree = trees_.next();
    if (link != nullptr) {
      link->m_multiBody->setCompanionId(number);
      tree.take(*link->m_multiBody, origin_);
      forces_.push_back(static_cast<ReducedForces*>(link->m_multiBody->getUserPointer()));
      for (const btRigidBody* each : forces_.back()->bodies)
        if (each != nullptr) gravity_ = each->getGravity();
      tree.carry(forces_.back()->bodies, seconds);
    } else {
      rigid->setCompanionId(number);
      tree.take(*rigid, origin_, seconds);
      forces_.push_back(nullptr);
    }
    first_.push_back(coordinates);
    coordinates += tree.size();
  }
  z_.assign(static_cast<std::size_t>(coordinates), 0.0);
}

IslandSolver::Side IslandSolver::makeSide(const btCollisionObject& object) const {
  Side side;
  if (const auto* link = btMultiBodyLinkCollider::upcast(&object)) {
    side.tree = link->m_multiBody->getCompanionId();
    side.link = link->m_link;
  } else if (const btRigidBody* rigid = btRigidBody::upcast(&object)) {
    if (!rigid->isStaticOrKinematicObject()) side.tree = rigid->getCompanionId();
    const btVector3& spin = rigid->getAngularVelocity();
    const btVector3 velocity = rigid->getVelocityInLocalPoint(
        origin_ - rigid->getCenterOfMassPosition()); // where the origin would be on it
    side.motion = {spin.x(), spin.y(), spin.z(), velocity.x(), velocity.y(), velocity.z()};
  }
  if (side.tree >= 0)
    side.motion = trees_.all[static_cast<std::size_t>(side.tree)].computeMotion(side.link);
  return side;
}

// Coordinates that two sides of a block share are joined.
template <std::size_t D>
void IslandSolver::addPath(RowBlock<D>& block, int tree, std::span<const int> path,
                           const std::vector<std::array<double, D>>& y, double sign) {
  const std::size_t others = block.coordinates.size();
  for (std::size_t p = 0; p < path.size(); ++p) {
    const int coordinate = first_[static_cast<std::size_t>(tree)] + path[p];
    const auto end = block.coordinates.begin() + static_cast<std::ptrdiff_t>(others);
    const auto found = std::find(block.coordinates.begin(), end, coordinate);
    const auto at = static_cast<std::size_t>(found - block.coordinates.begin());
    if (found == end) {
      block.coordinates.push_back(coordinate);
      block.y.push_back({});
      add(block.y.back(), sign, y[p]);
    } else {
      add(block.y[at], sign, y[p]);
    }
  }
}

void IslandSolver::addBody(ContactBlock& block, const Side& side, double sign) {
  if (side.tree < 0) return;
  const ReducedTree& tree = trees_.all[static_cast<std::size_t>(side.tree)];
  const std::span<const int> path = tree.path(side.link);
  y6_.clear();
  for (const int coordinate : path)
    y6_.push_back(tree.axis(coordinate));
  tree.divide(path, y6_.data());
  addPath(block, side.tree, path, y6_, sign);
}

// What the rows give, and the impulses that they begin with.
template <std::size_t D>
void IslandSolver::finish(RowBlock<D>& block, double warm) {
  std::array<std::array<double, D>, D> gives{};
  for (const auto& y : block.y)
    for (std::size_t i = 0; i < D; ++i)
      add(gives[i], y[i], y);
  const std::size_t count = block.rows.size();
  std::array<std::array<double, D>, kMaxRows> ofRow{};
  std::array<double, D> begun{};
  for (std::size_t r = 0; r < count; ++r) {
    auto& row = block.rows[r];
    for (std::size_t i = 0; i < D; ++i)
      add(ofRow[r], row.along[i], gives[i]);
    row.gain = dot(row.along, ofRow[r]);
    row.inverse = row.gain > kLeastGiven ? 1.0 / row.gain : 0.0;
    row.impulse = row.stored == nullptr ? 0.0 : std::clamp(warm * *row.stored, row.low, row.high);
    add(begun, row.impulse, row.along);
  }
  block.across = count + count % 2;
  block.crossTerms.assign(count * block.across, 0.0);
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t later = r + 1; later < count; ++later)
      block.crossTerms[r * block.across + later] =
          dot(block.rows[later].along, ofRow[r]) * block.rows[later].inverse;
  giveImpulse(block, begun, z_);
}

// What gravity adds in a step to the speed at which two sides approach: nothing where both fall.
double IslandSolver::fallSpeed(const Side& a, const Side& b, const btVector3& normal,
                               double seconds) const {
  const double ofA = a.tree >= 0 ? -gravity_.dot(normal) : 0.0;
  const double ofB = b.tree >= 0 ? gravity_.dot(normal) : 0.0;
  return seconds * (ofA + ofB);
}

void IslandSolver::addContacts(btPersistentManifold& manifold, const btContactSolverInfo& info) {
  if (manifold.getNumContacts() == 0) return;
  const Side a = makeSide(*manifold.getBody0());
  const Side b = makeSide(*manifold.getBody1());
  if (a.tree < 0 && b.tree < 0) return;
  ContactBlock& block = contacts_.next();
  block.clear();
  block.points.clear();
  addBody(block, a, 1.0);
  addBody(block, b, -1.0);
  Motion motion = a.motion;
  add(motion, -1.0, b.motion);
  const auto addRow = [&](const Motion& along, double low, double high, double* stored) {
    RowBlock<6>::Row row;
    row.along = along;
    row.wanted = -dot(along, motion);
    row.low = low;
    row.high = high;
    row.stored = stored;
    block.rows.push_back(row);
  };
  struct Frame {
    btVector3 at;
    std::array<btVector3, 3> axes; // the normal first
  };
  std::array<Frame, MANIFOLD_CACHE_SIZE> frames;
  const std::span<Frame> used(frames.data(), static_cast<std::size_t>(manifold.getNumContacts()));
  for (std::size_t i = 0; i < used.size(); ++i) {
    btManifoldPoint& point = manifold.getContactPoint(static_cast<int>(i));
    auto& [at, axes] = used[i];
    at = 0.5 * (point.getPositionWorldOnA() + point.getPositionWorldOnB()) - origin_;
    axes[0] = point.m_normalWorldOnB;
    btPlaneSpace1(axes[0], axes[1], axes[2]);
    addRow(forceAt(at, axes[0]), 0.0, kUnbounded, &point.m_appliedImpulse);
    double& wanted = block.rows.back().wanted;
    const double approach = wanted;
    // With the speed before the step: what a step of gravity adds would come back as energy.
    const double came = std::max(approach - fallSpeed(a, b, axes[0], info.m_timeStep), 0.0);
    const double bounced = approach > kBounceSpeed ? point.m_combinedRestitution * came : 0.0;
    const double fraction = point.getDistance() > 0.0 ? 1.0 : info.m_erp2;
    wanted -= fraction * point.getDistance() / info.m_timeStep;
    block.points.push_back(
        {&point, point.m_combinedFriction, bounced > 0.0 ? approach + bounced : 0.0});
    block.twisting = {point.m_combinedSpinningFriction, point.m_combinedRollingFriction,
                      point.m_combinedRollingFriction};
  }
  for (const btVector3& axis : used.back().axes)
    addRow(torqueAbout(axis), 0.0, 0.0, nullptr);
  for (std::size_t i = 0; i < used.size(); ++i) {
    btManifoldPoint& point = *block.points[i].point;
    const auto& [at, axes] = used[i];
    addRow(forceAt(at, axes[1]), -kUnbounded, kUnbounded, &point.m_appliedImpulseLateral1);
    addRow(forceAt(at, axes[2]), -kUnbounded, kUnbounded, &point.m_appliedImpulseLateral2);
  }
  finish(block, info.m_articulatedWarmstartingFactor);
}

void IslandSolver::addDrag(int tree, const ReducedDrag& drag, const btContactSolverInfo& info) {
  ContactBlock& block = contacts_.next();
  block.clear();
  block.points.clear();
  ReducedTree& of = trees_.all[static_cast<std::size_t>(tree)];
  const Side side{tree, drag.link, of.computeMotion(drag.link)};
  addBody(block, side, 1.0);
  const btVector3 at = of.computePoint(drag.link, drag.point);
  for (int i = 0; i < 3; ++i) {
    btVector3 axis(0.0, 0.0, 0.0);
    axis[i] = 1.0;
    RowBlock<6>::Row row;
    row.along = forceAt(at - origin_, axis);
    row.wanted =
        info.m_erp * (drag.target[i] - at[i]) / info.m_timeStep - dot(row.along, side.motion);
    row.low = -drag.largest;
    row.high = drag.largest;
    block.rows.push_back(row);
  }
  finish(block, 0.0);
}

template <std::size_t D>
void IslandSolver::addJoint(RowBlock<D>& block, int tree, ReducedJoint& joint,
                            const btContactSolverInfo& info) {
  constexpr std::size_t kSpins = std::min<std::size_t>(D, 3);
  block.clear();
  const ReducedTree& of = trees_.all[static_cast<std::size_t>(tree)];
  const std::span<const int> path = of.path(joint.link());
  std::vector<std::array<double, D>>& y = [&]() -> auto& {
    if constexpr (D == 1)
      return y1_;
    else
      return y4_;
  }
  ();
  y.assign(path.size(), {});
  std::array<double, D> spin{};
  for (std::size_t i = 0; i < kSpins; ++i) { // a path begins with the last coordinate of a joint
    y[kSpins - 1 - i][i] = 1.0;
    spin[i] = of.velocity(path[kSpins - 1 - i]);
  }
  of.divide(path, y.data());
  addPath(block, tree, path, y, 1.0);
  jointRows_.clear();
  std::array<double, 3> spins{};
  std::copy_n(spin.begin(), kSpins, spins.begin());
  joint.addRows(info.m_timeStep, spins, jointRows_);
  for (const JointRow& each : jointRows_) {
    typename RowBlock<D>::Row row;
    std::copy_n(each.along.begin(), kSpins, row.along.begin());
    row.wanted = each.speed - dot(row.along, spin);
    row.low = each.low;
    row.high = each.high;
    row.stored = each.impulse;
    block.rows.push_back(row);
  }
  finish(block, info.m_articulatedWarmstartingFactor);
}

void IslandSolver::addJoints(int tree, const btContactSolverInfo& info) {
  const ReducedForces* forces = forces_[static_cast<std::size_t>(tree)];
  if (forces == nullptr) return;
  for (const auto& joint : forces->joints)
    if (joint->isHinge())
      addJoint(hinges_.next(), tree, *joint, info);
    else
      addJoint(balls_.next(), tree, *joint, info);
  if (forces->drag) addDrag(tree, *forces->drag, info);
}

template <std::size_t D>
double IslandSolver::solve(RowBlock<D>& block) {
  if (block.rows.empty()) return 0.0;
  BlockPass<D> pass(block, z_);
  for (std::size_t i = 0; i < block.rows.size(); ++i)
    pass.solve(i);
  return pass.end(z_);
}

// The normals first; friction stays within its cone.
double IslandSolver::solve(ContactBlock& block) {
  if (block.points.empty()) return solve<6>(block);
  BlockPass<6> pass(block, z_);
  std::vector<RowBlock<6>::Row>& rows = block.rows;
  const std::size_t count = block.points.size();
  double pressed = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    pass.solve(i);
    pressed += rows[i].impulse;
  }
  for (std::size_t i = 0; i < block.twisting.size(); ++i) {
    RowBlock<6>::Row& row = rows[count + i];
    row.high = block.twisting[i] * pressed;
    row.low = -row.high;
    if (row.high > 0.0 || row.impulse != 0.0) pass.solve(count + i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t u = count + block.twisting.size() + 2 * i, v = u + 1;
    const double bound = block.points[i].friction * rows[i].impulse;
    if (bound == 0.0 && rows[u].impulse == 0.0 && rows[v].impulse == 0.0) continue;
    const double alongU = pass.wanted(u), alongV = pass.wanted(v);
    const double both = std::sqrt(alongU * alongU + alongV * alongV);
    const double within = both > bound ? bound / both : 1.0;
    pass.set(u, within * alongU);
    pass.set(v, within * alongV);
  }
  return pass.end(z_);
}

// The joints one way and the other in succession. What has settled meanwhile is left out, unless
// all of it is asked for.
double IslandSolver::iterate(bool backwards, bool all) {
  double largest = 0.0;
  const auto visit = [&](auto& block) {
    if (block.skipped > 0 && !all) {
      --block.skipped;
      return;
    }
    largest = std::max(largest, solve(block));
    block.skipped = block.changed < kQuiet ? kSkipped : 0;
  };
  const auto each = [&](auto blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
      visit(blocks[backwards ? blocks.size() - 1 - i : i]);
  };
  each(balls_.span());
  each(hinges_.span());
  for (ContactBlock& block : contacts_.span())
    visit(block);
  return largest;
}

// Newton's law of restitution, as for rigid bodies (restitution.h): what bore load separates with
// a fraction of the speed with which it came. Only pushes.
void IslandSolver::bounce() {
  for (int round = 0; round < kBounceRounds; ++round)
    for (ContactBlock& block : contacts_.span())
      for (std::size_t i = 0; i < block.points.size(); ++i) {
        RowBlock<6>::Row& row = block.rows[i];
        if (!(block.points[i].bounced > 0.0) || !(row.impulse > 0.0)) continue;
        row.wanted = block.points[i].bounced;
        BlockPass<6> pass(block, z_);
        pass.set(i, std::max(row.impulse, pass.wanted(i)));
        pass.end(z_);
      }
}

void IslandSolver::store() {
  const auto storeRows = [](auto blocks) {
    for (auto& block : blocks)
      for (auto& row : block.rows)
        if (row.stored != nullptr) *row.stored = row.impulse;
  };
  storeRows(balls_.span());
  storeRows(hinges_.span());
  storeRows(contacts_.span());
  const std::span<double> z(z_);
  for (std::size_t i = 0; i < trees_.used; ++i) {
    ReducedTree& tree = trees_.all[i];
    const auto own =
        z.subspan(static_cast<std::size_t>(first_[i]), static_cast<std::size_t>(tree.size()));
    if (forces_[i] != nullptr)
      tree.writeBack(own, forces_[i]->bodies);
    else
      tree.writeBack(own);
  }
}

void IslandSolver::solve(const SolvedIsland& island, const btContactSolverInfo& info) {
  gatherTrees(island.bodies, info.m_timeStep);
  for (std::size_t tree = 0; tree < trees_.used; ++tree)
    addJoints(static_cast<int>(tree), info);
  for (btPersistentManifold* manifold : island.manifolds)
    addContacts(*manifold, info);
  bool all = true;
  for (int i = 0; i < info.m_numIterations; ++i) {
    all = all || i + 1 == info.m_numIterations;
    const bool settled = iterate(i % 2 == 1, all) <= info.m_leastSquaresResidualThreshold;
    if (settled && all) break;
    all = settled; // the next sees whether what was left out has settled too
  }
  bounce();
  store();
}

void ReducedSolver::solveMultiBodyGroup(btCollisionObject** bodies, int bodyCount,
                                        btPersistentManifold** manifolds, int manifoldCount,
                                        btTypedConstraint** constraints, int constraintCount,
                                        btMultiBodyConstraint** multiBodyConstraints,
                                        int multiBodyConstraintCount,
                                        const btContactSolverInfo& info, btIDebugDraw* draw,
                                        btDispatcher* dispatcher) {
  const std::span<btCollisionObject* const> all(bodies, static_cast<std::size_t>(bodyCount));
  if (firstLink(all) == all.end()) {
    btMultiBodyConstraintSolver::solveMultiBodyGroup(
        bodies, bodyCount, manifolds, manifoldCount, constraints, constraintCount,
        multiBodyConstraints, multiBodyConstraintCount, info, draw, dispatcher);
    return;
  }
  if (used_ == islands_.size()) islands_.emplace_back();
  SolvedIsland& island = islands_[used_++];
  island.bodies.assign(all.begin(), all.end());
  island.manifolds.assign(manifolds, manifolds + manifoldCount);
}

void ReducedSolver::allSolved(const btContactSolverInfo& info, btIDebugDraw* draw) {
  workers_.forEach(
      used_, [&](std::size_t i, std::size_t thread) { solvers_[thread].solve(islands_[i], info); });
  used_ = 0;
  btMultiBodyConstraintSolver::allSolved(info, draw);
}

} // namespace sinew
