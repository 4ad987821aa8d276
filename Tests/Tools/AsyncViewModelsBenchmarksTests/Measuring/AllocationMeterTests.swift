import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct AllocationMeterTests {
  private final class Block: Sendable {}

  #if os(macOS) || os(Linux)
    /// Runs in its own process, because the meter would also count the allocations of other tests.
    @Test(
      "the meter counts each object that the body allocates, and its bytes, and no object from before or after"
    )
    func objects() async {
      guard AllocationMeter.isAvailable else { return }
      await #expect(processExitsWith: .success) {
        blackHole(Block())
        let (_, none) = await AllocationMeter.count {}
        let (_, thousand) = await AllocationMeter.count {
          for _ in 0..<1_000 { blackHole(Block()) }
        }
        blackHole(Block())
        try #require(none.count == 0 && none.bytes == 0)
        // An object without properties has a header of 16 bytes.
        try #require(thousand.bytes == 16_000)
        try #require(thousand.count == 1_000)
      }
    }
  #endif

  @Test("an error of the body is rethrown")
  func failure() async {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) { try await AllocationMeter.count { throw Refusal() } }
  }
}
