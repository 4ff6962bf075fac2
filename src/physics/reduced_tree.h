// The inertia of a tree of bodies in the coordinates of a btMultiBody: the root's spin and velocity
// in the world, then each joint's relative spin. A rigid body is a tree of one.
//
// The mass matrix (composite bodies) is factored into M = L^T L, which has no more entries than M
// (Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 6.2 and 6.5): a coordinate's row
// has those of the bodies above it alone. With z = L v, what a row J of a constraint measures is
// y z, and its unit impulse changes z by y, where y = L^-T J^T: as short as the path to the root.
#pragma once

#include "physics/bullet.h"
#include "physics/lane_pairs.h"

#include <array>
#include <span>
#include <vector>

namespace sinew {

// Spin, then the velocity of the point that is at the origin of what is solved together.
using Motion = std::array<double, 6>;

// What a force along `direction` at a point acts on, and a torque about it.
Motion forceAt(const btVector3& point, const btVector3& direction);
Motion torqueAbout(const btVector3& direction);

class ReducedTree {
 public:
  // Takes the current pose and velocities. From here on, points are relative to `origin`. A rigid
  // body's velocity includes the forces of the step.
  void take(btMultiBody& tree, const btVector3& origin);
  void take(btRigidBody& body, const btVector3& origin, double seconds);

  // The momenta of these bodies (the root's, null if it is animated, then each link's) and the
  // forces of the step as the tree's velocities: the nearest motion, by mass, that the joints
  // allow. Carried so from pose to pose, momentum is nearly kept, and the energy never grows.
  void carry(std::span<btRigidBody* const> bodies, double seconds);

  // The velocities and what z changes, to Bullet; to these bodies too.
  void writeBack(std::span<double> z, std::span<btRigidBody* const> bodies = {});

  int size() const { return size_; } // coordinates; those of an animated root are not among them
  // From a link (-1: the root) to the root, the coordinates of each body in descending order.
  std::span<const int> path(int link) const { return along(bodyPaths_[index(link + 1)]); }
  const Motion& axis(int coordinate) const { return axes_[index(coordinate)]; }
  Motion computeMotion(int link) const;
  btVector3 computePoint(int link, const btVector3& local) const; // in the world; for a btMultiBody
  double velocity(int coordinate) const { return velocities_[index(coordinate)]; }

  // y = L^-T b for D rows at once, along a path; b is overwritten.
  template <std::size_t D>
  void divide(std::span<const int> path, std::array<double, D>* b) const {
    for (std::size_t p = 0; p < path.size(); ++p) {
      const std::span<const double> row = getRow(path[p]);
      for (double& each : b[p])
        each *= inverse_[index(path[p])];
      for (std::size_t q = 1; q < row.size(); ++q)
        sinew::add(b[p + q], -row[q], b[p]);
    }
  }

 private:
  // A body with all that hangs on it: mass, first and second moments about the origin.
  struct Composite {
    double mass = 0.0;
    btVector3 first{0.0, 0.0, 0.0};
    btMatrix3x3 second{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  };

  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::span<const int> along(Range range) const {
    return std::span(paths_).subspan(range.first, range.count);
  }
  // From a coordinate to the root: the end of its body's path.
  std::span<const int> getPath(int coordinate) const { return along(ranges_[index(coordinate)]); }
  // Its row of L: a number for each coordinate of its path.
  std::span<const double> getRow(int coordinate) const {
    return std::span(factor_).subspan(rows_[index(coordinate)], ranges_[index(coordinate)].count);
  }
  double* getRow(int coordinate) { return &factor_[rows_[index(coordinate)]]; }
  void begin(int bodies, bool hangs);
  void addRoot(const btVector3& point);
  void addBody(std::size_t body, double mass, const btVector3& inertia, const btMatrix3x3& rotation,
               const btVector3& point);
  void add(const Motion& axis, std::size_t body, double velocity);
  void addPath(std::size_t body, int parent, int count);
  void factorize();
  const btTransform& getTransform(int link) const; // for a btMultiBody
  void divideAll(std::span<double> z) const;       // v = L^-1 z

  btMultiBody* tree_ = nullptr;
  btRigidBody* rigid_ = nullptr;
  int size_ = 0;
  std::size_t entries_ = 0; // number of entries in L
  Motion root_{};           // motion of an animated root
  std::vector<Motion> axes_;
  std::vector<double> velocities_;
  std::vector<double> found_; // the velocities that Bullet has
  btVector3 origin_{0.0, 0.0, 0.0};
  std::vector<std::size_t> bodies_; // per coordinate
  std::vector<int> parents_;        // per body
  std::vector<int> paths_;          // paths of the bodies, one after another
  std::vector<Range> bodyPaths_;
  std::vector<Range> ranges_;     // per coordinate: its path in paths_
  std::vector<std::size_t> rows_; // per coordinate: its row in factor_
  std::vector<Composite> composites_;
  std::vector<double> factor_;  // L
  std::vector<double> inverse_; // inverse of L's diagonal
  std::vector<Motion> momenta_; // scratch memory: per body, with all that hangs on it
  std::vector<double> change_;
};

} // namespace sinew
