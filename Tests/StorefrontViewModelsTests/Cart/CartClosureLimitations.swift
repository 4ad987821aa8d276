import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Limitations of the closure stage that the async stage does not have.
@Suite("Cart: limitations of the closure stage", .timeLimit(.minutes(5)), .endsWaits)
struct CartClosureLimitations {
  private let queue = DispatchQueue(label: "callbacks")

  @Test("a second observer silently replaces the first one")
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

  @Test("an intent's error is lost if the caller passes no completion handler")
  func lostError() async throws {
    let cart = CartClosureViewModel(callbackQueue: queue)
    let (states, continuation) = AsyncStream<CartState>.makeStream()
    let binding = cart.bind { continuation.yield($0) }
    cart.add(.apple, quantity: 11)
    let error = await withCheckedContinuation { continuation in
      cart.add(.apple, quantity: 11) { result in
        if case .failure(let error) = result { continuation.resume(returning: error as? CartError) }
      }
    }
    #expect(error != nil, "a completion handler receives the error")
    queue.sync {}
    binding.cancel()
    continuation.finish()
    let seen = try await StateRecorder(states).waitForEnd()
    #expect(seen.count == 1, "the observer receives the first state, and none for the refused changes")
  }
}
