/// One way to do the work that the title of its ``BenchmarkGroup`` names.
///
/// The variants of a group do the same work and count it in the same unit, so that their times can be compared.
public struct Benchmark: Sendable {
  /// What does the work: "AsyncStream per observer", "closure stage".
  package let variant: String

  /// Whether the variant is a floor: the bare mechanism that most of the other variants use.
  ///
  /// A comparison of two runs derives the drift of the machine, its change in speed, from the floors.
  private(set) var isFloor = false

  let work: Work

  enum Work: Sendable {
    /// Builds the workload, outside the measured time.
    ///
    /// The runner calls this closure at the beginning of each visit of the variant, and tears the workload down
    /// at the end of the visit. So no variant runs beside the idle tasks of another.
    case repeated(@Sendable () async throws -> Workload)

    /// Takes a sample that lasts about as long as the runner asks for.
    case timed(@Sendable (Duration) async throws -> Sample)
  }

  /// Creates a benchmark. `setUp` builds the workload for each visit of the variant.
  public init(_ variant: String, setUp: @escaping @Sendable () async throws -> Workload) {
    self.init(variant, .repeated(setUp))
  }

  /// Creates a benchmark of work that runs in real time, such as frames, and takes its own figures, for example in a child process.
  ///
  /// The runner neither calibrates such a benchmark nor counts its allocations, and reports neither its memory nor its threads.
  ///
  /// - Parameter sample: Measures for about the given time. It may take longer.
  package static func timed(
    _ variant: String, sample: @escaping @Sendable (Duration) async throws -> Sample
  ) -> Benchmark {
    Benchmark(variant, .timed(sample))
  }

  private init(_ variant: String, _ work: Work) { (self.variant, self.work) = (variant, work) }

  var isTimed: Bool { if case .timed = work { true } else { false } }

  /// The same benchmark, as a floor of its group.
  public var asFloor: Benchmark {
    var floor = self
    floor.isFloor = true
    return floor
  }

  /// Creates a benchmark whose work needs no subject.
  ///
  /// - Parameter work: Repeats the work `iterations` times, and returns the number of operations.
  package init(_ variant: String, work: @escaping @Sendable (_ iterations: Int) async throws -> Int) {
    self.init(variant) { Workload(work) }
  }

  /// Creates a benchmark of a subject, which is set up before the measured time and torn down after it.
  @inlinable
  public init<Subject: Sendable>(
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
