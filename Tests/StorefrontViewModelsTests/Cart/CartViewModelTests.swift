import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What only the async stage of the cart can do.
@Suite("Cart, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct CartViewModelTests {
  @Test("a change is shown and sent even if the isolation is busy")
  func busyIsolation() async throws {
    try await LeakTracker.check { tracker in
      let (queue, service) = (DispatchQueue(label: "isolation"), ScriptedCartService())
      let cart = tracker.track(CartViewModel(service: service, isolation: QueueIsolation(queue)))
      queue.suspend()
      let added = Task { try await cart.add(.apple, quantity: 2) }
      try await service.calls.next().succeed()
      try await added.value
      #expect(cart.state.cart.itemCount == 2)
      #expect(cart.state.pendingCount == 0)
      queue.resume()
    }
  }

  @Test("a load ends if its caller is cancelled, before or during the load", arguments: [true, false])
  func cancelledCaller(isBefore: Bool) async throws {
    try await LeakTracker.check { tracker in
      let (service, start) = (ScriptedCartService(), Gate(isOpen: !isBefore))
      let cart = tracker.track(CartViewModel(service: service))
      let load = Task {
        await start.wait()
        await cart.load()
      }
      let request = isBefore ? nil : try await service.loads.next()
      load.cancel()
      start.open()
      await load.value
      #expect(!cart.state.isLoading)
      await request?.waitForCancellation()
      #expect(service.loads.requests.count == (isBefore ? 0 : 1))
    }
  }
}
