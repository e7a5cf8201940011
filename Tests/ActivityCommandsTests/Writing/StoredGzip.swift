/// Bytes as a gzip file of stored blocks, which every gzip reader takes.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
  var start = 0
  repeat {
    let end = min(start + 65_535, bytes.count)
    let count = UInt16(end - start)
    file.append(end == bytes.count ? 1 : 0)
    file += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
    file += bytes[start..<end]
    start = end
  } while start < bytes.count
  var sum: UInt32 = ~0
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }
  for word in [~sum, UInt32(bytes.count)] {
    for shift in [0, 8, 16, 24] { file.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }
  return file
}
