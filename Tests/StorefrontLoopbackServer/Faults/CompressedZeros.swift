/// A small body that becomes a large one.
enum CompressedZeros {
  /// 26 KB of gzip that inflate to about 158 times as many zeros.
  ///
  /// One block with the fixed codes of DEFLATE (RFC 1951): a zero, and then copies of the 258 bytes before. A copy takes 13
  /// bits, so the bytes repeat after 13 bytes.
  static let bytes: [UInt8] = {
    var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    bits.append(0b011, count: 3)
    bits.append(reversing: 0b0011_0000, count: 8)
    for _ in 0..<9 {
      bits.append(reversing: 0b1100_0101, count: 8)
      bits.append(0, count: 5)
    }
    let period = bits.bytes.dropFirst(12).prefix(13)
    return Array(bits.bytes.prefix(12)) + repeatElement(period, count: 2_000).joined()
  }()

  /// Writes bits into bytes, beginning with the lowest bit of each byte.
  private struct BitWriter {
    var bytes: [UInt8]
    private var used = 8

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func append(_ value: Int, count: Int) {
      for index in 0..<count {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        bytes[bytes.count - 1] |= UInt8(value >> index & 1) << used
        used += 1
      }
    }

    /// Appends a code of DEFLATE, whose highest bit comes first.
    mutating func append(reversing value: Int, count: Int) {
      for index in (0..<count).reversed() { append(value >> index & 1, count: 1) }
    }
  }
}
