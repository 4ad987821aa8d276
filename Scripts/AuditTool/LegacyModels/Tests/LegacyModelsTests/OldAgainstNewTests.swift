import AsyncViewModelsSimulation
import Foundation
import SimulatedQueues
import Testing

@testable import Basket
@testable import PlaceSearch

/// Compares legacy view models with view models in async/await, which are written by hand.
@Suite("old against new", .timeLimit(.minutes(5)))
struct OldAgainstNewTests {
  @Test("the actor of the basket behaves as the class with queues")
  func basket() async throws { try await Self.basket(.none).compare(seeds: 1...1_000) }

  @Test("the main-actor search behaves as the class with work items")
  func placeSearch() async throws { try await Self.placeSearch(.none).compare(seeds: 1...1_000) }

  @Test("a basket that shows a stale error is found")
  func staleError() async throws {
    await #expect(throws: SimulationFailure.self) {
      try await Self.basket(.staleError).compare(seeds: 1...1_000)
    }
  }

  @Test("a search that shows a stale answer is found")
  func staleAnswer() async throws {
    await #expect(throws: SimulationFailure.self) {
      try await Self.placeSearch(.staleAnswer).compare(seeds: 1...1_000)
    }
  }

  enum Mistake { case none, staleError, staleAnswer }

  // MARK: - Basket

  enum BasketIntent { case reload, setQuantity(Int), applyVoucher }

  static func basket(_ mistake: Mistake) -> RecordedContract<BasketIntent> {
    RecordedContract(
      "OldAgainstNewTests.basket(.\(mistake))",
      intents: [.reload, .setQuantity(2), .setQuantity(3), .applyVoucher], queues: .simulated
    ) { recording in
      let model = BasketViewModel(api: RecordedBasketAPI(recording: recording))
      recording.watch("lines") { model.lines.map { "\($0.quantity) \($0.sku)" } }
      recording.watch("updates") { model.isUpdating }
      recording.watch("error") { model.lastError ?? "none" }
      recording.watch("total") { model.total }
      model.onError = { recording.event($0) }
      return { intent in
        switch intent {
        case .reload: model.reload()
        case .setQuantity(let quantity): model.setQuantity(quantity, of: "tea")
        case .applyVoucher:
          recording.wait(for: "voucher") {
            let isValid = await withCheckedContinuation { done in
              model.applyVoucher("TEN") { done.resume(returning: $0) }
            }
            recording.event("voucher \(isValid)")
          }
        }
      }
    } new: { recording in
      let model = NewBasket(recording, mistake)
      await model.show()
      return { intent in
        switch intent {
        case .reload: await model.reload()
        case .setQuantity(let quantity): await model.setQuantity(quantity)
        case .applyVoucher:
          recording.wait(for: "voucher") { recording.event("voucher \(await model.applyVoucher())") }
        }
      }
    }
  }

  // MARK: - Search

  enum SearchIntent { case type(String), clear }

  static func placeSearch(_ mistake: Mistake) -> RecordedContract<SearchIntent> {
    RecordedContract(
      "OldAgainstNewTests.placeSearch(.\(mistake))",
      intents: [.type("zoo"), .type("Zoo "), .type("dom"), .type("z"), .clear],
      also: [150, 300, 300, 300].flatMap { [.wait(milliseconds: $0), .wait(milliseconds: $0)] },
      queues: .simulated
    ) { @MainActor recording in
      let model = PlaceSearchViewModel(client: RecordedPlaces(recording: recording))
      recording.show(["places": model.places, "searches": model.isSearching, "hint": model.hint ?? "none"])
      model.onPlacesChanged = { recording.show(["places": $0]) }
      model.onSearchingChanged = { recording.show(["searches": $0]) }
      model.onHintChanged = { recording.show(["hint": $0 ?? "none"]) }
      return { @MainActor intent in
        switch intent {
        case .type(let text): model.textDidChange(text)
        case .clear: model.clear()
        }
      }
    } new: { @MainActor recording in
      let model = NewPlaceSearch(recording, mistake)
      return { @MainActor intent in
        switch intent {
        case .type(let text): model.type(text)
        case .clear: model.clear()
        }
      }
    }
  }
}

// MARK: - Services

private final class RecordedBasketAPI: BasketAPI {
  private let recording: Recording

  init(recording: Recording) { self.recording = recording }

  @Sendable static func baskets(number: Int) -> [Result<[BasketLine], Error>] {
    [
      .success([BasketLine(sku: "tea", quantity: 1 + number % 3, cents: 250)]), .success([]),
      .failure(BasketAPIError.soldOut(sku: "tea")), .failure(BasketAPIError.server(code: 500 + number)),
    ]
  }

  @Sendable static func vouchers(number: Int) -> [Result<Int, Error>] {
    [.success(10), .failure(BasketAPIError.server(code: 404))]
  }

  func getBasket(completion: @escaping ([BasketLine]?, Error?) -> Void) {
    ask("basket", Self.baskets, completion)
  }
  func setQuantity(_ quantity: Int, sku: String, completion: @escaping ([BasketLine]?, Error?) -> Void) {
    ask("\(quantity) \(sku)", Self.baskets, completion)
  }
  func applyVoucher(_ code: String, completion: @escaping (Int?, Error?) -> Void) {
    ask("voucher", Self.vouchers, completion)
  }

  private func ask<Value>(
    _ text: String, _ answers: @escaping (Int) -> [Result<Value, Error>],
    _ completion: @escaping (Value?, Error?) -> Void
  ) {
    recording.request(text, answers: answers) { result in
      switch result {
      case .success(let value): completion(value, nil)
      case .failure(let error): completion(nil, error)
      }
    }
  }
}

private struct RecordedPlaces: PlacesClient {
  let recording: Recording

  static func answers(_ text: String) -> @Sendable (Int) -> [Result<[Place], Error>] {
    { number in
      [
        .success([Place(name: "\(text) \(number)", city: "Berlin")]), .success([]),
        .failure(PlacesError.rateLimited), .failure(ServiceError()),
      ]
    }
  }

  func places(matching text: String, completion: @escaping (Result<[Place], Error>) -> Void) {
    recording.request("find \(text)", answers: Self.answers(text), completion: completion)
  }
}

// MARK: - The new view models

private actor NewBasket {
  private var lines: [BasketLine] = []
  private var isUpdating = false
  private var error: String?
  private var discount = 0
  private let recording: Recording
  private let mistake: OldAgainstNewTests.Mistake

  init(_ recording: Recording, _ mistake: OldAgainstNewTests.Mistake) {
    self.recording = recording
    self.mistake = mistake
  }

  func reload() async { await update { try await $0.request("basket", answers: RecordedBasketAPI.baskets) } }

  func setQuantity(_ quantity: Int) async {
    guard !isUpdating else { return }
    await update { try await $0.request("\(quantity) tea", answers: RecordedBasketAPI.baskets) }
  }

  func applyVoucher() async -> Bool {
    var isValid = false
    begin()
    do {
      discount = try await recording.request("voucher", answers: RecordedBasketAPI.vouchers)
      isValid = true
      isUpdating = false
      show()
    } catch { fail(error) }
    return isValid
  }

  private func update(_ request: @Sendable (Recording) async throws -> [BasketLine]) async {
    begin()
    do {
      lines = try await request(recording)
      isUpdating = false
      show()
    } catch { fail(error) }
  }

  private func begin() {
    isUpdating = true
    if mistake != .staleError { error = nil }
    show()
  }

  private func fail(_ reason: Error) {
    isUpdating = false
    let text =
      switch reason {
      case BasketAPIError.soldOut(let sku): "\(sku) is sold out"
      case BasketAPIError.server(let code): "Server error \(code)"
      default: "Please try again"
      }
    error = text
    recording.event(text)
    show()
  }

  func show() {
    let sum = lines.reduce(0) { $0 + $1.quantity * $1.cents }
    recording.show([
      "lines": lines.map { "\($0.quantity) \($0.sku)" }, "updates": isUpdating, "error": error ?? "none",
      "total": sum * (100 - discount) / 100,
    ])
  }
}

@MainActor
private final class NewPlaceSearch {
  private var places: [Place] = []
  private var isSearching = false
  private var hint: String? = "Type at least 2 letters"
  private var known: [String: [Place]] = [:]
  private var pause: Task<Void, Never>?
  private var latest = 0
  private let recording: Recording
  private let mistake: OldAgainstNewTests.Mistake

  init(_ recording: Recording, _ mistake: OldAgainstNewTests.Mistake) {
    self.recording = recording
    self.mistake = mistake
    show()
  }

  func type(_ text: String) {
    let query = text.trimmingCharacters(in: .whitespaces).lowercased()
    pause?.cancel()
    if query.count < 2 {
      end(with: [], hint: "Type at least 2 letters")
    } else if let places = known[query] {
      end(with: places, hint: places.isEmpty ? "Nothing found" : nil)
    } else {
      pause = Task {
        guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
        // A new task, because the next text cancels only the pause.
        Task { await search(query) }
      }
    }
  }

  func clear() {
    known = [:]
    type("")
  }

  private func end(with places: [Place], hint: String?) {
    latest += 1
    (self.places, self.hint, isSearching) = (places, hint, false)
    show()
  }

  private func search(_ query: String) async {
    latest += 1
    let number = latest
    (isSearching, hint) = (true, nil)
    show()
    let result: Result<[Place], Error>
    do {
      result = .success(
        try await recording.request("find \(query)", answers: RecordedPlaces.answers(query)))
    } catch { result = .failure(error) }
    guard number == latest || mistake == .staleAnswer else { return }
    isSearching = false
    switch result {
    case .success(let places):
      known[query] = places
      (self.places, hint) = (places, places.isEmpty ? "Nothing found" : nil)
    case .failure(PlacesError.rateLimited): hint = "Too many searches. Wait a moment."
    case .failure: hint = "No connection"
    }
    show()
  }

  private func show() {
    recording.show(["places": places, "searches": isSearching, "hint": hint ?? "none"])
  }
}
