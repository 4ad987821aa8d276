import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import Testing

/// A view model of one stage, on one form of its service, with one kind of consumer.
struct Mix: Sendable, CustomStringConvertible {
  let stage: ContractStage
  let feature: Feature
  let consumer: Consumer

  static let features = Feature.allCases + [.cart]
  static let stages = ContractStage.inProcess

  static func all(_ feature: Feature) -> [Mix] {
    stages.flatMap { stage in
      Consumer.allCases.map { Mix(stage: stage, feature: feature, consumer: $0) }
    }
  }

  var description: String { "\(feature), \(stage), \(consumer.rawValue)" }
}

extension Mix {
  /// Loads, reloads, fails, replaces and cancels, and expects after each step that the consumer has received what the view model
  /// shows. Then leaves, or releases the view model.
  @MainActor
  func check() async throws {
    let service = ScriptedNumbers()
    let consumption = try await LeakTracker.check { tracker in
      let operations = feature.makeOperations(stage, service)
      tracker.track(operations.subject)
      let consumption = operations.observe(consumer)
      try await consumption.expect(feature.all(.idle), "the first value")
      try await checkLoads(operations, service, consumption)
      return consumption
    }
    try await checkEnd(of: consumption)
    try await checkLeaving(service)
  }

  @MainActor
  private func checkLoads(
    _ operations: Feature.Operations, _ service: ScriptedNumbers, _ consumption: Consumption
  ) async throws {
    let count = feature.requestCount

    let load = await operations.begin()
    for call in try await service.next(count) { call.succeed(1) }
    await load.value
    try await consumption.expect(feature.all(.number(1)), "the answer of a load")

    let failed = await operations.replace()
    for call in try await service.next(count) { call.fail(ServiceError.busy) }
    await failed.value
    try await consumption.expect(operations.shown(), "after a failed reload")

    let superseded = await operations.replace()
    let late = try await service.next(count)
    let latest = await operations.replace()
    let calls = try await service.next(count)
    for call in late { call.succeed(9) }
    for call in calls { call.succeed(2) }
    await superseded.value
    await latest.value
    try await consumption.expect(feature.all(.number(2)), "the answer of the latest of two reloads")

    let cancelled = await operations.replace()
    _ = try await service.next(count)
    await operations.cancel()
    await cancelled.value
    try await consumption.expect(operations.shown(), "after a cancellation")

    for part in 0..<count {
      let numbers = consumption.values.compactMap(\.[part].number)
      #expect(!numbers.contains(9), "\(self): a superseded answer was shown: \(numbers)")
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<=), "\(self): out of order: \(numbers)")
    }
  }

  /// A stream and a publisher end with the view model. A callback of the closure stage is not told, and a mirror keeps the last value.
  @MainActor
  private func checkEnd(of consumption: Consumption) async throws {
    guard isToldOfTheEnd else { return }
    try await until { consumption.hasEnded }
  }

  private var isToldOfTheEnd: Bool {
    switch consumer {
    case .forAwait: true
    case .callback: stage.stage != .closure
    case .mirror: false
    #if canImport(Combine)
      case .publisher: stage.stage != .closure
    #endif
    }
  }

  @MainActor
  private func checkLeaving(_ service: ScriptedNumbers) async throws {
    let operations = feature.makeOperations(stage, service)
    let consumption = operations.observe(consumer)
    try await consumption.expect(feature.all(.idle), "the first value")
    consumption.leave()
    try await until { !consumption.isObserver() }
    let load = await operations.begin()
    for call in try await service.next(feature.requestCount) { call.succeed(3) }
    await load.value
    #expect(operations.shown() == feature.all(.number(3)))
    // An observer of the stream and async stages has left. In the closure stage, a second observer is called after the first
    // would have been.
    let second = operations.observe(.callback)
    try await second.expect(feature.all(.number(3)), "the state for a later observer")
    let received = consumption.values.flatMap { $0 }
    #expect(!received.contains(.number(3)), "\(self): received after leaving: \(received)")
  }
}

extension Consumption {
  /// Waits until the last value is the expected one.
  fileprivate func expect(_ expected: [Shown], _ what: String) async throws {
    do {
      try await until { values.last == expected }
    } catch {
      Issue.record("\(what): expected \(expected), received \(values)")
      throw error
    }
  }
}

extension Shown {
  fileprivate var number: Int? { if case .number(let number) = self { number } else { nil } }
}
