import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine

/// What this package promises about its speed and resources, one entry for each promise. `--check` measures all of them.
enum Targets {
  static var all: [Target] {
    let sections = [
      ("State and its observers", send + bursts + roundTrips + subscription + idle + recorder),
      ("Events and debounce", events + debounce),
      ("Bridges, actors and parallel work", bridges + isolation + parallel),
      ("View models", cart + search),
      ("Lists", snapshots + list + longLists),
      ("Main thread", frames),
      ("Screens", screens),
      ("Services over HTTP", services),
      ("Growth", curves),
      ("Goals that are not reached yet", goals.map { $0.asGoal() }),
    ]
    return sections.flatMap { title, targets in targets.map { $0.inSection(title) } }
  }

  private static let state = "StateStore"

  private static var send: [Target] {
    let group = "State / send without observers"
    let floor = "\(group) / bare Mutex: lock, store, unlock"
    return [
      Target(
        "send without observers", "≤ 1.4 × a bare Mutex: lock, store, unlock", .atMost(1.4),
        .time(of: "\(group) / \(state)", in: floor)
      ).asHeadline("send a value", beside: "lock, store, unlock"),
      Target(
        "send without observers", "no allocation", .atMost(0.005), .allocations(of: "\(group) / \(state)")),
    ]
  }

  /// The sequences of a state: the stream that a view model returns, and the concrete sequence for hot paths.
  private static let forms = ["AsyncStream", "concrete"]

  private static var bursts: [Target] {
    [(1, 25.0), (100, 200), (1_000, 15)].flatMap { observers, factor in
      let subscribers = Quantity.count(observers, "observer")
      let group = "State / burst of 1,024 values to \(subscribers)"
      return forms.map { form in
        let target = Target(
          "burst to \(subscribers), \(form), per value and observer",
          "≥ \(Int(factor).grouped) × faster than an AsyncStream per observer", .atLeast(factor),
          .speed(of: "\(group) / \(state), \(form)", against: "\(group) / AsyncStream per observer, by hand"))
        return form == forms[0] && observers == 100
          ? target.asHeadline("burst to 100 observers", beside: "a stream per observer") : target
      }
    } + wakeUps + burstCPU
  }

  /// Both the sender and the observer are busy during a burst, so the time does not show what they cost together.
  private static var burstCPU: [Target] {
    let group = "State / burst of 1,024 values to 1 observer"
    return forms.map { form in
      Target(
        "burst to 1 observer, \(form), per value", "CPU ≤ 0.1 × an AsyncStream per observer", .atMost(0.1),
        .cpu(of: "\(group) / \(state), \(form)", in: "\(group) / AsyncStream per observer, by hand"))
    }
  }

  /// With 1,000 observers, most of the time is that of their resumptions. Each has to be resumed at least once.
  private static var wakeUps: [Target] {
    let group = "State / burst of 1,024 values to 1,000 observers"
    return forms.map { form in
      Target(
        "burst to 1,000 observers, \(form), per value and observer", "≤ 2.5 × \(StateBenchmarks.wakeUps)",
        .atMost(2.5),
        .time(of: "\(group) / \(state), \(form)", in: "\(group) / \(StateBenchmarks.wakeUps)"))
    }
  }

  private static var roundTrips: [Target] {
    let work = ThreadPlacement.twoThreads.rawValue
    let group = "State / \(work)"
    let floor = "\(group) / raw continuation hand-off"
    let stream = "\(group) / \(state), AsyncStream"
    return [
      Target(
        "\(work), concrete, forEach", "≤ 1.5 × a raw continuation hand-off", .atMost(1.5),
        .time(of: "\(group) / \(state), concrete, forEach", in: floor)),
      Target(
        "\(work), AsyncStream", "≤ 2.7 × a raw continuation hand-off", .atMost(2.7),
        .time(of: stream, in: floor)
      ).asHeadline("to another thread and back", beside: "continuation hand-off"),
      Target(
        "\(work), AsyncStream", "≤ 0.7 × a bare AsyncStream", .atMost(0.7),
        .time(of: stream, in: "\(group) / bare AsyncStream")),
    ]
  }

  private static var events: [Target] {
    let floor = "State / send without observers / bare Mutex: lock, store, unlock"
    func group(_ observers: Int) -> String {
      "Events / 1,024 events, every one delivered to \(Quantity.count(observers, "observer"))"
    }
    let factors = [
      ("concrete", 1, 10.0), ("concrete", 100, 25), ("AsyncStream", 1, 2), ("AsyncStream", 100, 2),
    ]
    return factors.map { form, observers, factor in
      Target(
        "events to \(Quantity.count(observers, "observer")), \(form), per delivery",
        "≥ \(Int(factor)) × faster than an AsyncStream per observer", .atLeast(factor),
        .speed(
          of: "\(group(observers)) / EventChannel, \(form)",
          against: "\(group(observers)) / AsyncStream per observer, by hand"))
    } + [
      Target(
        "events to 100 observers, concrete, per delivery", "≤ 8 bare lock operations", .atMost(8),
        .time(of: "\(group(100)) / EventChannel, concrete", in: floor)
      ).asHeadline("event to 1 of 100 observers", beside: "lock, store, unlock"),
      // `AsyncStream` costs many times the concrete sequence, whatever it reads from.
      Target(
        "events, sent and then read, AsyncStream", "≤ 1.25 × \(EventBenchmarks.bareStream)", .atMost(1.25),
        .time(
          of: "Events / \(EventBenchmarks.readingTitle) / \(EventBenchmarks.stream)",
          in: "Events / \(EventBenchmarks.readingTitle) / \(EventBenchmarks.bareStream)")),
    ]
  }

  private static var debounce: [Target] {
    let group = "\(DebounceBenchmarks.section) / \(DebouncedBursts.title)"
    return [
      (DebounceBenchmarks.events, DebouncedBursts.byHandVariant),
      (DebounceBenchmarks.stream, DebounceBenchmarks.readingByHand),
    ].map { variant, floor in
      Target(
        "debounce: \(variant)", "CPU ≤ 1.2 × \(floor)", .atMost(1.2),
        .cpu(of: "\(group) / \(variant)", in: "\(group) / \(floor)"))
    }
  }

  private static var subscription: [Target] {
    let group = "State / subscribe, first value, leave"
    return forms.map { form in
      Target(
        "subscribe, first value, leave, \(form)", "≤ 0.5 × the hand-rolled AsyncStream broadcaster",
        .atMost(0.5),
        .time(of: "\(group) / \(state), \(form)", in: "\(group) / AsyncStream per observer, by hand"))
    }
  }

  private static var isolation: [Target] {
    ["1 task", "4 tasks"].flatMap { tasks in
      let group = "Isolation / calls from \(tasks)"
      let actor = Target(
        "calls from \(tasks) to a view model actor", "≤ 1.1 × a plain actor", .atMost(1.1),
        .time(of: "\(group) / view model actor", in: "\(group) / plain actor"))
      return [
        tasks == "1 task" ? actor.asHeadline("call to a view model actor", beside: "plain actor") : actor,
        // Both switch to a thread of the queue and back. `queue.sync` is far cheaper, because it switches to no other thread
        // but blocks its own. It is measured beside them, but the ratio to it mostly measures how fast a thread wakes.
        Target(
          "calls from \(tasks) to an actor on a queue", "≤ 1.25 × queue.async with a continuation",
          .atMost(1.25),
          .time(
            of: "\(group) / actor on a queue", in: "\(group) / queue, async and a continuation")),
      ]
    }
  }

  private static var snapshots: [Target] {
    let group = "Snapshots / difference of 10,000 items, 1 % changed"
    return [
      Target(
        "difference of 10,000 items, 1 % changed", "≥ 5 × faster than CollectionDifference with moves",
        .atLeast(5),
        .speed(
          of: "\(group) / ListSnapshot", against: "\(group) / CollectionDifference of cells, inferring moves")
      ).asHeadline("difference of 10,000 items", beside: "CollectionDifference")
    ]
  }
}
