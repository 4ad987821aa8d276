import AsyncViewModels
import StorefrontTesting

/// One question of the decision matrix, which the program answers for each stage of the shipped view models.
///
/// A probe takes its numbers from counts, virtual time and scripted answers, so every run finds the same.
struct Probe: Sendable {
  /// The row of the table: "several observers".
  let title: String
  /// What the probe tries, for the reader of the table.
  let trial: String
  let run: @Sendable (MigrationStage) async throws -> Finding

  init(_ title: String, _ trial: String, run: @escaping @Sendable (MigrationStage) async throws -> Finding) {
    self.title = title
    self.trial = trial
    self.run = run
  }

  /// Runs the probe for one stage.
  ///
  /// - Parameter patience: The time after which a probe counts as hanging. No finding depends on it.
  /// - Throws: ``ProbeError``, which names the probe and the stage.
  func finding(for stage: MigrationStage, patience: Duration) async throws(ProbeError) -> Finding {
    do {
      return try await withAbandoningDeadline(patience) { try await run(stage) }
    } catch let error as DeadlineExceeded where error.duration == patience {
      throw .hangs(probe: title, stage: stage, after: patience)
    } catch {
      throw .failed(probe: title, stage: stage, reason: "\(error)")
    }
  }
}

/// Why a probe has no finding.
enum ProbeError: Error, Equatable {
  case hangs(probe: String, stage: MigrationStage, after: Duration)
  case failed(probe: String, stage: MigrationStage, reason: String)
}

extension ProbeError: CustomStringConvertible {
  var description: String {
    switch self {
    case .hangs(let probe, let stage, let patience):
      "the probe '\(probe)' of the \(stage) stage hangs: it did not end within \(patience)"
    case .failed(let probe, let stage, let reason):
      "the probe '\(probe)' of the \(stage) stage failed: \(reason)"
    }
  }
}
