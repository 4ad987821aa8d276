import StorefrontTesting

/// What each stage can do, found out by probes: the answer to "should we migrate this view model?"
struct DecisionMatrix: Codable, Equatable, Sendable {
  struct Row: Codable, Equatable, Sendable {
    let title: String
    let subject: Probe.Subject
    let trial: String
    let wanted: String
    let closure: Cell
    let stream: Cell
    let async: Cell

    /// The cells, in the order of the stages.
    var cells: [Cell] { [closure, stream, async] }
  }

  /// What a probe finds out about a stage as it ships, and about a variant of the stage, if there is one.
  struct Cell: Codable, Equatable, Sendable {
    let finding: Finding
    var variant: Variant?

    struct Variant: Codable, Equatable, Sendable {
      let label: String
      let finding: Finding
    }
  }

  let rows: [Row]

  /// The rows that measured `subject`, in order.
  func rows(of subject: Probe.Subject) -> [Row] { rows.filter { $0.subject == subject } }

  /// Runs all probes, one after the other.
  ///
  /// - Parameter clock: The clock that measures the patience.
  /// - Throws: ``ProbeError`` for the first probe that hangs or fails.
  static func probed(
    _ probes: [Probe] = all, patience: Duration = .seconds(50), clock: any Clock<Duration> = ContinuousClock()
  ) async throws(ProbeError) -> DecisionMatrix {
    var rows: [Row] = []
    for probe in probes { rows.append(try await row(of: probe, patience: patience, clock)) }
    return DecisionMatrix(rows: rows)
  }

  private static func row(
    of probe: Probe, patience: Duration, _ clock: any Clock<Duration>
  ) async throws(ProbeError) -> Row {
    var cells: [Cell] = []
    for stage in MigrationStage.allCases {
      let numbers = try await probe.numbers(for: stage, patience: patience, clock) {
        try await probe.run(stage)
      }
      var cell = Cell(finding: Finding(numbers, for: probe.goals))
      if let variant = probe.variants.first(where: { $0.stage == stage }) {
        let numbers = try await probe.numbers(for: stage, patience: patience, clock, variant.run)
        cell.variant = Cell.Variant(
          label: variant.label, finding: Finding(numbers, for: probe.goals))
      }
      cells.append(cell)
    }
    return Row(
      title: probe.title, subject: probe.subject, trial: probe.trial,
      wanted: probe.goals.map(\.text).joined(separator: ", "), closure: cells[0], stream: cells[1],
      async: cells[2])
  }

  /// The rows of the tables, in order.
  static let all: [Probe] = [
    .oneShotRequest, .oneShotRequestWithDeadline, .severalObservers, .cancellationBefore,
    .cancellationDuring, .lateStates, .cancelledCallers, .threadSafety, .debounce, .throttle,
    .parallelLoads, .ordering, .staleResults, .lostEvents, .releasedModels, .releasedScreens,
    .backPressure, .endOfObservation, .testability, .tracing, .callerOnStack, .synchronousEdits,
    .synchronousEffect, .synchronousOrder, .synchronousTasks, .callsOnQueue, .parallelLimit,
    .uncheckedTypes, .queueWaits, .oldestSystem,
  ]
}

extension DecisionMatrix.Cell: CustomStringConvertible {
  var description: String {
    "\(finding)" + (variant.map { "; \($0.label): \($0.finding)" } ?? "")
  }
}
