import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the closure stage cannot do: what the migration is for.
@Suite("Cart, facts about the closure stage", .timeLimit(.minutes(1)))
struct CartClosureLimitations {
  private let queue = DispatchQueue(label: "callbacks")

  @Test("a second observer silently takes the first one's place")
  func oneObserver() async {
    let cart = CartClosureViewModel(callbackQueue: queue)
    let (first, second) = (Gate(), Gate())
    let firstBinding = cart.bind { if !$0.cart.isEmpty { first.open() } }
    let secondBinding = cart.bind { if !$0.cart.isEmpty { second.open() } }
    cart.add(.apple)
    await second.wait()
    queue.sync {}
    #expect(!first.isOpen)
    _ = (firstBinding, secondBinding)
  }

  @Test("an intent's error is lost where nobody passes a completion handler: nothing makes a caller look")
  func lostError() {
    let cart = CartClosureViewModel(callbackQueue: queue)
    cart.add(.apple, quantity: 11)
    #expect(cart.state.cart.isEmpty)
  }
}
