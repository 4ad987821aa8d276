import AsyncViewModelsCommandLine
import Synchronization
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct RunnerTests {
  /// A mode without any time. Each variant gets `rounds` visits: a set-up, one sample and a teardown.
  private func mode(rounds: Int) -> Mode {
    Mode(
      name: "test", total: .zero, variantLimit: .zero, sample: .zero, rounds: rounds, minimumRounds: rounds)
  }

  private final class Journal: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }
    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
  }

  private func group(_ benchmarks: [Benchmark]) -> BenchmarkGroup {
    BenchmarkGroup(section: "Test", title: "work", unit: "step", reference: "a", benchmarks: benchmarks)
  }

  private func journaling(_ variant: String, in journal: Journal) -> Benchmark {
    Benchmark(
      variant, subject: { journal.note("+\(variant)") }, tearDown: { journal.note("-\(variant)") },
      work: { _, iterations in iterations })
  }

  @Test("variants take turns, in reverse every other round; each is torn down before the next is set up")
  func interleaving() async {
    let journal = Journal()
    let runner = Runner(mode: mode(rounds: 2), stop: StopSignal()) { _ in }
    let results = await runner.run([group(["a", "b", "c"].map { journaling($0, in: journal) })])

    let warmUp = ["+a", "-a", "+b", "-b", "+c", "-c"]
    let forth = warmUp
    let back = ["+c", "-c", "+b", "-b", "+a", "-a"]
    #expect(journal.all == warmUp + forth + back)
    #expect(results[0].measurements.map(\.variant) == ["a", "b", "c"])
    #expect(results[0].measurements.allSatisfy { $0.time.count == 2 })
  }

  @Test("a sample that is shorter than its target time grows")
  func calibration() async {
    let patient = Mode(
      name: "test", total: .seconds(40), variantLimit: .seconds(40), sample: .seconds(3_600), rounds: 1,
      minimumRounds: 1)
    let stop = StopSignal()
    let sizes = Mutex<[Int]>([])
    let work = Benchmark("a") { iterations in
      sizes.withLock { $0.append(iterations) }
      // The sample has grown, so the run can end.
      if iterations > 1 {
        stop.raise()
        throw CancellationError()
      }
      return iterations
    }
    _ = await Runner(mode: patient, stop: stop) { _ in }.run([group([work])])
    #expect(sizes.withLock { $0 } == [1, 10])
  }

  /// Runs work that takes almost no time, or ten milliseconds in a delayed batch.
  ///
  /// - Returns: The sizes of the batches in each visit.
  private func batches(
    delayed isDelayed: @escaping @Sendable (_ batch: Int, _ visit: Int) -> Bool
  ) async -> [[Int]] {
    let mode = Mode(
      name: "test", total: .milliseconds(200), variantLimit: .seconds(1), sample: .milliseconds(1), rounds: 1,
      minimumRounds: 1)
    let visits = Mutex<[[Int]]>([])
    let work = Benchmark("a", subject: { visits.withLock { $0.append([]) } }) { _, iterations in
      let (batch, visit) = visits.withLock { visits in
        visits[visits.count - 1].append(iterations)
        return (visits[visits.count - 1].count - 1, visits.count - 1)
      }
      let end = ContinuousClock.now + (isDelayed(batch, visit) ? .milliseconds(10) : .zero)
      while ContinuousClock.now < end {}
      for step in 0..<iterations { blackHole(step) }
      return iterations
    }
    _ = await Runner(mode: mode, stop: StopSignal()) { _ in }.run([group([work])])
    return visits.withLock { $0 }
  }

  @Test("a delayed batch does not decide the size of the samples")
  func delayedBatch() async throws {
    try await expectOnce {
      let visits = await batches { batch, visit in (batch, visit) == (0, 0) }
      return try #require(visits.first?.last) > 1
    }
  }

  @Test("a later visit replaces a sample size that a delayed calibration chose")
  func delayedCalibration() async throws {
    try await expectOnce {
      let visits = await batches { _, visit in visit == 0 }
      try #require(visits.count > 1)
      #expect(visits[0].allSatisfy { $0 == 1 })
      return try #require(visits[1].last) > 1
    }
  }

  /// Expects that one of several attempts succeeds: on a busy machine, any batch can be delayed.
  private func expectOnce(_ attempt: () async throws -> Bool) async rethrows {
    for _ in 1...50 where try await attempt() { return }
    Issue.record("no attempt has succeeded")
  }

  @Test("each variant gets the minimum number of samples, even after the time is over")
  func samples() async {
    var mode = mode(rounds: 1)
    mode.minimumSamples = 7
    let results = await Runner(mode: mode, stop: StopSignal()) { _ in }.run([group([Benchmark("a") { $0 }])])
    #expect(results[0].measurements[0].time.count == 7)
  }

  @Test("the metrics are read after each sample")
  func metrics() async {
    let rounds = Journal()
    let benchmark = Benchmark("a") {
      Workload(
        run: { $0 },
        metrics: {
          rounds.note("asked")
          return [Metric("calls", unit: "calls", Double(rounds.all.count))]
        })
    }
    let results = await Runner(mode: mode(rounds: 3), stop: StopSignal()) { _ in }.run([group([benchmark])])
    let metrics = results[0].measurements[0].metrics
    #expect(metrics.map(\.name) == ["calls"])
    #expect(metrics[0].statistics.count == 3)
  }

  @Test("a timed benchmark is asked for one sample in each round, which fills its share of the time")
  func timed() async throws {
    let mode = Mode(
      name: "test", total: .seconds(20_000), variantLimit: .seconds(20_000), sample: .milliseconds(1),
      rounds: 12, minimumRounds: 2)
    let stop = StopSignal()
    let slices = Mutex<[Duration]>([])
    let benchmark = Benchmark.timed("a") { slice in
      slices.withLock { slices in
        slices.append(slice)
        if slices.count == 2 { stop.raise() }
      }
      return Sample(
        time: .milliseconds(7), cpu: .milliseconds(9), metrics: [Metric("taps", 1), Metric("taps", 3)])
    }
    let results = await Runner(mode: mode, stop: stop) { _ in }.run([group([benchmark])])
    let slice = try #require(slices.withLock { $0 }.first)
    #expect(slice > .seconds(9_000) && slice <= .seconds(10_000))
    let measurement = try #require(results[0].measurements.first)
    #expect(measurement.time.median == 7e6 && measurement.cpu == 9e6 && measurement.time.count == 2)
    #expect(measurement.memory == nil && measurement.threads == nil && measurement.allocations == nil)
    #expect(measurement.metric("taps") == 2)
  }

  @Test("a timed benchmark that throws is reported and not run again")
  func failingTimed() async {
    struct Refusal: Error {}
    let journal = Journal()
    let failing = Benchmark.timed("a") { _ in
      journal.note("asked")
      throw Refusal()
    }
    let results = await Runner(mode: mode(rounds: 3), stop: StopSignal()) { _ in }.run([group([failing])])
    #expect(results[0].failures == [GroupResult.Failure(variant: "a", message: "Refusal()")])
    #expect(journal.all == ["asked"])
  }

  @Test("a variant that throws is reported and not run again, and the other variants continue")
  func failure() async {
    struct Refusal: Error {}
    let journal = Journal()
    let failing = Benchmark(
      "b", subject: { journal.note("+b") }, tearDown: { journal.note("-b") },
      work: { _, _ in throw Refusal() })
    let runner = Runner(mode: mode(rounds: 3), stop: StopSignal()) { _ in }
    let results = await runner.run([group([journaling("a", in: Journal()), failing])])

    #expect(results[0].measurements.map(\.variant) == ["a"])
    #expect(results[0].failures == [GroupResult.Failure(variant: "b", message: "Refusal()")])
    #expect(journal.all == ["+b", "-b"])
  }

  @Test("a group whose variants all failed ends before its time is over")
  func onlyFailures() async {
    struct Refusal: Error {}
    let patient = Mode(
      name: "test", total: .seconds(3_600), variantLimit: .seconds(3_600), sample: .zero, rounds: 1,
      minimumRounds: 1)
    let failing = Benchmark("a") { _ in throw Refusal() }
    let results = await Runner(mode: patient, stop: StopSignal()) { _ in }.run([group([failing])])
    #expect(results[0].failures == [GroupResult.Failure(variant: "a", message: "Refusal()")])
  }

  @Test("a variant whose set-up throws is reported")
  func failingSetUp() async {
    struct NoServer: Error {}
    let benchmark = Benchmark(
      "a", subject: { () throws -> Int in throw NoServer() }, work: { _, count in count })
    let results = await Runner(mode: mode(rounds: 1), stop: StopSignal()) { _ in }.run([group([benchmark])])
    #expect(results[0].failures == [GroupResult.Failure(variant: "a", message: "NoServer()")])
  }

  @Test("after a stop signal the runner starts nothing and returns the results so far")
  func stopping() async {
    let stop = StopSignal()
    let journal = Journal()
    let last = Benchmark("a") { iterations in
      stop.raise()
      return iterations
    }
    let runner = Runner(mode: mode(rounds: 2), stop: stop) { _ in }
    let results = await runner.run([
      group([last, journaling("b", in: journal)]), group([journaling("c", in: journal)]),
    ])
    #expect(journal.all.isEmpty)
    #expect(results.count == 1)
    #expect(results[0].measurements.isEmpty)
  }

  @Test("the progress names the work and counts the groups")
  func progress() async {
    let journal = Journal()
    let runner = Runner(mode: mode(rounds: 1), stop: StopSignal()) { progress in
      journal.note("\(progress.finished)/\(progress.total) \(progress.work)")
    }
    _ = await runner.run([group([Benchmark("a") { $0 }]), group([Benchmark("b") { $0 }])])
    #expect(
      journal.all == [
        "0/2 Test: work · a", "0/2 Test: work · a", "1/2 Test: work · b", "1/2 Test: work · b",
      ])
  }

  @Test("a log gets one line for each section, however many groups and variants the section has")
  func progressLog() async {
    let journal = Journal()
    let line = ProgressLine(isTerminal: false, write: journal.note)
    let groups = [("A", "one"), ("A", "two"), ("B", "three")].map { section, title in
      BenchmarkGroup(
        section: section, title: title, unit: "u", reference: "a",
        benchmarks: ["a", "b"].map { Benchmark($0) { $0 } })
    }
    let runner = Runner(mode: mode(rounds: 2), stop: StopSignal()) {
      line.show($0.line, step: $0.sectionNumber, logText: $0.logLine)
    }
    _ = await runner.run(groups)
    #expect(journal.all.map { $0.prefix { $0 != "," } } == ["[1/3] A", "[3/3] B"])
  }

  @Test("a progress line for a terminal has at most 78 characters, and a line for a log counts the groups")
  func progressLines() {
    func progress(_ work: String) -> RunProgress {
      RunProgress(
        section: "State", sectionNumber: 0, work: work, finished: 1, total: 4, elapsed: .seconds(20),
        remaining: .seconds(60))
    }
    #expect(progress("State: send · Mutex").line == "25 %  State: send · Mutex  1 min 0 s left")
    #expect(progress("a").logLine == "[2/4] State, 1 min 0 s left")
    let long = progress(String(repeating: "x", count: 200)).line
    #expect(long.count == 78)
    #expect(long.hasSuffix("…  1 min 0 s left"))
  }
}
