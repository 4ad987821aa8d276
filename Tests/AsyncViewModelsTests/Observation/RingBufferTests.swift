import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("RingBuffer", .timeLimit(.minutes(5)), .endsWaits)
struct RingBufferTests {
  @Test(
    "a ring buffer behaves like an array for any order of appends and removals",
    arguments: [.latest, .unbounded, .bounded(1), .bounded(5), .bounded(8)] as [BufferingPolicy])
  func againstAnArray(buffering: BufferingPolicy) {
    var random = SplitMix64(seed: 42)
    var elements = RingBuffer<Int>(buffering)
    var model: [Int] = []
    var dropped = 0
    for number in 1...5_000 {
      // Phases of mostly appends alternate with phases of mostly removals. So the ring grows, fills up, and
      // wraps around at every capacity.
      if random.next() % 8 < (number / 64 % 2 == 0 ? 6 : 2) {
        let victim = elements.append(number)
        model.append(number)
        if model.count > elements.limit {
          #expect(victim == model.removeFirst())
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

  @Test("a large ring buffer shrinks while its elements are removed, and keeps their order")
  func shrinks() {
    var elements = RingBuffer<Int>(.unbounded)
    for number in 1...100_000 { _ = elements.append(number) }
    #expect(elements.capacity >= 100_000)
    for number in 1...99_990 { #expect(elements.removeFirst() == number) }
    #expect(elements.capacity <= 2_048)
    for number in 99_991...100_000 { #expect(elements.removeFirst() == number) }
    #expect(elements.removeFirst() == nil)
  }

  @Test(
    "prepended elements are read before all others, the last prepended element first",
    arguments: [0, 3, 4, 2_000])
  func prepends(count: Int) {
    var elements = RingBuffer<Int>(.unbounded)
    for number in 0..<count { _ = elements.append(number) }
    for number in 1...10 { elements.prepend(-number) }
    var read: [Int] = []
    while let element = elements.removeFirst() { read.append(element) }
    #expect(read == Array(-10..<count))
  }

  @Test("an element is released after it has been read")
  func releasesReadElements() {
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
}
