// Memory for large tables, straight from the system: it is zero, costs nothing until it is touched, and goes back at once.
//
// The C library gives such memory back only at first. As soon as one large block was freed, it keeps blocks of that size for
// itself, a store of them for each thread, and has to clear those that it gives out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#define POLYVERSI_HAS_MMAP
#endif

namespace polyversi {

class Pages {
  public:
    // So many bytes; std::bad_alloc if there are not as many.
    explicit Pages(std::size_t bytes) : bytes_(bytes + kHuge) {
#ifdef POLYVERSI_HAS_MMAP
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
#else
        memory_ = std::calloc(bytes_, 1);
        if (!memory_) throw std::bad_alloc();
#endif
#ifdef MADV_HUGEPAGE
        madvise(data(), bytes, MADV_HUGEPAGE);  // since a look into a large table is mostly a TLB miss
#endif
    }

    ~Pages() {
#ifdef POLYVERSI_HAS_MMAP
        munmap(memory_, bytes_);
#else
        std::free(memory_);
#endif
    }

    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    // The first byte, at the beginning of a huge page.
    void* data() const { return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory_) + kHuge - 1) & ~(kHuge - 1)); }

  private:
    static constexpr std::size_t kHuge = std::size_t{1} << 21;

    void* memory_;
    std::size_t bytes_;
};

}  // namespace polyversi
