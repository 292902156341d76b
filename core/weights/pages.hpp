// Memory for large tables that are read here and there: it begins on a cache line, and where the system has
// large pages it asks for them, so that fewer addresses must be looked up.
#pragma once
#include <cstddef>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace structron {

template <class T>
struct Paged {
  using value_type = T;
  Paged() = default;
  template <class U>
  Paged(const Paged<U>&) {}

  T* allocate(size_t n) {
    const size_t bytes = n * sizeof(T);
    void* p = ::operator new(bytes, std::align_val_t(alignment(bytes)));
#ifdef MADV_HUGEPAGE
    if (bytes >= kLarge) madvise(p, bytes, MADV_HUGEPAGE);  // a wish: nothing depends on the answer
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, size_t n) { ::operator delete(p, std::align_val_t(alignment(n * sizeof(T)))); }
  bool operator==(const Paged&) const { return true; }

 private:
  static constexpr size_t kLarge = size_t{4} << 20, kPage = size_t{2} << 20, kLine = 64;
  static size_t alignment(size_t bytes) { return bytes >= kLarge ? kPage : kLine; }
};

}  // namespace structron
