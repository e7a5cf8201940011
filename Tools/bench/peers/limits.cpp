// What this machine can do at all with these bytes: copying, finding line ends, CRC-32C, decoding
// the payload of a log. Prints a JSON line a task.
//
//     limits LINES LOGFOLDER RUNS
#include <lz4.h>
#include <nmmintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

using Bytes = std::vector<char>;

static Bytes read(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    std::fprintf(stderr, "limits: cannot read %s\n", path.c_str());
    std::exit(2);
  }
  Bytes bytes(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

// `work` returns the bytes it went over; the first run is not counted.
static void report(const char *task, int runs, const std::function<size_t()> &work) {
  size_t bytes = work();
  std::string seconds;
  for (int run = 0; run < runs; run++) {
    auto start = std::chrono::steady_clock::now();
    bytes = work();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seconds += (run ? ", " : "") + std::to_string(took.count());
  }
  std::printf("{\"task\": \"%s\", \"bytes\": %zu, \"seconds\": [%s], \"cpu\": []}\n", task, bytes,
              seconds.c_str());
  std::fflush(stdout);
}

static volatile uint64_t sink;

static size_t lines(const Bytes &bytes) {
  uint64_t count = 0;
  const char *p = bytes.data(), *end = p + bytes.size();
  while (p < end) {
    const char *found = static_cast<const char *>(std::memchr(p, '\n', end - p));
    if (!found) break;
    count++;
    p = found + 1;
  }
  sink = count;
  return bytes.size();
}

__attribute__((target("sse4.2"))) static size_t crc(const Bytes &bytes) {
  uint64_t value = ~0u;
  const char *p = bytes.data();
  for (size_t left = bytes.size(); left >= 8; left -= 8, p += 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    value = _mm_crc32_u64(value, word);
  }
  sink = value;
  return bytes.size();
}

static uint32_t word(const char *p) {
  uint32_t value;
  std::memcpy(&value, p, 4);
  return value;
}

// The blocks of the data frames of a segment: an LZ4 frame of seven bytes, one block, an end mark;
// skippable frames are passed by.
static void blocks(const Bytes &segment, std::vector<std::pair<const char *, uint32_t>> &found) {
  for (size_t at = 0; at + 8 <= segment.size();) {
    uint32_t magic = word(&segment[at]);
    if ((magic & 0xFFFFFFF0u) == 0x184D2A50u) {
      at += 8 + size_t(word(&segment[at + 4]));
    } else if (magic == 0x184D2204u && at + 11 <= segment.size()) {
      uint32_t size = word(&segment[at + 7]), length = size & 0x7FFFFFFFu;
      if (size == 0) {
        at += 11;
        continue;
      }
      if (!(size >> 31)) found.push_back({&segment[at + 11], length});
      at += 15 + size_t(length);
    } else {
      return;
    }
  }
}

static size_t decode(const std::vector<std::pair<const char *, uint32_t>> &found, Bytes &room) {
  size_t total = 0;
  for (auto [from, length] : found) {
    int size = LZ4_decompress_safe(from, room.data(), int(length), int(room.size()));
    if (size < 0) std::exit(3);
    total += size_t(size);
  }
  return total;
}

int main(int count, char **words) {
  if (count != 4) return 2;
  int runs = std::atoi(words[3]);
  {
    Bytes day = read(words[1]), copy(day.size());
    report("memory copy", runs, [&] {
      std::memcpy(copy.data(), day.data(), day.size());
      sink = uint64_t(copy[copy.size() / 2]);
      return day.size();
    });
    report("newline split", runs, [&] { return lines(day); });
    report("CRC-32C", runs, [&] { return crc(day); });
  }
  std::vector<Bytes> segments;
  for (auto &entry : std::filesystem::directory_iterator(words[2]))
    if (entry.path().extension() == ".alog") segments.push_back(read(entry.path()));
  std::vector<std::pair<const char *, uint32_t>> found;
  for (auto &segment : segments) blocks(segment, found);
  Bytes room(size_t(4) << 20);
  report("LZ4 decode of the payload", runs, [&] { return decode(found, room); });
}
