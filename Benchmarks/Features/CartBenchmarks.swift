import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The cart: the time until a change shows. ``CartWriterBenchmarks`` has many callers at once.
enum CartBenchmarks {
  /// Makes one change after the other, without a service. Waits after each change until it shows.
  static func shownChanges(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Cart", title: "change a quantity, and see it", unit: "change", backend: .memory,
      catalog: catalog
    ) { stage, _ in
      let cart = try Cart(holding: .plenty)
      switch stage {
      case .closure:
        let viewModel = CartClosureViewModel(
          restoring: SavedCart(cart), callbackQueue: DispatchQueue(label: "callbacks"))
        let watch = StateWatch<CartState>()
        let binding = viewModel.bind { watch.observe($0) }
        return Workload(
          run: { iterations in
            for quantity in 1...iterations {
              viewModel.setQuantity(quantity, of: CatalogProduct.plenty.id)
              _ = await watch.first { $0.isConfirmed(quantity, of: .plenty) }
            }
            return iterations
          }, tearDown: { binding.cancel() })
      case .stream:
        let viewModel = CartStreamViewModel(
          restoring: SavedCart(cart), callbackQueue: DispatchQueue(label: "callbacks"))
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for quantity in 1...iterations {
            viewModel.setQuantity(quantity, of: CatalogProduct.plenty.id)
            _ = try await states.first { $0.isConfirmed(quantity, of: .plenty) }
          }
          return iterations
        }
      case .async:
        let viewModel = CartViewModel(restoring: SavedCart(cart))
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for quantity in 1...iterations {
            try await viewModel.setQuantity(quantity, of: CatalogProduct.plenty.id)
            _ = try await states.first { $0.isConfirmed(quantity, of: .plenty) }
          }
          return iterations
        }
      }
    }
  }

  typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  /// Waits for an intent that reports to a completion handler.
  static func answer(to intent: (@escaping Completion) -> Void) async throws {
    try await unsafe withUnsafeThrowingContinuation { continuation in
      intent { unsafe continuation.resume(with: $0) }
    }
  }
}

extension CartState {
  fileprivate func isConfirmed(_ quantity: Int, of product: CatalogProduct) -> Bool {
    pendingCount == 0 && cart.quantity(of: product.id) == quantity
  }
}
