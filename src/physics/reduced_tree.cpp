#include "physics/reduced_tree.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Motion motion(const btVector3& spin, const btVector3& velocity) {
  return {spin.x(), spin.y(), spin.z(), velocity.x(), velocity.y(), velocity.z()};
}

btVector3 unitAlong(int axis) {
  btVector3 out(0.0, 0.0, 0.0);
  out[axis] = 1.0;
  return out;
}

// The motion of what rotates about an axis through a point.
Motion rotationAbout(const btVector3& point, const btVector3& axis) {
  return motion(axis, point.cross(axis));
}

} // namespace

Motion forceAt(const btVector3& point, const btVector3& direction) {
  return motion(point.cross(direction), direction);
}

Motion torqueAbout(const btVector3& direction) {
  return motion(direction, btVector3(0.0, 0.0, 0.0));
}

void ReducedTree::begin(int bodies, bool hangs) {
  tree_ = nullptr;
  rigid_ = nullptr;
  size_ = 0;
  root_ = {};
  axes_.clear();
  velocities_.clear();
  bodies_.clear();
  paths_.clear();
  ranges_.clear();
  rows_.clear();
  entries_ = 0;
  parents_.assign(index(bodies), -1);
  bodyPaths_.assign(index(bodies), Range{});
  composites_.resize(index(bodies));
  if (hangs) composites_[0] = {};
}

void ReducedTree::add(const Motion& axis, std::size_t body, double velocity) {
  axes_.push_back(axis);
  bodies_.push_back(body);
  velocities_.push_back(velocity);
  ++size_;
}

// The body's own coordinates are the last `count`.
void ReducedTree::addPath(std::size_t body, int parent, int count) {
  const std::size_t first = paths_.size();
  for (int i = 1; i <= count; ++i)
    paths_.push_back(size_ - i);
  parents_[body] = parent;
  const Range rest = parent < 0 ? Range{} : bodyPaths_[index(parent)];
  for (std::size_t i = 0; i < rest.count; ++i)
    paths_.push_back(paths_[rest.first + i]);
  const Range all{first, paths_.size() - first};
  bodyPaths_[body] = all;
  for (std::size_t before = index(count); before-- > 0;) {
    ranges_.push_back({all.first + before, all.count - before});
    rows_.push_back(entries_);
    entries_ += ranges_.back().count;
  }
}

void ReducedTree::addBody(std::size_t body, double mass, const btVector3& inertia,
                          const btMatrix3x3& rotation, const btVector3& point) {
  Composite& of = composites_[body];
  of.mass = mass;
  of.first = mass * point;
  of.second = rotation.scaled(inertia) * rotation.transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      of.second[i][j] += mass * ((i == j ? point.dot(point) : 0.0) - point[i] * point[j]);
}

void ReducedTree::addRoot(const btVector3& point) {
  for (int i = 0; i < 3; ++i)
    axes_[index(i)] = rotationAbout(point, unitAlong(i));
  for (int i = 0; i < 3; ++i)
    axes_[index(3 + i)] = motion(btVector3(0.0, 0.0, 0.0), unitAlong(i));
}

void ReducedTree::take(btMultiBody& tree, const btVector3& origin) {
  const bool hangs = tree.hasFixedBase();
  begin(tree.getNumLinks() + 1, hangs);
  tree_ = &tree;
  origin_ = origin;
  const btTransform root = tree.getBaseWorldTransform();
  const btVector3 at = root.getOrigin() - origin;
  const double* velocity = tree.getVelocityVector();
  if (hangs) {
    root_ = motion(tree.getBaseOmega(), tree.getBaseVel() + at.cross(tree.getBaseOmega()));
  } else {
    for (int i = 0; i < 6; ++i)
      add({}, 0, velocity[i]);
    addRoot(at);
    addPath(0, -1, 6);
    addBody(0, tree.getBaseMass(), tree.getBaseInertia(), root.getBasis(), at);
  }
  for (int i = 0; i < tree.getNumLinks(); ++i) {
    const btMultibodyLink& link = tree.getLink(i);
    const btTransform& transform = link.m_collider->getWorldTransform();
    const btVector3 point = transform.getOrigin() - origin;
    const btVector3 pivot = point - transform.getBasis() * link.m_dVector;
    const std::size_t body = index(i + 1);
    for (int k = 0; k < link.m_dofCount; ++k)
      add(rotationAbout(pivot, transform.getBasis() * link.getAxisTop(k)), body,
          velocity[6 + link.m_dofOffset + k]);
    addPath(body, link.m_parent + 1, link.m_dofCount);
    addBody(body, link.m_mass, link.m_inertiaLocal, transform.getBasis(), point);
  }
  found_ = velocities_;
  factorize();
}

void ReducedTree::take(btRigidBody& body, const btVector3& origin, double seconds) {
  begin(1, false);
  rigid_ = &body;
  const btVector3 spin = body.getAngularVelocity() +
                         seconds * (body.getInvInertiaTensorWorld() * body.getTotalTorque());
  const btVector3 velocity =
      body.getLinearVelocity() + seconds * body.getInvMass() * body.getTotalForce();
  for (int i = 0; i < 3; ++i)
    add({}, 0, spin[i]);
  for (int i = 0; i < 3; ++i)
    add({}, 0, velocity[i]);
  const btVector3 at = body.getCenterOfMassPosition() - origin;
  const btVector3& inverse = body.getInvInertiaDiagLocal();
  addRoot(at);
  addPath(0, -1, 6);
  addBody(0, 1.0 / body.getInvMass(),
          btVector3(1.0 / inverse.x(), 1.0 / inverse.y(), 1.0 / inverse.z()),
          body.getWorldTransform().getBasis(), at);
  factorize();
}

void ReducedTree::factorize() {
  for (std::size_t body = parents_.size(); body-- > 1;) {
    Composite& parent = composites_[index(parents_[body])];
    parent.mass += composites_[body].mass;
    parent.first += composites_[body].first;
    parent.second += composites_[body].second;
  }
  factor_.resize(entries_);
  inverse_.resize(index(size_));
  for (int k = 0; k < size_; ++k) {
    const Composite& of = composites_[bodies_[index(k)]];
    const Motion& axis = axes_[index(k)];
    const btVector3 spin(axis[0], axis[1], axis[2]), velocity(axis[3], axis[4], axis[5]);
    const Motion momentum = motion(of.second * spin + of.first.cross(velocity),
                                   of.mass * velocity - of.first.cross(spin));
    const std::span<const int> path = getPath(k);
    double* row = getRow(k);
    for (std::size_t q = 0; q < path.size(); ++q)
      row[q] = dot(axes_[index(path[q])], momentum);
  }
  for (int k = size_ - 1; k >= 0; --k) {
    const std::span<const int> path = getPath(k);
    double* row = getRow(k);
    const double inverse = 1.0 / std::sqrt(row[0]);
    inverse_[index(k)] = inverse;
    for (std::size_t q = 1; q < path.size(); ++q)
      row[q] *= inverse;
    for (std::size_t p = 1; p < path.size(); ++p) {
      double* above = getRow(path[p]); // whose path is the rest of this one
      for (std::size_t q = p; q < path.size(); ++q)
        above[q - p] -= row[p] * row[q];
    }
  }
}

Motion ReducedTree::computeMotion(int link) const {
  Motion out = root_;
  for (const int k : path(link))
    sinew::add(out, velocities_[index(k)], axes_[index(k)]);
  return out;
}

const btTransform& ReducedTree::getTransform(int link) const {
  const btMultiBody& tree = *tree_;
  return (link < 0 ? tree.getBaseCollider() : tree.getLinkCollider(link))->getWorldTransform();
}

btVector3 ReducedTree::computePoint(int link, const btVector3& local) const {
  return getTransform(link) * local;
}

void ReducedTree::divideAll(std::span<double> z) const {
  for (int k = 0; k < size_; ++k) {
    const std::span<const int> path = getPath(k);
    const std::span<const double> row = getRow(k);
    for (std::size_t q = 1; q < path.size(); ++q)
      z[index(k)] -= row[q] * z[index(path[q])];
    z[index(k)] *= inverse_[index(k)];
  }
}

void ReducedTree::carry(std::span<btRigidBody* const> bodies, double seconds) {
  momenta_.assign(parents_.size(), Motion{});
  for (std::size_t body = parents_.size(); body-- > 0;) {
    const int link = static_cast<int>(body) - 1;
    if (const btRigidBody* rigid = bodies[body]; rigid != nullptr) {
      const btTransform& transform = getTransform(link);
      const btVector3 force = link < 0 ? tree_->getBaseForce() : tree_->getLinkForce(link);
      const btVector3 torque = link < 0 ? tree_->getBaseTorque() : tree_->getLinkTorque(link);
      const btVector3& inertia =
          link < 0 ? tree_->getBaseInertia() : tree_->getLink(link).m_inertiaLocal;
      const double mass = link < 0 ? tree_->getBaseMass() : tree_->getLink(link).m_mass;
      const btMatrix3x3& rotation = transform.getBasis();
      const btVector3 push = mass * rigid->getLinearVelocity() + seconds * force;
      const btVector3 spin =
          rotation * (inertia * (rotation.transpose() * rigid->getAngularVelocity())) +
          seconds * torque;
      const btVector3 at = transform.getOrigin() - origin_;
      sinew::add(momenta_[body], 1.0, motion(spin + at.cross(push), push));
    }
    if (body > 0) sinew::add(momenta_[index(parents_[body])], 1.0, momenta_[body]);
  }
  const btVector3 spin(root_[0], root_[1], root_[2]), velocity(root_[3], root_[4], root_[5]);
  std::fill(velocities_.begin(), velocities_.end(), 0.0);
  for (int k = size_ - 1; k >= 0; --k) {
    const std::size_t body = bodies_[index(k)];
    const Composite& of = composites_[body];
    const Motion carried = motion(of.second * spin + of.first.cross(velocity),
                                  of.mass * velocity - of.first.cross(spin)); // by the root
    double& own = velocities_[index(k)];
    own += dot(axes_[index(k)], momenta_[body]) - dot(axes_[index(k)], carried);
    own *= inverse_[index(k)]; // L^-T, from the leaves
    const std::span<const int> path = getPath(k);
    for (std::size_t q = 1; q < path.size(); ++q)
      velocities_[index(path[q])] -= getRow(k)[q] * own;
  }
  divideAll(velocities_);
}

void ReducedTree::writeBack(std::span<double> z, std::span<btRigidBody* const> bodies) {
  divideAll(z);
  for (std::size_t k = 0; k < z.size(); ++k)
    velocities_[k] += z[k];
  if (rigid_ != nullptr) {
    rigid_->setAngularVelocity(btVector3(velocities_[0], velocities_[1], velocities_[2]));
    rigid_->setLinearVelocity(btVector3(velocities_[3], velocities_[4], velocities_[5]));
    return;
  }
  // Bullet adds whole vectors of coordinates, those of an animated root too.
  change_.assign(tree_->hasFixedBase() ? 6 : 0, 0.0);
  for (std::size_t k = 0; k < z.size(); ++k)
    change_.push_back(velocities_[k] - found_[k]);
  tree_->applyDeltaVeeMultiDof2(change_.data(), 1.0);
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    if (bodies[body] == nullptr) continue;
    const int link = static_cast<int>(body) - 1;
    const Motion of = computeMotion(link);
    const btVector3 spin(of[0], of[1], of[2]);
    bodies[body]->setAngularVelocity(spin);
    bodies[body]->setLinearVelocity(btVector3(of[3], of[4], of[5]) +
                                    spin.cross(getTransform(link).getOrigin() - origin_));
  }
}

} // namespace sinew
