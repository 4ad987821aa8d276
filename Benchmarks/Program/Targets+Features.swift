import AsyncViewModelsBenchmarkHarness
import StorefrontTesting

/// Promises about the view models of the async stage, about the services over HTTP, and about how costs grow with the
/// number of observers, writers, parts and items.
extension Targets {
  static var cart: [Target] {
    let group = "Cart / \(CartWriterBenchmarks.confirmedTitle)"
    let async = "\(group) / \(MigrationStage.async.variant)"
    return [
      Target(
        "cart, 8 writers × 25,000 adds", "≥ 8 × the closure stage's throughput, if both await each add",
        .atLeast(8),
        .speed(of: async, against: "\(group) / \(MigrationStage.closure.variant)")
      ).asHeadline("add to a cart, 8 writers", beside: "closure stage"),
      Target(
        "cart, 8 writers × 25,000 adds", "≤ 1.15 × a bare actor's time", .atMost(1.15),
        .time(of: async, in: "\(group) / \(CartWriterBenchmarks.bare)")),
    ]
  }

  static var search: [Target] {
    let group = "Search / \(TypingBenchmarks.title)"
    let async = "\(group) / \(MigrationStage.async.variant)"
    return [
      Target(
        "search, 1,000 key strokes", "as many service calls as pauses, and no late answer shown", .atMost(1),
        .metric(TypingBenchmarks.callsPerPause, of: async)),
      Target(
        "search, 1,000 key strokes",
        "CPU per stroke ≤ 3 × a bare Task that is cancelled while it sleeps on the same clock", .atMost(3),
        .cpu(of: async, in: "\(group) / \(TypingBenchmarks.bare)")),
    ]
  }

  static var list: [Target] {
    let group = "Product list / \(LongListBenchmarks.title)"
    let (one, many) = (
      LongListBenchmarks.observed(by: 1), LongListBenchmarks.observed(by: LongListBenchmarks.manyObservers)
    )
    return [
      Target(
        "list, 10,000 items, 1,000 loads", "≤ 0.1 copies of the items for a further observer", .atMost(0.1),
        .memory(
          of: "\(group) / \(many)", beyond: "\(group) / \(one)",
          each: (LongListBenchmarks.manyObservers - 1) * LongListBenchmarks.itemBytes))
    ]
  }

  static var services: [Target] {
    ServiceBenchmarks.widths.flatMap { width in
      let title = ServiceBenchmarks.title(atATime: width)
      let group = "Services / \(title)"
      return [ServiceBenchmarks.asyncForm, ServiceBenchmarks.closureForm].map { form in
        Target(
          "HTTP, \(title), \(form)", "≤ 1.25 × a bare URLSession that decodes the same page", .atMost(1.25),
          .time(of: "\(group) / \(form)", in: "\(group) / \(ServiceBenchmarks.bare)"))
      }
    } + longBodies
  }

  private static var longBodies: [Target] {
    [ServiceBenchmarks.asyncForm, ServiceBenchmarks.closureForm].flatMap { form in
      let memory = "Services / \(LongBodyBenchmarks.memoryTitle)"
      let promptness = "Services / \(LongBodyBenchmarks.promptnessTitle) / \(form)"
      func limit(_ metric: String, _ milliseconds: Double) -> Target {
        Target(
          "HTTP, 15 MB arrive or are decoded, \(form)", "\(metric) ≤ \(Int(milliseconds)) ms",
          .atMost(milliseconds), .metric(metric, unit: "ms", of: promptness))
      }
      return [
        Target(
          "HTTP, \(LongBodyBenchmarks.memoryTitle), \(form)",
          "≤ 1 × the body more memory than a bare URLSession that decodes the same list", .atMost(1),
          .memory(
            of: "\(memory) / \(form)", beyond: "\(memory) / \(ServiceBenchmarks.bare)",
            each: LongBodyBenchmarks.list.utf8.count)),
        limit(LongBodyBenchmarks.cancelReturns, 5), limit(LongBodyBenchmarks.cancelEnds, 50),
        limit(LongBodyBenchmarks.deadlineOverrun, 100),
      ]
    }
  }

  static var curves: [Target] {
    let limit = 1.3
    func flat(_ work: String, _ curve: String, _ variant: String) -> Target {
      Target(work, "grows ≤ 1.3 × per unit: \(variant)", .atMost(limit), .growth(along: curve, of: variant))
    }
    return [
      flat("1 to 10,000 observers", StateBenchmarks.burstCurve, "StateStore, concrete"),
      flat("1 to 10,000 observers", StateBenchmarks.burstCurve, "StateStore, AsyncStream"),
      Target(
        "1 to 64 writers", "grows ≤ 1.3 × as much as a bare Mutex: StateStore.update", .atMost(limit),
        .growth(
          along: WriterBenchmarks.updateCurve, of: WriterBenchmarks.update, beyond: WriterBenchmarks.floor)),
      Target(
        "1 to 64 writers", "grows ≤ 1.3 × as much as a bare actor: cart, async stage", .atMost(limit),
        .growth(
          along: CartWriterBenchmarks.curveName, of: MigrationStage.async.variant,
          beyond: CartWriterBenchmarks.bare)),
      Target(
        "updates from 64 writers", "≤ 2.5 × a bare Mutex: lock, add, unlock", .atMost(2.5),
        .time(
          of: "\(WriterBenchmarks.crowd) / \(WriterBenchmarks.update)",
          in: "\(WriterBenchmarks.crowd) / \(WriterBenchmarks.floor)")),
      flat("1 to 10,000 parts", ParallelBenchmarks.coordinationCurve, ParallelBenchmarks.limited),
      flat("1 to 10,000 parts", ParallelBenchmarks.coordinationCurve, ParallelBenchmarks.parts),
      Target(
        "1 to 100,000 items", "grows ≤ 1.3 × as much as a bare array and dictionary: ProductListState",
        .atMost(limit),
        .growth(
          along: LongListBenchmarks.pageCurve, of: LongListBenchmarks.listState,
          beyond: LongListBenchmarks.bare)),
    ]
  }
}
