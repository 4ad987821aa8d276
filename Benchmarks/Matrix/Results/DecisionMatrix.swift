import StorefrontTesting

/// What each stage can do, found out by probes: the answer to "should we migrate this view model?"
struct DecisionMatrix: Codable, Equatable, Sendable {
  struct Row: Codable, Equatable, Sendable {
    let title: String
    let trial: String
    let closure: Finding
    let stream: Finding
    let async: Finding

    /// The findings, in the order of the stages.
    var findings: [Finding] { [closure, stream, async] }
  }

  let rows: [Row]

  /// Runs all probes, one after the other.
  ///
  /// - Throws: ``ProbeError`` for the first probe that hangs or fails.
  static func probed(
    _ probes: [Probe] = all, patience: Duration = .seconds(50)
  ) async throws(ProbeError) -> DecisionMatrix {
    var rows: [Row] = []
    for probe in probes {
      rows.append(
        Row(
          title: probe.title, trial: probe.trial,
          closure: try await probe.finding(for: .closure, patience: patience),
          stream: try await probe.finding(for: .stream, patience: patience),
          async: try await probe.finding(for: .async, patience: patience)))
    }
    return DecisionMatrix(rows: rows)
  }

  /// The rows of the table, in order.
  static let all: [Probe] = [
    .oneShotRequest, .severalObservers, .cancellationBefore, .cancellationDuring, .cancelledCallers,
    .threadSafety, .deadlocks, .debounce, .throttle, .parallelCoordination, .ordering, .staleResults,
    .lostEvents, .retention, .backPressure, .endOfObservation, .testability, .debugging, .linesOfCode,
  ]
}
