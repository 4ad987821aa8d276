import AsyncViewModelsTesting
import AsyncViewModelsUI
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

@MainActor
@Suite("Cart on a screen", .timeLimit(.minutes(5)), .endsWaits)
struct CartScreenTests {
  @Test("a screen that ends before the service answers leaks nothing")
  func endsBeforeAnswer() async throws {
    let service = ScriptedCartService()
    let log = HookLog()
    try await LeakTracker.check { tracker in
      let cart = tracker.track(CartViewModel(service: service, isolation: MainActor.shared))
      let call = try await LeakTracker.check { tracker in
        let host = ScreenHost(
          tracker.track(
            RecordingScreen("cart", in: log) { host in
              host.bindings.run { try? await cart.add(.apple) }
              host.bindings.observe(cart.states(), on: host.screen) { _, state in
                log.append("\(state.cart.itemCount)")
              }
            }))
        tracker.track(host)
        try host.show()
        let call = try await service.calls.next()
        try await until { log.entries.contains("1") }
        try host.hide()
        try host.end()
        return call
      }
      // The screen is released before the answer. A change is never cancelled, so the view model still waits
      // for the answer.
      call.fail(CancellationError())
    }
  }
}
