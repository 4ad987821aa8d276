import Dispatch
import Foundation
import Synchronization

/// Runs a small world in which each hook has something to see. A hook that sees nothing would make
/// a simulation claim more than it does.
enum HookCheck {
  /// What a hook does not see, or nil if all hooks work.
  ///
  /// Uses a new thread. On the calling thread, which computes the initial value of a variable, no
  /// place counts.
  static func problem() -> String? {
    let problem = UninterruptedMutex<String?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let found = findProblem()
      problem.withLock { $0 = found }
      ended.signal()
    }
    ended.wait()
    return problem.withLock(\.self)
  }

  private static func findProblem() -> String? {
    let core = SimulatedWorldCore(
      chooser: PathChooser([]), limits: SimulatedWorldCore.Limits(steps: 1_000, patience: 1_000),
      records: true)
    let probe = Probe()
    core.seenPlaces = []
    let slept = Mutex(Duration.zero)
    core.run(on: nil) {
      await probe.wait()
      #if !canImport(Darwin)
        let start = ContinuousClock.now
        try await Task.sleep(for: .seconds(3_600))
        slept.withLock { $0 = start.duration(to: .now) }
        await MainActor.run {}
        NSLock().withLock {}
        DispatchQueue.global().async {}
      #endif
    }
    defer { core.end() }
    // A report without functions is still correct.
    let seesFunctions = core.timeline?.entries.contains { $0.code?.isLibrary == false } ?? false
    ResumedFunction.isAvailable.store(seesFunctions, ordering: .relaxed)
    let missing =
      switch core.reason {
      case nil: hook(missingIn: core, probe, slept: slept.withLock { $0 })
      case .leftTheWorld: "jobs that are enqueued"
      case let reason?: "\(reason)"
      }
    return missing.map {
      "its hooks into the concurrency runtime were verified with \(Toolchain.verified), and do not see \($0) in this process"
    }
  }

  private static func hook(missingIn core: SimulatedWorldCore, _ probe: Probe, slept: Duration) -> String? {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(probe).toOpaque())
    #if !canImport(Darwin)
      guard core.plainActors[address] != nil else { return "hops to plain actors" }
      guard slept == core.clock.now.offset else { return "ContinuousClock.now" }
      guard slept == .seconds(3_600) else { return "Task.sleep" }
      let places = ["after a task is created", "before a resumption", "before a lock"]
      if let place = places.first(where: { core.seenPlaces?.contains($0) != true }) {
        return "the places \(place)"
      }
      OutsideCalls.areSeen.store(core.suspect.withLock { $0 != nil }, ordering: .relaxed)
      guard EscapeCheck.canPass else { return "the end of withoutActuallyEscaping" }
    #endif
    return nil
  }

  private actor Probe {
    /// Suspends the caller on this actor.
    func wait() async {
      await withCheckedContinuation { continuation in
        Task.detached { continuation.resume() }
      }
    }
  }
}
