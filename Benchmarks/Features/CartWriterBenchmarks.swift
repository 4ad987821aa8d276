import AsyncViewModelsBenchmarkHarness
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Several writers of one cart without a service. Each writer waits for the answer to an add before its next add.
///
/// The stream stage is not measured: like the closure stage, it runs each intent on a queue and calls a completion handler.
enum CartWriterBenchmarks {
  static let bare = "bare actor with the same rules"
  static let chained = "closure stage, each add from the completion of the one before"
  static let curveName = "adds from several writers, per add"
  /// A full run takes at least five samples, so each writer makes at least 25,000 adds.
  static let confirmedTitle = "8 writers, samples of 5,000 adds each, every one answered before the next"

  /// Contention changes from millisecond to millisecond. With this many adds, a sample contains both contended and
  /// uncontended calls.
  private static let curveAdds = 16_000

  static var confirmedAdds: BenchmarkGroup {
    group(
      confirmedTitle, writers: 8, adds: 5_000,
      variants: [MigrationStage.closure.variant, chained, MigrationStage.async.variant, bare])
  }

  static var curve: [BenchmarkGroup] {
    [1, 4, 16, 64].map { writers in
      group(
        "\(Quantity.count(writers, "writer")), every add answered before the next", writers: writers,
        adds: curveAdds / writers,
        variants: [chained, MigrationStage.async.variant, bare],
        point: CurvePoint(
          curveName, "writers", writers,
          note: """
            The async stage changes the cart under a lock, on the writer's thread, and never suspends. With two or more \
            writers, a writer that finds the bare actor busy suspends, and resumes through the executor's queue.
            """))
    }
  }

  private static func group(
    _ title: String, writers: Int, adds: Int, variants: [String], point: CurvePoint? = nil
  ) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Cart", title: title, unit: "add", reference: bare, point: point,
      benchmarks: variants.map { variant in
        Benchmark(variant) {
          let cart = try Cart(holding: .plenty)
          switch variant {
          case MigrationStage.closure.variant:
            let viewModel = CartClosureViewModel(
              restoring: SavedCart(cart), callbackQueue: DispatchQueue(label: "callbacks"))
            return workload(viewModel, writers, adds) { viewModel in
              try await CartBenchmarks.answer { viewModel.add(.plenty, completion: $0) }
            }
          case chained:
            let viewModel = CartClosureViewModel(
              restoring: SavedCart(cart), callbackQueue: DispatchQueue(label: "callbacks"))
            return chainedWorkload(viewModel, writers, adds)
          case MigrationStage.async.variant:
            return workload(CartViewModel(restoring: SavedCart(cart)), writers, adds) {
              try await $0.add(.plenty)
            }
          default:
            return workload(BareCart(cart), writers, adds) { try await $0.add(.plenty) }
          }
        }
      })
  }

  private static func workload<Subject: Sendable>(
    _ subject: Subject, _ writers: Int, _ adds: Int,
    _ add: @escaping @Sendable (Subject) async throws -> Void
  ) -> Workload {
    Workload { iterations in
      try await withThrowingTaskGroup { group in
        for _ in 0..<writers {
          group.addTask {
            for _ in 0..<iterations * adds { try await add(subject) }
          }
        }
        try await group.waitForAll()
      }
      return iterations * adds * writers
    }
  }

  /// Writers without a waiting thread or task: the completion handler of an add makes the next add.
  private static func chainedWorkload(
    _ viewModel: CartClosureViewModel, _ writers: Int, _ adds: Int
  ) -> Workload {
    @Sendable func add(_ left: Int, then done: Latch) {
      guard left > 0 else { return done.arrive() }
      viewModel.add(.plenty) { _ in add(left - 1, then: done) }
    }
    return Workload { iterations in
      let done = Latch()
      done.expect(writers)
      for _ in 0..<writers { add(iterations * adds, then: done) }
      await done.wait()
      return iterations * adds * writers
    }
  }
}
