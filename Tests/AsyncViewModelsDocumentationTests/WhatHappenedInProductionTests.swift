import AsyncViewModels
import AsyncViewModelsRecorder
import AsyncViewModelsTesting
import Foundation
import Testing

func startRecorder(at path: String) throws -> FlightLog? {
  let previous = try? FlightLog(contentsOfFile: path)
  try FlightRecorder.start(writingTo: path)
  return previous
}

struct BasketState: Equatable, Sendable {
  var items: [Int] = []
  var count = 0

  mutating func add(_ id: Int) {
    items.append(id)
    count += 1
  }

  /// Has a bug: it removes all items with the identity, and counts one.
  mutating func remove(_ id: Int) {
    items.removeAll { $0 == id }
    count -= 1
  }
}

actor BasketViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(BasketState())

  nonisolated func add(_ id: Int) {
    FlightRecorder.intent("add", id)
    store.update { $0.add(id) }
  }

  nonisolated func remove(_ id: Int) {
    FlightRecorder.intent("remove", id)
    store.update { $0.remove(id) }
  }
}

func replay(_ log: FlightLog, on basket: BasketViewModel) {
  for intent in log.intents {
    switch intent.name {
    case "add": basket.add(intent.number)
    case "remove": basket.remove(intent.number)
    default: break
    }
  }
}

/// The code of the article `WhatHappenedInProduction`.
@Suite("Article: what happened in production", .timeLimit(.minutes(5)), .endsWaits)
struct WhatHappenedInProductionTests {
  private let article =
    "Sources/AsyncViewModelsRecorder/AsyncViewModelsRecorder.docc/WhatHappenedInProduction.md"

  @Test("the examples are those of this file")
  func examples() throws {
    try expectExamples(of: article, in: "WhatHappenedInProductionTests.swift")
  }

  #if os(macOS) || os(Linux)
    @Test("the file of a killed process shows the intents, which fail in the same way when they are replayed")
    func replayed() async throws {
      let path = FileManager.default.temporaryDirectory.appending(path: "basket-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        guard try startRecorder(at: path) == nil else { return }
        let basket = BasketViewModel()
        basket.add(7)
        basket.add(7)
        basket.remove(7)
        if basket.state.count != basket.state.items.count { kill(getpid(), SIGKILL) }
      }
      let log = try FlightLog(contentsOfFile: path)
      let lines = log.text().split(separator: "\n").filter { !$0.hasPrefix("—") }.joined(separator: "\n")
      #expect(try Repository.text(article).contains(lines), "\(lines)")

      let basket = BasketViewModel()
      replay(log, on: basket)
      #expect(basket.state == BasketState(items: [], count: 1))
    }
  #endif
}
