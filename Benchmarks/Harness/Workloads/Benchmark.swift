/// One way of doing the work that the title of its ``BenchmarkGroup`` names.
///
/// Variants of one group do the same work and count it in the same unit, so that their figures can be compared.
struct Benchmark: Sendable {
  /// Who does the work: "AsyncStream per observer", "closure stage".
  let variant: String

  /// Whether this is the least that the work can cost on this machine, rather than a way to do it that one would choose.
  /// A run that is compared with an earlier one takes the machine's own drift from the floors.
  private(set) var isFloor = false

  /// Builds what is to be measured, outside of the measured time. Called anew for each visit, and what it built is
  /// torn down before another variant's turn, so that no variant runs beside the idle tasks of another.
  let setUp: @Sendable () async throws -> Workload

  init(_ variant: String, setUp: @escaping @Sendable () async throws -> Workload) {
    self.variant = variant
    self.setUp = setUp
  }

  /// The same, as a floor of its group.
  var asFloor: Benchmark {
    var floor = self
    floor.isFloor = true
    return floor
  }

  /// Work that needs nothing but itself: repeats the work `iterations` times, and returns how many operations
  /// that were.
  init(_ variant: String, work: @escaping @Sendable (_ iterations: Int) async throws -> Int) {
    self.init(variant) { Workload(work) }
  }

  /// Work on a subject that is set up before, and torn down after, the measured time.
  init<Subject: Sendable>(
    _ variant: String,
    subject: @escaping @Sendable () async throws -> Subject,
    tearDown: @escaping @Sendable (Subject) async throws -> Void = { _ in },
    work: @escaping @Sendable (_ subject: Subject, _ iterations: Int) async throws -> Int
  ) {
    self.init(variant) {
      let subject = try await subject()
      return Workload(
        run: { iterations in try await work(subject, iterations) },
        tearDown: { try await tearDown(subject) })
    }
  }
}
