// A growable array of plain values that can be written past its end before it is known how much of
// that counts: room(n) makes space once, the caller writes there, and grow_by(k) takes over the
// first k. std::vector would fill the new elements first, which shows where one is added for every
// transition of a search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace slotlab::sim {

template <class T>
class FlatVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  T* begin() { return data_.get(); }
  T* end() { return data_.get() + size_; }
  const T* begin() const { return data_.get(); }
  const T* end() const { return data_.get() + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }

  void clear() { size_ = 0; }
  void push_back(const T& value) {
    const T copy = value;  // it may be an element of this very array
    *room(1) = copy;
    ++size_;
  }
  // New elements are T{}.
  void resize(std::size_t size) {
    if (size > size_) std::fill_n(room(size - size_), size - size_, T{});
    size_ = size;
  }

  // Where the next `count` elements go. They are not part of the array yet.
  T* room(std::size_t count) {
    if (capacity_ - size_ < count) reserve(std::max(size_ + count, capacity_ * 2));
    return data_.get() + size_;
  }
  // Takes over `count` elements written at room(). REQUIRES: room for them was made.
  void grow_by(std::size_t count) { size_ += count; }

 private:
  __attribute__((noinline)) void reserve(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<T[]>(capacity);
    std::copy(begin(), end(), larger.get());
    data_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace slotlab::sim
