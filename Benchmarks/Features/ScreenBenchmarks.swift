import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization

/// What a screen costs besides its content: the view model, its state, and the observer.
///
/// A screen is created and released on the main thread, and observes its view model there. Everything that this allocates counts: the
/// screen, its view model with its queue or its actor, and the observer. The service is not part of a screen.
enum ScreenBenchmarks {
  /// The features, from a small view model to a large one.
  enum Feature: String, CaseIterable {
    case detail = "Detail"
    case cart = "Cart"
  }

  static let count = 10_000
  static let emptyTaskVariant = "only a task on the main actor that does nothing"
  static let bytes = "bytes per screen"
  static let openTime = "ns to open"
  static let closeTime = "ns to close"

  static var groups: [BenchmarkGroup] { Feature.allCases.flatMap { [visit($0), many($0)] } }

  static func visitTitle(_ feature: Feature) -> String {
    "open a \(feature.rawValue) screen, receive the first state, and close it"
  }

  static func manyTitle(_ feature: Feature) -> String {
    "\(Quantity.count(count, "\(feature.rawValue) screen")) at once"
  }

  private static func visit(_ feature: Feature) -> BenchmarkGroup {
    let stages = MigrationStage.allCases.map { stage in
      Benchmark(stage.variant) {
        let screens = await Screens { screen(of: feature, in: stage, $0) }
        return Workload { iterations in
          await visit(screens, iterations)
          return iterations
        }
      }
    }
    let emptyTask = Benchmark(emptyTaskVariant) { iterations in
      let arrivals = Latch()
      await runEmptyTasks(iterations, arrivals)
      return iterations
    }
    return group(visitTitle(feature), stages + [emptyTask])
  }

  @MainActor
  private static func runEmptyTasks(_ count: Int, _ arrivals: Latch) async {
    for _ in 0..<count {
      arrivals.expect(1)
      Task.detached { @MainActor in arrivals.arrive() }
      await arrivals.wait()
    }
  }

  @MainActor
  private static func visit(_ screens: Screens, _ iterations: Int) async {
    for _ in 0..<iterations {
      await screens.open(1)
      await screens.close()
    }
  }

  /// Opens many screens, then closes them. The memory is measured during the set-up.
  private static func many(_ feature: Feature) -> BenchmarkGroup {
    let stages = MigrationStage.allCases.map { stage in
      Benchmark(stage.variant) {
        let screens = await Screens { screen(of: feature, in: stage, $0) }
        let bytes = await heap(of: screens)
        let times = Mutex((open: Duration.zero, close: Duration.zero))
        return Workload(
          run: { iterations in
            let measured = await Self.times(of: screens, iterations)
            times.withLock { $0 = measured }
            return iterations * count
          },
          metrics: {
            let measured = times.withLock { $0 }
            return [
              bytes.map { Metric(Self.bytes, unit: "bytes", $0) },
              Metric(openTime, unit: "ns", measured.open.nanoseconds / Double(count)),
              Metric(closeTime, unit: "ns", measured.close.nanoseconds / Double(count)),
            ].compactMap(\.self)
          })
      }
    }
    return group(manyTitle(feature), stages)
  }

  /// The mean time to open all screens, and to close them.
  @MainActor
  private static func times(
    of screens: Screens, _ iterations: Int
  ) async -> (open: Duration, close: Duration) {
    var (open, close) = (Duration.zero, Duration.zero)
    for _ in 0..<iterations {
      let start = ContinuousClock.now
      await screens.open(count)
      let middle = ContinuousClock.now
      await screens.close()
      open += start.duration(to: middle)
      close += middle.duration(to: .now)
    }
    return (open / iterations, close / iterations)
  }

  /// The memory of an open screen.
  @MainActor
  private static func heap(of screens: Screens) async -> Double? {
    // The first round allocates what later rounds use again, such as the list of screens.
    await screens.open(count)
    await screens.close()
    await IdleSubscribers.settle()
    let before = HeapSize.bytes
    await screens.open(count)
    await IdleSubscribers.settle()
    let after = HeapSize.bytes
    await screens.close()
    guard let before, let after else { return nil }
    return Double(after - before) / Double(count)
  }

  private static func group(_ title: String, _ benchmarks: [Benchmark]) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Screens", title: title, unit: "screen", reference: MigrationStage.closure.variant,
      benchmarks: benchmarks)
  }

  @MainActor
  private static func screen(
    of feature: Feature, in stage: MigrationStage, _ observer: ScreenObserver
  ) -> any AnyObject {
    switch (feature, stage) {
    case (.detail, .closure):
      BoundScreen(
        ProductDetailClosureViewModel(
          itemID: CatalogProduct.plenty.id, source: .list, service: PlentyService()),
        observer
      ) { $0.bind($1) }
    case (.detail, .stream):
      BoundScreen(
        ProductDetailStreamViewModel(
          itemID: CatalogProduct.plenty.id, source: .list, service: PlentyService()),
        observer)
    case (.detail, .async):
      BoundScreen(
        ProductDetailViewModel(itemID: CatalogProduct.plenty.id, source: .list, service: PlentyService()),
        observer)
    case (.cart, .closure): BoundScreen(CartClosureViewModel(), observer) { $0.bind($1) }
    case (.cart, .stream): BoundScreen(CartStreamViewModel(), observer)
    case (.cart, .async): BoundScreen(CartViewModel(), observer)
    }
  }
}

/// Answers at once with a product that never sells out.
private struct PlentyService: DetailService, DetailClosureService {
  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { .plenty }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(.plenty))
    return .finished
  }
}
