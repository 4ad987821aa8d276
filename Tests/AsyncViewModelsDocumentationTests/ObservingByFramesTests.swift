import AsyncViewModelsTesting
import Synchronization
import Testing

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

final class PriceModel: StateSource {
  let store = StateStore(0)

  func receive(_ price: Int) { store.send(price) }
}

@MainActor
final class PriceScreen {
  private let bindings = ScreenBindings()
  private(set) var shown: [Int] = []

  init(_ prices: PriceModel, pacing: FramePacing = .frames(perSecond: 60)) {
    bindings.observe(prices, on: self, pacing: pacing) { screen, price in screen.render(price) }
  }

  private func render(_ price: Int) { shown.append(price) }
}

@MainActor
final class PriceList {
  let rounded: StateMirror<Int>

  init(_ prices: PriceModel) {
    rounded = StateMirror(prices, pacing: .frames(perSecond: 60), of: { $0 / 100 })
  }
}

/// The code of the article `ObservingByFrames`.
@Suite("Article: observing by frames", .timeLimit(.minutes(5)))
struct ObservingByFramesTests {
  @Test("a value waits for its frame, and then the latest value is delivered")
  func virtualTime() async throws {
    let clock = VirtualClock()
    let prices = PriceModel()
    let recorder = StateRecorder(prices.states(pacing: .frames(perSecond: 60, clock: clock)))
    try await recorder.waitForStates(1)
    prices.receive(1)
    await clock.waitForSleepers(1)  // the value waits for its frame
    prices.receive(2)
    clock.advance(by: .milliseconds(17))
    #expect(try await recorder.waitForStates(2) == [0, 2])
  }

  @Test("the screen and the list show the last price")
  @MainActor
  func screens() async throws {
    let prices = PriceModel()
    let (screen, list) = (PriceScreen(prices), PriceList(prices))
    for price in 1...1_000 { prices.receive(price) }
    try await until { screen.shown.last == 1_000 }
    #expect(screen.shown.count <= 3)
    #expect(list.rounded.value == 10)
  }

  @Test("the times in the article are those of an observer with 10 frames a second")
  func times() async throws {
    let (clock, prices, notes) = (VirtualClock(), PriceModel(), Notes())
    let stream = prices.states(pacing: .frames(perSecond: 10, clock: clock))
    let reader = Task {
      for await price in stream { notes.add("\(price)@\(Int(clock.now.offset / .milliseconds(1)))") }
    }
    try await until { notes.all.count == 1 }
    // The reader waits for a change, so it has asked for the next price before 230 ms.
    try await until { prices.store.storage.guarded.withLock { !$0.waiting.isEmpty } }
    clock.advance(by: .milliseconds(230))
    prices.receive(1)
    try await until { notes.all.count == 2 }
    for price in 2...4 {
      clock.advance(by: .milliseconds(10))
      prices.receive(price)
      await clock.waitForSleepers(1)
    }
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(40))
    try await until { notes.all.count == 3 }
    clock.advance(by: .milliseconds(700))
    #expect(notes.all == ["0@0", "1@230", "4@300"])
    #expect(clock.sleeperCount == 0)
    reader.cancel()
  }

  @Test("the code of this file contains the examples of the article, in the same order")
  func examples() throws {
    try expectExamples(of: Repository.article("ObservingByFrames"), in: "ObservingByFramesTests.swift")
  }
}
