/// What a part of the runs of a simulation has added up to.
struct SimulationStatistics: Sendable {
  var summary = SimulationSummary()
  private var schedules: Set<UInt64> = []
  /// Whether a run had an order that its seed did not choose: the runtime chose it, or a thread
  /// outside the world ran beside it.
  private var ranUnchosen = false
  /// Whether an exploration has run all interleavings.
  var isComplete = false

  mutating func add(_ core: SimulatedWorldCore) {
    summary.runs += 1
    summary.choices += core.choices.count
    ranUnchosen = ranUnchosen || core.ranUnchosen || core.suspect.withLock { $0 != nil }
    schedules.insert(core.hash.value)
    summary.distinctSchedules = schedules.count
  }

  mutating func add(_ other: SimulationStatistics) {
    summary.runs += other.summary.runs
    summary.choices += other.summary.choices
    summary.replaysCompared += other.summary.replaysCompared
    ranUnchosen = ranUnchosen || other.ranUnchosen
    schedules.formUnion(other.schedules)
    summary.distinctSchedules = schedules.count
    isComplete = isComplete || other.isComplete
    summary.isExhaustive = isComplete && !ranUnchosen
  }
}

/// A hash of the schedule of a run. Different schedules almost never have the same hash.
struct ScheduleHash: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func mix(_ word: UInt64) {
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }
}
