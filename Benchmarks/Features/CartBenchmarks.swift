import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The cart: the time until a change shows, the time until it is confirmed, and the cost of many callers at once.
enum CartBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [confirmedChanges(.http(server), catalog), shownChanges(catalog), concurrentAdds(catalog)].map(\.group)
      + [CartWriterBenchmarks.confirmedAdds] + CartWriterBenchmarks.curve
  }

  private static let writers = 8

  /// Changes the quantity of a product to 2 and back to 1. Waits after each change until its confirmation shows.
  private static func confirmedChanges(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Cart", title: "change a quantity, and see it confirmed", unit: "change", backend: backend,
      catalog: catalog
    ) { stage, storefronts in
      guard let product = catalog.products.max(by: { $0.stock < $1.stock }), product.stock >= 2 else {
        throw NothingToSell()
      }
      let cart = try Cart(holding: product)
      switch stage {
      case .closure:
        let viewModel = CartClosureViewModel(
          restoring: SavedCart(cart), service: storefronts.closure,
          callbackQueue: DispatchQueue(label: "callbacks"))
        let watch = StateWatch<CartState>()
        let binding = viewModel.bind { watch.observe($0) }
        return Workload(
          run: { iterations in
            for _ in 0..<iterations {
              for quantity in [2, 1] {
                try await answer { viewModel.setQuantity(quantity, of: product.id, completion: $0) }
                _ = await watch.first { $0.isConfirmed(quantity, of: product) }
              }
            }
            return iterations * 2
          }, tearDown: { binding.cancel() })
      case .stream:
        let viewModel = CartStreamViewModel(
          restoring: SavedCart(cart), service: storefronts.closure,
          callbackQueue: DispatchQueue(label: "callbacks"))
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for _ in 0..<iterations {
            for quantity in [2, 1] {
              try await answer { viewModel.setQuantity(quantity, of: product.id, completion: $0) }
              _ = try await states.first { $0.isConfirmed(quantity, of: product) }
            }
          }
          return iterations * 2
        }
      case .async:
        let viewModel = CartViewModel(restoring: SavedCart(cart), service: storefronts.async)
        return Workload { iterations in
          var states = viewModel.states().makeAsyncIterator()
          for _ in 0..<iterations {
            for quantity in [2, 1] {
              try await viewModel.setQuantity(quantity, of: product.id)
              _ = try await states.first { $0.isConfirmed(quantity, of: product) }
            }
          }
          return iterations * 2
        }
      }
    }
  }

  /// Makes one change after the other, without a service. Waits after each change until it shows.
  private static func shownChanges(_ catalog: Catalog) -> FeatureBenchmark {
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

  /// Several callers add products at once, without a service. Ends when all adds are answered.
  private static func concurrentAdds(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Cart", title: "adds from \(Quantity.count(writers, "writer")) at once", unit: "add",
      backend: .memory, catalog: catalog
    ) { stage, _ in
      let cart = try Cart(holding: .plenty)
      switch stage {
      case .closure:
        let viewModel = CartClosureViewModel(
          restoring: SavedCart(cart), callbackQueue: DispatchQueue(label: "callbacks"))
        return completionAdds { viewModel.add(.plenty, completion: $0) }
      case .stream:
        let viewModel = CartStreamViewModel(
          restoring: SavedCart(cart), callbackQueue: DispatchQueue(label: "callbacks"))
        return completionAdds { viewModel.add(.plenty, completion: $0) }
      case .async:
        let viewModel = CartViewModel(restoring: SavedCart(cart))
        return Workload { iterations in
          try await withThrowingTaskGroup { group in
            for _ in 0..<writers {
              group.addTask {
                for _ in 0..<iterations { try await viewModel.add(.plenty) }
              }
            }
            try await group.waitForAll()
          }
          return iterations * writers
        }
      }
    }
  }

  /// Writers that do not wait for an answer before their next add, as completion handlers allow.
  private static func completionAdds(_ add: @escaping @Sendable (@escaping Completion) -> Void) -> Workload {
    Workload { iterations in
      let answers = Latch()
      answers.expect(iterations * writers)
      await withTaskGroup { group in
        for _ in 0..<writers {
          group.addTask {
            for _ in 0..<iterations { add { _ in answers.arrive() } }
          }
        }
      }
      await answers.wait()
      return iterations * writers
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

/// The error of a catalog in which no product has a stock of two or more.
private struct NothingToSell: Error, CustomStringConvertible {
  var description: String { "no product of the catalog has a stock of 2 or more" }
}

extension CartState {
  fileprivate func isConfirmed(_ quantity: Int, of product: CatalogProduct) -> Bool {
    pendingCount == 0 && cart.quantity(of: product.id) == quantity
  }
}
