/// The cyclic redundancy check of ISO 3309 and IEEE 802.3, as in gzip (RFC 1952, section 8).
///
/// Detects each error that changes at most 32 consecutive bits, but no forgery.
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { rest, _ in rest & 1 == 0 ? rest >> 1 : 0xEDB8_8320 ^ (rest >> 1) }
  }

  package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }
}
