import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(1)))
struct AllocationMeterTests {
  private final class Block: Sendable {}

  /// In a process of its own: what other tests allocate meanwhile would be counted too.
  @Test("each object that is made counts, and what was made before and afterwards does not")
  func objects() async {
    guard AllocationMeter.isAvailable else { return }
    await #expect(processExitsWith: .success) {
      blackHole(Block())
      let (_, none) = await AllocationMeter.count {}
      let (_, thousand) = await AllocationMeter.count {
        for _ in 0..<1_000 { blackHole(Block()) }
      }
      blackHole(Block())
      try #require(none == 0)
      try #require(thousand == 1_000)
    }
  }

  @Test("what throws is passed on")
  func failure() async {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) { try await AllocationMeter.count { throw Refusal() } }
  }
}
