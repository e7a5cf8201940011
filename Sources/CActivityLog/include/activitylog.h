#ifndef ACTIVITYLOG_C_H
#define ACTIVITYLOG_C_H
#include <stddef.h>
#include <stdint.h>

#include "activitylog_text.h"

/// CRC-32C (Castagnoli) of `length` bytes, continued from `seed` (0 to begin).
uint32_t al_crc32c(uint32_t seed, const void *bytes, size_t length);

/// An exclusive lock on the whole file that belongs to this open file, not to the process.
/// 0 on success, else errno. Never waits.
int al_lock_exclusive(int fd);

#endif
