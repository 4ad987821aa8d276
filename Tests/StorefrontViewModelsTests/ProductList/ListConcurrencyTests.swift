import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Concurrent calls of every intent.
@Suite("List: concurrency", .timeLimit(.minutes(5)), .endsWaits)
struct ListConcurrencyTests {
  @Test(
    "after 8 concurrent callers of all intents, the list can be loaded to its end",
    arguments: ContractStage.native)
  func anyIntentAnytime(stage: ContractStage) async throws {
    let rows = [CatalogProduct].rows(0..<95)
    try await withList(stage, .number, AnsweringPageService(rows: rows), pageSize: 10) { model in
      let states = StateRecorder(model.states(.unbounded))
      await withTaskGroup { group in
        for caller in 0..<8 {
          group.addTask { for step in 0..<250 { await model.perform(step &* 7 &+ caller) } }
        }
      }
      await model.cancel()
      let seen = try await states.waitForStates(2)
      #expect(seen.allSatisfy { rows.starts(with: $0.items) })

      if model.state.items.isEmpty { try await model.waitForItems { await model.load() } }
      while model.state.hasMore {
        let count = model.state.items.count
        try await model.waitForItems { await model.loadNextPage() }
        #expect(model.state.items.count == min(count + 10, rows.count))
      }
      #expect(model.state.items == rows)
      await model.settle()
    }
  }
}

extension ListDriver {
  /// Calls one of the intents. Half of the calls load the next page, because refreshes and cancels often undo such a load.
  fileprivate func perform(_ number: Int) async {
    switch number % 8 {
    case 0: await load()
    case 1: await refresh()
    case 2: await cancel()
    case 3: await retry()
    default: await loadNextPage()
    }
  }

  /// Calls an intent and waits until its items are loaded.
  fileprivate func waitForItems(after intent: () async -> Void) async throws {
    let before = state.items.count
    let states = StateRecorder(states())
    await intent()
    try await states.first { $0.pendingRequest == nil && $0.items.count > before }
  }
}
