import Dispatch
import Domain
import ViewModelTesting
import ViewModels

/// The cart, in memory: what a stage's own machinery costs where no service has to be waited for.
enum CartBenchmarks {
  static var groups: [BenchmarkGroup] { [shownChange.group, concurrentAdds.group] }

  private static let product = Product(
    id: Product.ID(rawValue: 1), name: "Lamp", price: Money(minorUnits: 1, currency: .usd), stock: .max)

  private static let writers = 8

  /// One change after the other, each awaited until it shows.
  private static let shownChange = FeatureBenchmark(
    feature: "Cart", title: "change a quantity, and see it (in memory)", unit: "change"
  ) { stage in
    let cart = try startingCart()
    let callbackQueue = DispatchQueue(label: "callbacks")
    switch stage {
    case .closure:
      let viewModel = CartClosureViewModel(cart: cart, callbackQueue: callbackQueue)
      let watch = StateWatch<CartState>()
      let binding = viewModel.bind { watch.observe($0) }
      return Workload(
        run: { iterations in
          for quantity in 1...iterations {
            viewModel.setQuantity(quantity, of: product.id)
            await watch.wait { $0.cart.quantity(of: product.id) == quantity }
          }
          return iterations
        }, tearDown: { binding.cancel() })
    case .stream:
      let viewModel = CartStreamViewModel(cart: cart, callbackQueue: callbackQueue)
      return Workload(run: { iterations in
        var states = viewModel.states().makeAsyncIterator()
        for quantity in 1...iterations {
          viewModel.setQuantity(quantity, of: product.id)
          await states.wait { $0.cart.quantity(of: product.id) == quantity }
        }
        return iterations
      })
    case .async:
      let viewModel = CartViewModel(cart: cart)
      return Workload(run: { iterations in
        var states = viewModel.states().makeAsyncIterator()
        for quantity in 1...iterations {
          try await viewModel.setQuantity(quantity, of: product.id)
          await states.wait { $0.cart.quantity(of: product.id) == quantity }
        }
        return iterations
      })
    }
  }

  /// Several callers at once, each with its own adds; done when all of them have been answered.
  private static let concurrentAdds = FeatureBenchmark(
    feature: "Cart", title: "adds from \(Quantity.count(writers, "writer")) at once (in memory)", unit: "add"
  ) { stage in
    let cart = try startingCart()
    let callbackQueue = DispatchQueue(label: "callbacks")
    switch stage {
    case .closure:
      let viewModel = CartClosureViewModel(cart: cart, callbackQueue: callbackQueue)
      return completionAdds { viewModel.add(product, completion: $0) }
    case .stream:
      let viewModel = CartStreamViewModel(cart: cart, callbackQueue: callbackQueue)
      return completionAdds { viewModel.add(product, completion: $0) }
    case .async:
      let viewModel = CartViewModel(cart: cart)
      return Workload(run: { iterations in
        try await withThrowingTaskGroup { group in
          for _ in 0..<writers {
            group.addTask {
              for _ in 0..<iterations { try await viewModel.add(product) }
            }
          }
          try await group.waitForAll()
        }
        return iterations * writers
      })
    }
  }

  /// Writers that do not wait for an answer before their next add: that is what completion handlers allow.
  private static func completionAdds(
    _ add: @escaping @Sendable (@escaping @Sendable (Result<Void, any Error>) -> Void) -> Void
  ) -> Workload {
    Workload(run: { iterations in
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
    })
  }

  private static func startingCart() throws -> Cart {
    var cart = Cart()
    _ = try cart.add(product, quantity: 1)
    return cart
  }
}
