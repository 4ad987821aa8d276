import AsyncViewModelsVirtualTime

/// The states or the events of a view model, which a test mentions one after the other.
///
/// ```swift
/// let states = try await probe.states(model.states(.unbounded))
/// probe.send { await model.load() }
/// try await states.expect { $0.isLoading = true }
/// ```
///
/// ``ViewModelProbe`` creates a stream, and fails for each value that the test did not mention.
///
/// - Ordering: The values are compared in the order of their delivery, each once. An equal value
///   that is delivered again is another value.
/// - Cancellation: A wait ends with an error if the test is cancelled, also by ``WaitEnding``.
public final class ProbedStream<Value: Equatable & Sendable> {
  private let source: ProbedSource<Value>
  private let isConflating: Bool
  private let isExhaustive: Bool
  private let settle: (() async -> Void)?

  /// The number of values that the test has mentioned or skipped.
  private var position = 0

  /// The last value that the test mentioned. For states, at first the value before the first
  /// intent.
  public private(set) var last: Value?

  init(
    _ source: ProbedSource<Value>, startingWith last: Value?, conflating: Bool, exhaustive: Bool,
    settling settle: (() async -> Void)?
  ) {
    (self.source, self.last, self.settle) = (source, last, settle)
    (isConflating, isExhaustive) = (conflating, exhaustive)
  }

  /// Returns the next value, and waits for it if necessary. The value then counts as mentioned.
  ///
  /// - Throws: ``ProbeError/missing(_:at:)`` if the stream ends first or the wait is cancelled.
  @discardableResult
  public func next(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Value {
    guard let value = await value(at: position) else {
      throw ProbeError.missing(["any value"], at: "\(fileID):\(line)")
    }
    position += 1
    last = value
    return value
  }

  /// Checks that the next state is the last one with these changes.
  ///
  /// Compares the whole state. A stream that conflates may skip states. A probe that is not
  /// exhaustive also skips states, and checks only what the closure changes.
  ///
  /// - Throws: ``ProbeError/unexpected(_:at:)`` or ``ProbeError/missing(_:at:)``, with a line for
  ///   each field that differs.
  /// - Precondition: The stream has a last value.
  public func expect(
    fileID: StaticString = #fileID, line: UInt = #line, _ change: (inout Value) throws -> Void
  ) async throws {
    guard let last else {
      preconditionFailure("ProbedStream.expect: a change needs a last value; mention a value first")
    }
    func changed(_ value: Value) throws -> Value {
      var value = value
      try change(&value)
      return value
    }
    let expected = try changed(last)
    try await find(expected, at: "\(fileID):\(line)") {
      try isExhaustive ? $0 == expected : changed($0) == $0
    }
  }

  /// Checks that the next value is this one.
  ///
  /// - Throws: ``ProbeError/unexpected(_:at:)`` or ``ProbeError/missing(_:at:)``, with a line for
  ///   each field that differs.
  public func expect(
    _ value: Value, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await find(value, at: "\(fileID):\(line)") { $0 == value }
  }

  private func find(
    _ expected: Value, at place: String, _ isExpected: (Value) throws -> Bool
  ) async throws {
    let skips = isConflating || !isExhaustive
    var received: Value?
    while let value = await value(at: position) {
      position += 1
      received = value
      if try isExpected(value) {
        last = value
        return
      }
      if !skips {
        throw ProbeError.unexpected(
          ValueDifference.lines(expected: expected, received: value), at: place)
      }
    }
    let lines = (received ?? last).map { ValueDifference.lines(expected: expected, received: $0) }
    throw ProbeError.missing(lines ?? ["\(expected)"], at: place)
  }

  private func value(at index: Int) async -> Value? {
    guard let settle else { return await source.value(at: index) }
    await settle()
    return source.values.dropFirst(index).first
  }

  /// A line for each value that the test did not mention.
  func leftovers(named name: String) -> [String] {
    var values = source.values.dropFirst(position)
    if isConflating { values = values.suffix(1).filter { $0 != last }[...] }
    var previous = last
    return values.map { value in
      defer { previous = value }
      guard let previous, name == "state" else { return "\(name): \(value)" }
      if previous == value { return "\(name): an equal value was delivered again" }
      return "\(name): " + ValueDifference.lines(from: previous, to: value).joined(separator: "; ")
    }
  }
}
