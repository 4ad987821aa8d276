import Testing

@testable import AsyncViewModels

@Suite("RingBuffer", .timeLimit(.minutes(1)))
struct RingBufferTests {
  @Test(
    "it does what an array would do, whatever the order of appends and removals",
    arguments: [
      .latest, .unbounded, .bounded(1, dropping: .oldest), .bounded(5, dropping: .oldest),
      .bounded(5, dropping: .newest), .bounded(8, dropping: .oldest),
    ] as [BufferingPolicy])
  func againstAnArray(buffering: BufferingPolicy) {
    var random = SplitMix(state: 42)
    var elements = RingBuffer<Int>(buffering)
    var model: [Int] = []
    var dropped = 0
    for number in 1...5_000 {
      // Long rises and falls, so that the ring grows, fills up, and wraps around at every size.
      if random.next() % 8 < (number / 64 % 2 == 0 ? 6 : 2) {
        let victim = elements.append(number)
        model.append(number)
        if model.count > elements.limit {
          #expect(victim == (elements.overflow == .oldest ? model.removeFirst() : model.removeLast()))
          dropped += elements.countsDrops ? 1 : 0
        } else {
          #expect(victim == nil)
        }
      } else {
        #expect(elements.removeFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(elements.count == model.count)
      #expect(elements.first == model.first)
      #expect(elements.isEmpty == model.isEmpty)
    }
    #expect(elements.droppedCount == dropped)
  }

  @Test("what has been read is not kept")
  func releasesWhatWasRead() {
    var elements = RingBuffer<Reentrant>(.unbounded)
    weak var element: Reentrant?
    do {
      let reentrant = Reentrant(1)
      element = reentrant
      _ = elements.append(reentrant)
    }
    #expect(element != nil)
    _ = elements.removeFirst()
    #expect(element == nil)
  }

  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
