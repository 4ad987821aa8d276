import AsyncViewModelsCommandLine

/// Measures groups one after the other, and the variants of each group in turns, so that a slow moment of the machine
/// affects all variants.
struct Runner: Sendable {
  let mode: Mode
  let stop: StopSignal
  let onProgress: @Sendable (RunProgress) -> Void

  /// Measures all groups, in order.
  ///
  /// A variant that throws is reported as failed, and the other variants continue. If ``stop`` is raised, the runner returns the
  /// results so far.
  @concurrent
  func run(_ groups: [BenchmarkGroup]) async -> [GroupResult] {
    let start = ContinuousClock.now
    var results: [GroupResult] = []
    let sections = groups.map(\.section).uniqued()
    let all = groups.map(\.benchmarks.count).reduce(0, +)
    var variants = all
    for (index, group) in groups.enumerated() where !stop.isRaised {
      let budget = Budget(
        remaining: mode.total - (ContinuousClock.now - start), variantLimit: mode.variantLimit)
      let share = budget.share(of: group.benchmarks.count, among: variants)
      variants -= group.benchmarks.count
      let later = Budget(remaining: budget.remaining - share, variantLimit: mode.variantLimit)
        .estimate(
          for: variants, after: all - variants - group.benchmarks.count, in: ContinuousClock.now - start)
      let groupStart = ContinuousClock.now
      let trials = await run(group, for: share) { variant in
        let spent = ContinuousClock.now - groupStart
        onProgress(
          RunProgress(
            section: group.section, sectionNumber: sections.firstIndex(of: group.section) ?? 0,
            work: "\(group.section): \(group.title) · \(variant)", finished: index, total: groups.count,
            elapsed: ContinuousClock.now - start, remaining: max(.zero, share - spent) + later))
      }
      results.append(GroupResult(group, trials: trials))
    }
    return results
  }

  /// Calibrates each variant, then visits the variants in turns until the time is over. Every other round runs
  /// backwards, so that no variant always follows the same neighbor.
  private func run(
    _ group: BenchmarkGroup, for share: Duration, visiting: (_ variant: String) -> Void
  ) async -> [Trial] {
    let deadline = ContinuousClock.now + share
    var trials = group.benchmarks.map { Trial($0) }
    for index in trials.indices where !stop.isRaised {
      visiting(trials[index].benchmark.variant)
      let patience = ContinuousClock.now + share / (trials.count * 4)
      await trials[index].calibrate(target: mode.sample, until: patience)
    }
    // A timed sample fills its slice, so longer slices make better samples.
    let rounds = group.isTimed ? mode.minimumRounds : mode.rounds
    let slice = (deadline - ContinuousClock.now) / (trials.count * rounds)
    var round = 0
    while !stop.isRaised, trials.contains(where: { $0.failure == nil }),
      round < mode.minimumRounds || trials.contains(where: lacksSamples)
        || ContinuousClock.now + slice < deadline
    {
      for index in round.isMultiple(of: 2) ? Array(trials.indices) : trials.indices.reversed() {
        guard !stop.isRaised else { break }
        visiting(trials[index].benchmark.variant)
        await trials[index].sample(for: slice, target: mode.sample, stop: stop)
      }
      round += 1
    }
    return trials
  }

  private func lacksSamples(_ trial: Trial) -> Bool {
    trial.failure == nil && trial.samples.count < mode.minimumSamples
  }
}
