import Testing

@testable import Domain

@Suite("Inbox", .timeLimit(.minutes(1)))
struct InboxTests {
  @Test(
    "it does what an array would do, whatever the order of appends and removals",
    arguments: [
      .latest, .unbounded, .bounded(1, dropping: .oldest), .bounded(5, dropping: .oldest),
      .bounded(5, dropping: .newest), .bounded(8, dropping: .oldest),
    ] as [Buffering])
  func againstAnArray(buffering: Buffering) {
    var random = SplitMix(state: 42)
    var inbox = Inbox<Int>(buffering)
    var model: [Int] = []
    var dropped = 0
    for number in 1...5_000 {
      // Long rises and falls, so that the ring grows, fills up, and wraps around at every size.
      if random.next() % 8 < (number / 64 % 2 == 0 ? 6 : 2) {
        let victim = inbox.append(number)
        model.append(number)
        if model.count > inbox.limit {
          #expect(victim == (inbox.overflow == .oldest ? model.removeFirst() : model.removeLast()))
          dropped += inbox.countsDrops ? 1 : 0
        } else {
          #expect(victim == nil)
        }
      } else {
        #expect(inbox.removeFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(inbox.count == model.count)
      #expect(inbox.first == model.first)
      #expect(inbox.isEmpty == model.isEmpty)
    }
    #expect(inbox.droppedCount == dropped)
  }

  @Test("what has been read is not kept")
  func releasesWhatWasRead() {
    var inbox = Inbox<Reentrant>(.unbounded)
    weak var element: Reentrant?
    do {
      let reentrant = Reentrant(1)
      element = reentrant
      _ = inbox.append(reentrant)
    }
    #expect(element != nil)
    _ = inbox.removeFirst()
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
