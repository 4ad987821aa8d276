import AsyncViewModelsTesting
import StorefrontServices
import Testing

@Suite("Stored files", .timeLimit(.minutes(5)), .endsWaits)
struct StoredFileTests {
  private let file = StoredFile(schema: 12, payload: Array(#"{"name":"Ada","height":1.7}"#.utf8))

  @Test("the checksum is that of the standard")
  func checksum() {
    #expect(CRC32.checksum(of: Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(CRC32.checksum(of: []) == 0)
  }

  @Test("the bytes of a file do not change between versions of the app")
  func golden() throws {
    let text = "storefront-file crc32=4d93c714 schema=12 bytes=27\n{\"name\":\"Ada\",\"height\":1.7}"
    #expect(String(decoding: file.bytes, as: UTF8.self) == text)
    #expect(try StoredFile(file.bytes) == file)
    let empty = StoredFile(schema: 1, payload: [])
    #expect(try StoredFile(empty.bytes) == empty)
  }

  @Test("a file in which any single bit has changed is damaged")
  func flippedBits() {
    for index in file.bytes.indices {
      for bit in 0..<8 {
        var bytes = file.bytes
        bytes[index] ^= 1 << bit
        #expect(throws: FileDamage.self, "bit \(bit) of byte \(index)") { try StoredFile(bytes) }
      }
    }
  }

  @Test("a file that is truncated, extended or shifted is damaged")
  func tornFiles() {
    for length in 0..<file.bytes.count {
      #expect(throws: FileDamage.self) { try StoredFile(Array(file.bytes.prefix(length))) }
      let zeros = [UInt8](repeating: 0, count: file.bytes.count - length)
      #expect(throws: FileDamage.self) { try StoredFile(file.bytes.prefix(length) + zeros) }
    }
    #expect(throws: FileDamage.self) { try StoredFile(file.bytes + [0]) }
    #expect(throws: FileDamage.self) { try StoredFile([0] + file.bytes) }
    #expect(throws: FileDamage.self) { try StoredFile(file.bytes + file.bytes) }
  }

  @Test(
    "a header that is not written by a store is damaged, even with the right checksum",
    arguments: ["schema=0 bytes=0\n", "schema=-1 bytes=0\n", "schema=01 bytes=0\n", "schema=1 bytes=+0\n"]
      + ["schema=1  bytes=0\n", "schema=99999999999999999999 bytes=0\n", "bytes=0 schema=1\n", "schema=1\n"])
  func malformedHeaders(header: String) {
    let digits = String(CRC32.checksum(of: Array(header.utf8)), radix: 16)
    let checksum = String(repeating: "0", count: 8 - digits.count) + digits
    #expect(throws: FileDamage.self) {
      try StoredFile(Array("storefront-file crc32=\(checksum) \(header)".utf8))
    }
  }

  @Test("a damaged file has a reason for people")
  func reasons() {
    let damages = [[], Array("storefront-file crc32=00000000 x".utf8), file.bytes + [0]]
    let reasons = damages.map { bytes in
      #expect(throws: FileDamage.self) { try StoredFile(bytes) }?.reason
    }
    #expect(
      reasons == [
        "The header is missing.", "The header is malformed.",
        "The file has 28 bytes of data, but the header says 27.",
      ])
  }
}
