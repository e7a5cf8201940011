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

/// Asks for the cache line at `p`, which somebody will soon read; any address will do.
static inline void al_prefetch(const void *p) { __builtin_prefetch(p); }

/// Sixteen bytes that 32 hexadecimal digits spell, and how.
struct al_digits {
  /// The first eight bytes, the first digit on top.
  uint64_t high;
  /// The last eight bytes.
  uint64_t low;
  /// Whether all are digits or capitals.
  int is_upper;
  /// Whether all are digits or small letters.
  int is_lower;
};

/// 32 digits as a number; they come as four words whose lowest byte is the first character.
///
/// In C for the same reason; the two flags are false of anything else, and the number then nothing.
static inline struct al_digits al_pack_digits(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  struct al_digits digits;
#if defined(__SSE2__)
  const __m128i texts[2] = {_mm_set_epi64x((long long)b, (long long)a),
                            _mm_set_epi64x((long long)d, (long long)c)};
  __m128i packed[2];
  int upper = 0xFFFF, lower = 0xFFFF;
  for (int half = 0; half < 2; half++) {
    const __m128i text = texts[half];
    // As signed numbers, bytes beyond ASCII are below all of these.
    const __m128i number = _mm_and_si128(_mm_cmpgt_epi8(text, _mm_set1_epi8('0' - 1)),
                                         _mm_cmplt_epi8(text, _mm_set1_epi8('9' + 1)));
    const __m128i capital = _mm_and_si128(_mm_cmpgt_epi8(text, _mm_set1_epi8('A' - 1)),
                                          _mm_cmplt_epi8(text, _mm_set1_epi8('F' + 1)));
    const __m128i small = _mm_and_si128(_mm_cmpgt_epi8(text, _mm_set1_epi8('a' - 1)),
                                        _mm_cmplt_epi8(text, _mm_set1_epi8('f' + 1)));
    upper &= _mm_movemask_epi8(_mm_or_si128(number, capital));
    lower &= _mm_movemask_epi8(_mm_or_si128(number, small));
    const __m128i values = _mm_add_epi8(_mm_and_si128(text, _mm_set1_epi8(15)),
                                        _mm_andnot_si128(number, _mm_set1_epi8(9)));
    packed[half] =
        _mm_or_si128(_mm_slli_epi16(_mm_and_si128(values, _mm_set1_epi16(0xFF)), 4),
                     _mm_srli_epi16(values, 8));
  }
  uint64_t words[2];
  _mm_storeu_si128((__m128i *)words,
                   _mm_packus_epi16(_mm_and_si128(packed[0], _mm_set1_epi16(0xFF)),
                                    _mm_and_si128(packed[1], _mm_set1_epi16(0xFF))));
  digits.high = __builtin_bswap64(words[0]);
  digits.low = __builtin_bswap64(words[1]);
  digits.is_upper = upper == 0xFFFF;
  digits.is_lower = lower == 0xFFFF;
#else
  const uint64_t words[4] = {a, b, c, d};
  uint64_t number[2] = {0, 0};
  digits.is_upper = 1;
  digits.is_lower = 1;
  for (int place = 0; place < 32; place++) {
    const unsigned byte = (unsigned)(words[place / 8] >> (8 * (place % 8))) & 0xFF;
    const unsigned capital = byte - 'A', small = byte - 'a';
    unsigned value = byte - '0';
    if (value > 9) {
      if (capital > 5) digits.is_upper = 0;
      if (small > 5) digits.is_lower = 0;
      value = 10 + ((capital > 5 ? small : capital) & 7);
    }
    number[place / 16] = number[place / 16] << 4 | (value & 15);
  }
  digits.high = number[0];
  digits.low = number[1];
#endif
  return digits;
}

/// Whether the 32 bytes at `p` are digits or letters from a to f: 1 or 0.
static inline int al_are_small_digits(const void *p) {
#if defined(__SSE2__)
  int fits = 0xFFFF;
  for (int half = 0; half < 2; half++) {
    const __m128i text = _mm_loadu_si128((const __m128i *)p + half);
    fits &= _mm_movemask_epi8(
        _mm_or_si128(_mm_and_si128(_mm_cmpgt_epi8(text, _mm_set1_epi8('0' - 1)),
                                   _mm_cmplt_epi8(text, _mm_set1_epi8('9' + 1))),
                     _mm_and_si128(_mm_cmpgt_epi8(text, _mm_set1_epi8('a' - 1)),
                                   _mm_cmplt_epi8(text, _mm_set1_epi8('f' + 1)))));
  }
  return fits == 0xFFFF;
#else
  const uint8_t *bytes = (const uint8_t *)p;
  for (int place = 0; place < 32; place++)
    if ((unsigned)bytes[place] - '0' > 9 && (unsigned)bytes[place] - 'a' > 5) return 0;
  return 1;
#endif
}

#endif
