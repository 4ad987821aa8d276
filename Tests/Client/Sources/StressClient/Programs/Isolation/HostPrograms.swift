import AsyncViewModels
import Dispatch

extension StressProgram {
  static var isolation: [StressProgram] {
    [
      StressProgram(
        name: "hosts-shared",
        summary: "actors that share a host, and code on the host's queue, never run at the same time",
        run: shared),
      StressProgram(
        name: "hosts-lifetime", summary: "an actor keeps its host alive while calls are running",
        run: lifetime),
    ] + viewModelActors + errorIsolation
  }

  /// A counter that the actors of one host share.
  ///
  /// `@unchecked Sendable`: the isolation of the host guards `count` and `isInside`.
  private final class SharedCounter: @unchecked Sendable {
    private(set) var count = 0
    private var isInside = false

    func write() {
      if isInside { fatalError("two writers at the same time") }
      isInside = true
      count += 1
      isInside = false
    }
  }

  /// An actor that does nothing but host others.
  private actor PlainHost {}

  private actor Hosted: ViewModelActor {
    nonisolated let hosted: HostedState<Void>
    private let counter: SharedCounter

    init(_ counter: SharedCounter, on isolation: (any Actor)? = nil) {
      hosted = HostedState((), on: isolation)
      self.counter = counter
    }

    var written: Int { counter.count }

    func write() { counter.write() }

    /// Uses the other actor without an `await`, which requires that both have the same host.
    func write(with other: Hosted) async {
      write()
      writeSynchronously(with: other)
      await Task.yield()
      write()
      other.preconditionIsolated()
    }

    private func writeSynchronously(with other: Hosted) { other.assumeIsolated { $0.write() } }
  }

  private static func shared(load: Load) async throws {
    let queueHost = QueueIsolation(DispatchQueue(label: "hosts-shared"))
    let rounds = 400
    for host: any Actor in [PlainHost(), queueHost, MainActor.shared] {
      let counter = SharedCounter()
      let (first, second) = (Hosted(counter, on: host), Hosted(counter, on: host))
      try await load.inParallel { task in
        for round in 1...rounds {
          let (one, other) = (task + round) % 2 == 0 ? (first, second) : (second, first)
          await one.write(with: other)
          if host is QueueIsolation { await onQueue(queueHost.queue) { other.assumeIsolated { $0.write() } } }
          if host is MainActor { await onMain(other) }
          if host is PlainHost { await other.write() }
        }
      }
      let written = await first.written
      try expectEqual(written, 4 * rounds * load.tasks, "writes of the actors of \(host)")
    }
    await expectOneExecutor(queueHost)
  }

  @MainActor
  private static func onMain(_ hosted: Hosted) { hosted.assumeIsolated { $0.write() } }

  /// An actor that uses its host without a ``HostedState``.
  private actor DirectlyHosted {
    private nonisolated let host: QueueIsolation
    nonisolated var unownedExecutor: UnownedSerialExecutor { host.unownedExecutor }

    init(_ host: QueueIsolation) { self.host = host }

    func use(_ hosted: Hosted) {
      dispatchPrecondition(condition: .onQueue(host.queue))
      host.preconditionIsolated()
      hosted.assumeIsolated { $0.write() }
    }
  }

  /// Checks that an actor has the executor of its host, even if the host is itself a hosted actor.
  private static func expectOneExecutor(_ host: QueueIsolation) async {
    let hosted = Hosted(SharedCounter(), on: Hosted(SharedCounter(), on: host))
    await DirectlyHosted(host).use(hosted)
    await onQueue(host.queue) { hosted.assumeIsolated { $0.write() } }
  }

  private static func lifetime(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...600 {
        var counter: SharedCounter? = SharedCounter()
        weak let releasedCounter = counter
        var hosted: Hosted? = counter.map { host($0, round) }
        weak let releasedActor = hosted
        counter = nil
        let calls = (0..<4).compactMap { _ in hosted.map { hosted in Task { await hosted.write() } } }
        let written = await hosted?.written ?? 0
        try expect((0...4).contains(written), "\(written) of 4 calls wrote")
        hosted = nil
        for call in calls { await call.value }
        await until { releasedActor == nil && releasedCounter == nil }
      }
    }
  }

  /// Returns a hosted actor that is the only owner of its host.
  private static func host(_ counter: SharedCounter, _ round: Int) -> Hosted {
    switch round % 3 {
    case 0: Hosted(counter)
    case 1: Hosted(counter, on: QueueIsolation(DispatchQueue(label: "hosts-lifetime")))
    default: Hosted(counter, on: Hosted(counter))
    }
  }
}
