import AsyncViewModelsVirtualTime

/// Everything that a source has delivered. Sources deliver on any thread.
final class ProbedSource<Value: Sendable>: Sendable {
  private struct Log {
    var values: [Value] = []
    var hasEnded = false
  }

  private let log = Monitor(Log())

  var values: [Value] { log.snapshot.values }

  func receive(_ value: Value) { log.update { $0.values.append(value) } }

  func end() { log.update { $0.hasEnded = true } }

  /// Waits for a value. Returns `nil` if the source ends first or the task is cancelled.
  func value(at index: Int) async -> Value? {
    _ = await log.waitUnlessCancelled { $0.values.count > index || $0.hasEnded }
    return values.dropFirst(index).first
  }
}
