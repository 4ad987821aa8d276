import Foundation

/// The answers of the decision matrix for Combine, beside those of the stages, for the four features that are written with it.
enum CombineMatrix {
  /// The probes of the decision matrix that need only these four features, in its order.
  static let probes: [Probe] = [
    .severalObservers, .cancellationBefore, .cancellationDuring, .lateStates, .cancelledCallers,
    .threadSafety, .debounce, .parallelLoads, .ordering, .staleResults, .releasedModels, .releasedScreens,
    .backPressure, .endOfObservation, .synchronousEdits, .uncheckedTypes, .queueWaits,
  ]

  /// Runs the probes, and returns their table and the table of the code lines.
  ///
  /// - Throws: ``ProbeError`` for the first probe that hangs or fails.
  static func markdown(patience: Duration = .seconds(50)) async throws -> String {
    var rows: [[String]] = []
    for probe in probes {
      var cells: [String] = []
      for stage in MigrationStage.allCases {
        let numbers = try await probe.numbers(for: stage, patience: patience, ContinuousClock()) {
          try await probe.run(stage)
        }
        cells.append("\(Finding(numbers, for: probe.goals))")
      }
      rows.append([probe.title, probe.goals.map(\.text).joined(separator: ", ")] + cells)
    }
    return table(["", "wanted"], rows) + "\n\n\(Mark.legend)\n\n"
      + table(["lines of code"], try codeLines())
  }

  private static func codeLines() throws -> [[String]] {
    let shared = try CombineSources.sharedCode().reduce(0) { $0 + $1.lines.count }
    return try CombineSources.features.map { feature in
      try [String(feature.split(separator: "/")[1])]
        + MigrationStage.allCases.map { "\(try CombineSources.text(of: feature, $0).lines.count)" }
    } + [["shared by the four", "–", "–", "–", "\(shared)"]]
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    let columns = header + ["closure", "stream", "async", "Combine"]
    return ([columns, columns.map { _ in "---" }] + rows)
      .map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n").replacing("|  |", with: "| |")
  }
}
