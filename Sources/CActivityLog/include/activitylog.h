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

/// Whether the system tells of every change to files at this path: 0 where other machines or a
/// process of its own keep them, and 1 where nothing is known.
int al_tells_changes(const char *path);

#endif
