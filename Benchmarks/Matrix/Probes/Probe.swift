import AsyncViewModels
import StorefrontTesting

/// One question of the decision matrix, which the program answers for each stage.
///
/// A probe takes its numbers from counts, virtual time and scripted answers, so every run finds the same.
struct Probe: Sendable {
  /// What a probe measures.
  enum Subject: String, CaseIterable, Codable, Sendable {
    /// The shipped view models, which the probe runs.
    case viewModels
    /// The tools of a stage, which the probe runs without a view model.
    case parts
    /// The text of the source files.
    case source

    /// The heading of the table.
    var heading: String {
      switch self {
      case .viewModels: "What the view models did"
      case .parts: "What the tools of a stage did, without a view model"
      case .source: "What the source files contain"
      }
    }
  }

  /// The same probe for one stage that is used in another way, such as "bridged to a stream".
  struct Variant: Sendable {
    let stage: MigrationStage
    let label: String
    let run: @Sendable () async throws -> [Int]
  }

  /// The row of the table: "several observers".
  let title: String
  /// What the probe tries, for the reader of the table.
  let trial: String
  let subject: Subject
  /// What is wanted from every stage, one goal for each number.
  let goals: [Goal]
  let run: @Sendable (MigrationStage) async throws -> [Int]
  private(set) var variants: [Variant] = []

  init(
    _ title: String, _ trial: String, on subject: Subject = .viewModels, wanted goals: Goal...,
    run: @escaping @Sendable (MigrationStage) async throws -> [Int]
  ) {
    self.title = title
    self.trial = trial
    self.subject = subject
    self.goals = goals
    self.run = run
  }

  /// Adds a variant, whose finding is shown next to that of the stage, unless this system lacks what the variant needs.
  func variant(
    of stage: MigrationStage, _ label: String, isAvailable: Bool = true,
    run: @escaping @Sendable () async throws -> [Int]
  ) -> Probe {
    guard isAvailable else { return self }
    var probe = self
    probe.variants.append(Variant(stage: stage, label: label, run: run))
    return probe
  }

  /// Runs `body`, which measures one stage.
  ///
  /// - Parameter patience: The time after which a probe counts as hanging. No finding depends on it.
  /// - Throws: ``ProbeError``, which names the probe and the stage.
  func numbers(
    for stage: MigrationStage, patience: Duration, _ clock: any Clock<Duration>,
    _ body: @escaping @Sendable () async throws -> [Int]
  ) async throws(ProbeError) -> [Int] {
    do {
      return try await withAbandoningDeadline(patience, clock: clock, operation: body)
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
