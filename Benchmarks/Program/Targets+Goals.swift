import AsyncViewModelsBenchmarkHarness
import StorefrontTesting

/// What this package has tried to reach and does not. `Performance.md` gives the reasons.
extension Targets {
  static var goals: [Target] { eventStreams + manyObservers + burstCPUPerTime + visitBytes }

  private static let forms = ["AsyncStream", "concrete"]

  private static var eventStreams: [Target] {
    [1, 100].map { observers in
      let observers = Quantity.count(observers, "observer")
      let group = "Events / 1,024 events, every one delivered to \(observers)"
      return Target(
        "events to \(observers), AsyncStream, per delivery", "≤ 2.5 × the concrete sequence", .atMost(2.5),
        .time(of: "\(group) / EventChannel, AsyncStream", in: "\(group) / EventChannel, concrete"))
    }
  }

  private static var manyObservers: [Target] {
    forms.map { form in
      Target(
        "burst to 1,000 observers, \(form), per value and observer",
        "≤ 0.035 × a bare Mutex: lock, store, unlock",
        .atMost(0.035),
        .time(
          of: "State / burst of 1,024 values to 1,000 observers / StateStore, \(form)",
          in: "State / send without observers / bare Mutex: lock, store, unlock"))
    }
  }

  private static var burstCPUPerTime: [Target] {
    forms.map { form in
      Target(
        "burst to 1 observer, \(form), per value", "CPU of all threads ≤ 1.5 × the time", .atMost(1.5),
        .cpuPerTime(of: "State / burst of 1,024 values to 1 observer / StateStore, \(form)"))
    }
  }

  private static var visitBytes: [Target] {
    ScreenBenchmarks.Feature.allCases.map { feature in
      let title = ScreenBenchmarks.visitTitle(feature)
      return Target(
        title, "≤ 1 × the closure stage's bytes", .atMost(1),
        .allocatedBytes(
          of: "Screens / \(title) / \(MigrationStage.async.variant)",
          in: "Screens / \(title) / \(MigrationStage.closure.variant)"))
    }
  }
}
