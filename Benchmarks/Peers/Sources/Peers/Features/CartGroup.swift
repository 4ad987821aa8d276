import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import CombineViewModels
import Dispatch
@unsafe @preconcurrency import OpenCombine
import OpenCombineDispatch
import StorefrontDomain
import StorefrontViewModels
import Synchronization

/// Adds to a cart without a service, from one caller that does not wait between them.
enum CartGroup {
  static let title = "adds, without a service"
  static let bare = "bare Cart in a Mutex"

  static var group: BenchmarkGroup {
    BenchmarkGroup(
      section: "Cart", title: title, unit: "add", reference: bare,
      benchmarks: MigrationStage.allCases.map(adds) + [bareAdds])
  }

  private static func adds(_ stage: MigrationStage) -> Benchmark {
    Benchmark(stage.variant) {
      let saved = SavedCart(Cart(currency: CatalogProduct.plenty.price.currency))
      switch stage {
      case .closure:
        let cart = CartClosureViewModel(restoring: saved, callbackQueue: DispatchQueue(label: "callbacks"))
        return completions { cart.add(.plenty, completion: $0) }
      case .stream:
        let cart = CartStreamViewModel(restoring: saved, callbackQueue: DispatchQueue(label: "callbacks"))
        return completions { cart.add(.plenty, completion: $0) }
      case .async:
        let cart = CartViewModel(restoring: saved)
        return Workload(
          run: { iterations in
            for _ in 0..<iterations { try await cart.add(.plenty) }
            return iterations
          }, tearDown: {})
      case .combine:
        let cart = CartCombineViewModel(restoring: saved, scheduler: DispatchQueue.global().ocombine)
        return Workload(
          run: { iterations in
            for _ in 0..<iterations { cart.add(.plenty) }
            return iterations
          }, tearDown: {})
      }
    }
  }

  private static func completions(
    _ add: @escaping @Sendable (@escaping @Sendable (Result<Void, any Error>) -> Void) -> Void
  ) -> Workload {
    Workload(
      run: { iterations in
        let answers = Latch()
        answers.expect(iterations)
        for _ in 0..<iterations { add { _ in answers.arrive() } }
        await answers.wait()
        return iterations
      }, tearDown: {})
  }

  private static var bareAdds: Benchmark {
    Benchmark(bare) {
      let cart = BareCart()
      return Workload(
        run: { iterations in
          for _ in 0..<iterations { try cart.add(.plenty) }
          return iterations
        }, tearDown: {})
    }
  }
}

/// The floor: a cart that any thread may change, without observers.
private final class BareCart: Sendable {
  private let cart = Mutex(Cart(currency: CatalogProduct.plenty.price.currency))

  func add(_ product: CatalogProduct) throws {
    try cart.withLock { cart in _ = try cart.add(product, quantity: 1) }
  }
}
