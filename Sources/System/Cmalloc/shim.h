#pragma once
#include <malloc.h>

/* Only the GNU library keeps released memory, and can give it back. */
static inline void cachecheck_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
