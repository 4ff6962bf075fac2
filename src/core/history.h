// Undo and redo of a value: a bounded list of its previous states, each with a description of the
// change.
//
// A continuous change (a drag, a slider) writes to live() any number of times and becomes one step
// with commit().
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

template <class T>
class History {
 public:
  // Keeps the last `steps` undo steps; older ones are discarded.
  explicit History(T value = {}, std::size_t steps = 200)
      : live_(value), committed_(std::move(value)), steps_(steps) {}

  const T& now() const { return live_; }
  T& live() { return live_; }

  // A value that is looked at in place of now() and never becomes a step.
  void preview(T value) { preview_ = std::move(value); }
  void endPreview() { preview_.reset(); }
  bool previewing() const { return preview_.has_value(); }
  const T& shown() const { return preview_ ? *preview_ : live_; }

  bool open() const { return !(live_ == committed_); } // changed since the last step

  // Makes the changes since the last step a new step, if there are any, and clears the redo steps.
  void commit(std::string what) {
    if (!open()) return;
    undo_.push_back({std::move(committed_), std::move(what)});
    if (undo_.size() > steps_) undo_.pop_front();
    redo_.clear();
    committed_ = live_;
  }

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  std::string undoWord() const { return undo_.empty() ? std::string() : undo_.back().what; }
  std::string redoWord() const { return redo_.empty() ? std::string() : redo_.back().what; }

  // The nearest step first, as undoWord() and redoWord() tell it.
  std::vector<std::string> undoWords() const { return listWords(undo_); }
  std::vector<std::string> redoWords() const { return listWords(redo_); }

  void drop() { live_ = committed_; } // discards uncommitted changes

  // With uncommitted changes, both only discard these.
  void undo() { move(undo_, redo_); }
  void redo() { move(redo_, undo_); }

 private:
  struct Step {
    T value; // before (in undo_) or after (in redo_) the change
    std::string what;
  };

  static std::vector<std::string> listWords(const std::deque<Step>& steps) {
    std::vector<std::string> words;
    words.reserve(steps.size());
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      words.push_back(step->what);
    return words;
  }

  void move(std::deque<Step>& from, std::deque<Step>& to) {
    if (!from.empty() && !open()) {
      Step step = std::move(from.back());
      from.pop_back();
      to.push_back({std::move(committed_), step.what});
      committed_ = std::move(step.value);
    }
    live_ = committed_;
  }

  T live_;
  T committed_;
  std::optional<T> preview_;
  std::size_t steps_;
  std::deque<Step> undo_;
  std::deque<Step> redo_;
};

} // namespace sinew
