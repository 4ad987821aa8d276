import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Limitations of the closure stage that the other stages do not have.
@Suite("Product page: limitations of the closure stage", .timeLimit(.minutes(5)), .endsWaits)
struct ProductPageClosureLimitations {
  @Test("if a screen binds the cart itself, the pages lose it: the relay was the one observer")
  func boundPastTheRelay() async throws {
    let queue = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(callbackQueue: queue)
    let relay = CartRelay(cart)
    let service = ScriptedDetailService<CatalogProduct>()
    let page = ProductPageClosureViewModel(
      itemID: CatalogProduct.apple.id, source: .list, service: service, cart: relay,
      updateInterval: .zero, callbackQueue: queue)
    let loaded = Task { await withCheckedContinuation { loaded in page.load { loaded.resume() } } }
    try await service.calls.next().succeed(.apple)
    await loaded.value
    await withCheckedContinuation { added in relay.add(.apple, quantity: 1) { _ in added.resume() } }
    // The relay has received the state, and then the page has shown it.
    queue.sync {}
    await withCheckedContinuation { loaded in page.load { loaded.resume() } }
    #expect(page.state.cartItemCount == 1)

    let binding = cart.bind { _ in }
    await withCheckedContinuation { added in cart.add(.apple) { _ in added.resume() } }
    queue.sync {}
    #expect(cart.state.cart.itemCount == 2)
    #expect(page.state.cartItemCount == 1)
    withExtendedLifetime(binding) {}
  }

  @Test("a cart of the stream stage serves a page and another screen without a relay")
  func streamNeedsNoRelay() async throws {
    let cart = CartStreamViewModel(callbackQueue: DispatchQueue(label: "callbacks"))
    let page = ProductPageStreamViewModel(
      itemID: CatalogProduct.apple.id, source: .list, service: ScriptedDetailService(), cart: cart,
      updateInterval: .zero, callbackQueue: DispatchQueue(label: "page callbacks"))
    let screen = StateRecorder(cart.states())
    let shown = StateRecorder(page.states())
    cart.add(.apple)
    try await screen.first { $0.cart.itemCount == 1 }
    try await shown.first { $0.cartItemCount == 1 }
  }
}
