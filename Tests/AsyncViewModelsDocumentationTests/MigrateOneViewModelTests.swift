import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Testing

/// What the guide says of its view model, after each of its steps.
@Suite("Guide: migrate one view model", .timeLimit(.minutes(1)))
struct MigrateOneViewModelTests {
  enum Step: CaseIterable, Sendable { case before, streamed, hosted, migrated }

  private struct Subject {
    let object: any AnyObject & Sendable
    let states: @Sendable () -> AsyncStream<OrdersState>
    let load: @Sendable () async -> Void
  }

  private struct ScriptedOrders: LegacyOrders {
    let calls = ScriptedCalls<Void, [String]>()

    func orders(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) -> OrdersRequest {
      let token = calls((), completion: completion)
      return OrdersRequest { token.cancel() }
    }
  }

  private func subject(_ step: Step, _ service: ScriptedOrders) -> Subject {
    switch step {
    case .before:
      let model = Before.OrdersModel(service: service)
      let states = { @Sendable in
        AsyncStream(buffering: .unbounded) {
          model.bind($0)
          return .ended
        }
      }
      return Subject(object: model, states: states) { model.load() }
    case .streamed:
      let model = Streamed.OrdersModel(service: service)
      return Subject(object: model, states: model.states) { model.load() }
    case .hosted:
      let model = Hosted.OrdersModel(service: service)
      return Subject(object: model, states: model.states) { model.load() }
    case .migrated:
      let model = Migrated.OrdersModel(service: AsyncOrders(legacy: service))
      return Subject(object: model, states: model.states) { await model.load() }
    }
  }

  @Test("a load is shown, then what came of it; a failure leaves the old orders", arguments: Step.allCases)
  func load(step: Step) async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedOrders()
      let subject = subject(step, service)
      tracker.track(subject.object)
      let states = StateRecorder(subject.states())
      await subject.load()
      let call = try await service.calls.next()
      try await states.first { $0.isLoading }
      call.succeed(["tea"])
      try await states.first { !$0.isLoading && $0.orders == ["tea"] }
      await subject.load()
      try await service.calls.next().fail(URLError(.timedOut))
      try await states.first { $0.failure is URLError && $0.orders == ["tea"] }
    }
  }

  @Test("a second load calls the first one off", arguments: Step.allCases)
  func refresh(step: Step) async throws {
    let service = ScriptedOrders()
    let subject = subject(step, service)
    let states = StateRecorder(subject.states())
    await subject.load()
    let first = try await service.calls.next()
    await subject.load()
    await first.waitForCancellation()
    try await service.calls.next().succeed(["coffee"])
    try await states.first { $0.orders == ["coffee"] }
  }

  @Test("both kinds of screen show a streamed model, and the new one goes away")
  @MainActor
  func screens() async throws {
    let service = ScriptedOrders()
    let model = Streamed.OrdersModel(service: service)
    let old = StateRecorder(AsyncStream(buffering: .latest) { model.bind($0) })
    try await LeakTracker.check { tracker in
      let screen = tracker.track(OrdersScreen())
      screen.show(model.states())
      model.load()
      try await service.calls.next().succeed(["tea"])
      try await until { screen.shown.orders == ["tea"] }
    }
    try await old.first { $0.orders == ["tea"] }
  }

  @Test("a new service serves a model that has not moved yet")
  func newService() async throws {
    let scripted = ScriptedOrders()
    let service = ClosureOrders(service: AsyncOrders(legacy: scripted))
    let model = Streamed.OrdersModel(service: service)
    let states = StateRecorder(model.states())
    model.load()
    try await scripted.calls.next().succeed(["tea"])
    try await states.first { $0.orders == ["tea"] }
  }

  @Test("the code of the guide stands beside this file, line by line")
  func code() throws {
    let here = Set(
      try text("Tests/AsyncViewModelsDocumentationTests/MigratedOrders.swift").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    let blocks = try text("Documentation/MigrateOneViewModel.md").components(separatedBy: "```swift\n")
      .dropFirst()
    let lines = blocks.flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let missing = lines.filter { !$0.hasPrefix("//") && !here.contains($0) }
    #expect(missing.isEmpty)
    #expect(lines.count > 60)
  }

  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
