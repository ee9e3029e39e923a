/* Counts the allocations of the program it is preloaded into. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

static unsigned long count;

void *malloc(size_t size) {
    static void *(*next)(size_t);
    if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    ++count;
    return next(size);
}

unsigned long malloc_count(void) { return count; }
