#pragma once
#include <png.h>

// Macros that Swift does not see, of libpng's simplified interface: the only one that needs no setjmp of its caller.
static inline png_uint_32 cachecheck_png_rgba(void) { return PNG_FORMAT_RGBA; }
static inline png_uint_32 cachecheck_png_version(void) { return PNG_IMAGE_VERSION; }
static inline png_alloc_size_t cachecheck_png_largest_size(const png_image *image) {
    return PNG_IMAGE_PNG_SIZE_MAX(*image);
}
