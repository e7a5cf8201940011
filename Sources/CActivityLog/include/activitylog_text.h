#ifndef ACTIVITYLOG_TEXT_H
#define ACTIVITYLOG_TEXT_H
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// How many of the 16 bytes at `p` come before the first quote, backslash, control or byte beyond
/// ASCII: 0 to 16.
///
/// In C, because Swift's vectors have no way from a mask to its bits, and comparing lane by lane
/// took twelve times as long; `static inline`, so that Swift inlines it.
static inline int64_t al_plain_bytes(const void *p) {
#if defined(__SSE2__)
  __m128i v = _mm_loadu_si128((const __m128i *)p);
  // As signed numbers, controls and bytes beyond ASCII are those below a space.
  __m128i stops = _mm_or_si128(
      _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))),
      _mm_cmplt_epi8(v, _mm_set1_epi8(0x20)));
  return __builtin_ctz((unsigned)_mm_movemask_epi8(stops) | 0x10000u);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  uint8x16_t v = vld1q_u8((const uint8_t *)p);
  uint8x16_t stops =
      vorrq_u8(vorrq_u8(vceqq_u8(v, vdupq_n_u8('"')), vceqq_u8(v, vdupq_n_u8('\\'))),
               vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0x20)));
  // Four bits for each byte.
  uint64_t bits =
      vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(stops), 4)), 0);
  return bits ? __builtin_ctzll(bits) >> 2 : 16;
#else
  const uint8_t *bytes = (const uint8_t *)p;
  int64_t place = 0;
  while (place < 16 && bytes[place] >= 0x20 && bytes[place] < 0x80 && bytes[place] != '"' &&
         bytes[place] != '\\')
    place++;
  return place;
#endif
}

#endif
