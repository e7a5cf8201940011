#define _GNU_SOURCE 1
#include "activitylog.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>
#else
#include <sys/vfs.h>
#endif

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t crc_hardware(uint32_t crc, const uint8_t *p,
                                                               size_t n) {
  uint64_t c = crc;
  while (n >= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    c = _mm_crc32_u64(c, word);
    p += 8;
    n -= 8;
  }
  uint32_t r = (uint32_t)c;
  while (n--) r = _mm_crc32_u8(r, *p++);
  return r;
}

static int has_hardware(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

static uint32_t crc_hardware(uint32_t crc, const uint8_t *p, size_t n) {
  while (n >= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    crc = __crc32cd(crc, word);
    p += 8;
    n -= 8;
  }
  while (n--) crc = __crc32cb(crc, *p++);
  return crc;
}

static int has_hardware(void) { return 1; }
#else
static uint32_t crc_hardware(uint32_t crc, const uint8_t *p, size_t n) {
  (void)p;
  (void)n;
  return crc;
}

static int has_hardware(void) { return 0; }
#endif

static uint32_t crc_portable(uint32_t crc, const uint8_t *p, size_t n) {
  while (n--) {
    crc ^= *p++;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0x82F63B78u & (0u - (crc & 1u)));
  }
  return crc;
}

uint32_t al_crc32c(uint32_t seed, const void *bytes, size_t length) {
  uint32_t crc = ~seed;
  crc = has_hardware() ? crc_hardware(crc, bytes, length) : crc_portable(crc, bytes, length);
  return ~crc;
}

int al_lock_exclusive(int fd) {
#ifdef F_OFD_SETLK
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  return fcntl(fd, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
#else
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  return fcntl(fd, F_SETLK, &whole) == 0 ? 0 : errno;
#endif
}

int al_tells_changes(const char *path) {
  struct statfs info;
  if (statfs(path, &info) != 0) return 1;
#if defined(__APPLE__)
  return (info.f_flags & MNT_LOCAL) != 0;
#else
  switch ((uint32_t)info.f_type) {
  case 0x6969:     /* NFS */
  case 0x517B:     /* SMB */
  case 0xFF534D42: /* CIFS */
  case 0xFE534D42: /* SMB 2 */
  case 0x01021997: /* 9P */
  case 0x65735546: /* FUSE */
  case 0x5346414F: /* AFS */
  case 0x00C36400: /* Ceph */
  case 0x0BD00BD0: /* Lustre */
    return 0;
  default:
    return 1;
  }
#endif
}
