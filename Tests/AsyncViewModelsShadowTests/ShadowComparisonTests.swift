import AsyncViewModels
import AsyncViewModelsShadow
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

@Suite("Shadow comparison", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct ShadowComparisonTests {
  private let service = ScriptedStorefront()
  private let calls = ShadowCalls(isEnabled: true)

  @Test("equal view models are compared, and each write is sent once")
  func equal() async throws {
    let screen = cartScreen(service, calls)
    async let added: Void = screen.add(.apple)
    try await service.cart.calls.next().succeed()
    await added
    try await screen.settle()
    async let refused: Void = screen.add(.pear)
    try await service.cart.calls.next().fail(CartError.refused(CatalogProduct.pear.id, reason: "sold out"))
    await refused
    try await screen.settle()
    #expect(screen.comparison.comparedCount >= 2)
    #expect(screen.differences.isEmpty)
    #expect(service.cart.calls.requests.map(\.product) == [.apple, .pear])
  }

  @Test("a wrong state is reported once, with its trace, and the new view model is released")
  func wrongState() async throws {
    let screen = cartScreen(service, calls, new: WrongCart(calls: calls))
    async let loaded: Void = screen.load()
    try await service.cart.loads.next().succeed(Cart())
    await loaded
    try await screen.settle()
    #expect(screen.differences.count == 1)
    guard case .states(_, let new)? = screen.differences.first?.kind else {
      Issue.record("\(screen.differences)")
      return
    }
    #expect(new.contains("Apple"))
    let trace = try #require(screen.differences.first?.trace)
    #expect(trace.contains("intent: load"))
    #expect(trace.contains { $0.hasPrefix("old calls: cart") })
    #expect(trace.contains { $0.hasPrefix("answer to cart") })
    #expect(!calls.isRecording)
    // The old view model goes on without the comparison.
    async let added: Void = screen.add(.apple)
    try await service.cart.calls.next().succeed()
    await added
    #expect(screen.differences.count == 1)
  }

  @Test("a missing request is a difference")
  func missingRequest() async throws {
    let screen = cartScreen(service, calls, new: IdleCart())
    async let added: Void = screen.add(.apple)
    try await service.cart.calls.next().succeed()
    await added
    try await screen.settle()
    let apply = "\(StorefrontCall.apply(CartChange(product: .apple, delta: 1)))"
    guard case .requests(let onlyOld, let onlyNew)? = screen.differences.first?.kind else {
      Issue.record("\(screen.differences)")
      return
    }
    #expect(onlyOld.count == 1 && onlyNew.isEmpty)
    #expect(onlyOld.first?.prefix(20) == apply.prefix(20))
  }

  @Test("a second write of the new view model fails, is not sent, and is a difference")
  func doubleWrite() async throws {
    let screen = cartScreen(service, calls, new: DoubleCart(calls: calls))
    async let added: Void = screen.add(.apple)
    try await service.cart.calls.next().succeed()
    await added
    try await screen.settle()
    guard case .requests(let onlyOld, let onlyNew)? = screen.differences.first?.kind else {
      Issue.record("\(screen.differences)")
      return
    }
    #expect(onlyOld.isEmpty && onlyNew.count == 1)
    #expect(service.cart.calls.requests.count == 1)
  }

  @Test("a new view model that sends another change is found")
  func otherChange() async throws {
    let screen = cartScreen(service, calls)
    async let added: Void = screen.add(.apple, newQuantity: 2)
    try await service.cart.calls.next().succeed()
    await added
    try await screen.settle()
    #expect(screen.differences.count == 1)
    #expect(service.cart.calls.requests.map(\.delta) == [1])
  }

  @Test("both sides cancel a load, and the next load gets the next answer")
  func cancelledLoads() async throws {
    let screen = cartScreen(service, calls)
    for _ in 1...3 {
      async let loaded: Void = screen.load()
      _ = try await service.cart.loads.next()
      screen.comparison.perform("cancel") {
        $0.cancel()
      } new: {
        await $0.cancel()
      }
      await loaded
    }
    async let loaded: Void = screen.load()
    try await service.cart.loads.next().succeed(Cart())
    await loaded
    try await screen.settle()
    #expect(screen.differences.isEmpty, "\(screen.differences)")
  }

  @Test("a new view model that forgets to cancel is found")
  func forgottenCancellation() async throws {
    let screen = cartScreen(service, calls)
    async let loaded: Void = screen.load()
    _ = try await service.cart.loads.next()
    screen.comparison.perform("cancel") {
      $0.cancel()
    } new: { _ in
    }
    await loaded
    try await screen.settle()
    guard case .requests(let onlyOld, let onlyNew)? = screen.differences.first?.kind else {
      Issue.record("\(screen.differences)")
      return
    }
    #expect(onlyOld.isEmpty && onlyNew == ["cart"])
  }

  @Test("a slow intent of the new view model delays the comparison")
  func slowIntent() async throws {
    let (clock, gate) = (VirtualClock(), Gate())
    var (oldState, newState) = (0, 0)
    var differences: [ShadowDifference] = []
    let comparison = ShadowComparison(
      old: 0, state: { _ in oldState }, new: 0, state: { _ in newState }, calls: calls, clock: clock
    ) { differences.append($0) }
    comparison.perform("set") { _ in
      oldState = 1
    } new: { _ in
      await gate.wait()
      newState = 1
    }
    await gate.waitForArrivals(1)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    // A comparison that begins too early runs now.
    for _ in 0..<100 {
      await Task.yield()
      await Task.detached {}.value
    }
    gate.open()
    while comparison.comparedCount == 0, differences.isEmpty {
      try await until {
        clock.sleeperCount > 0 || comparison.comparedCount > 0 || !differences.isEmpty
      }
      clock.advance(by: .seconds(1))
    }
    #expect(differences.isEmpty, "\(differences)")
  }

  @Test("events are compared in their order")
  func events() async throws {
    let screen = cartScreen(service, calls)
    screen.comparison.note(oldEvent: "alert")
    screen.comparison.note(newEvent: "alert")
    try await screen.settle()
    #expect(screen.differences.isEmpty)
    screen.comparison.note(oldEvent: 1)
    screen.comparison.note(newEvent: 2)
    try await screen.settle()
    #expect(screen.differences.map(\.kind) == [.events(old: ["1"], new: ["2"])])
  }

  @Test("by default, debug builds compare, and release builds do not")
  func defaults() {
    #if DEBUG
      #expect(ShadowCalls().isRecording)
    #else
      #expect(!ShadowCalls().isRecording)
    #endif
  }

  @Test("a disabled comparison creates no new view model")
  func disabled() async throws {
    let calls = ShadowCalls(isEnabled: false)
    var isCreated = false
    func new() -> Int {
      isCreated = true
      return 0
    }
    let comparison = ShadowComparison(
      old: 1, state: { $0 }, new: new(), state: { $0 }, calls: calls
    ) { _ in }
    #expect(
      comparison.perform("double") {
        $0 * 2
      } new: { _ in
      } == 2)
    #expect(!isCreated)
    #expect(try await calls.record("read") { 7 } == 7)
    await #expect(throws: ShadowCallError.comparisonEnded) { try await calls.replay("read", as: Int.self) }
    let error = ShadowCallError.unexpectedResponse("String", expected: "Int")
    #expect(error.localizedDescription == "The old call has a response of type String, not Int.")
  }

  @Test("answers keep the order of the calls, and a response of another type is an error")
  func answers() async throws {
    let old = ScriptedCalls<Int, Int>()
    let calls = ShadowCalls(isEnabled: true)
    async let first = calls.record("read") { try await old(1) }
    let firstCall = try await old.next()
    async let second = calls.record("read") { try await old(2) }
    let secondCall = try await old.next()
    secondCall.succeed(2)
    firstCall.succeed(1)
    #expect(try await [first, second] == [1, 2])
    #expect(try await calls.replay("read") == 1)
    #expect(try await calls.replay("read") == 2)
    _ = try await calls.record("text") { "text" }
    await #expect(throws: ShadowCallError.unexpectedResponse("String", expected: "Int")) {
      try await calls.replay("text", as: Int.self)
    }
  }

  @Test("a service may complete a call at once, repeatedly, or after a cancellation")
  func completions() async throws {
    let calls = ShadowCalls(isEnabled: true)
    let seen = StateStore([Int]())
    let token = calls.record("read") { (result: Result<Int, any Error>) in
      seen.update { $0.append((try? result.get()) ?? -1) }
    } from: { completion in
      completion(.success(1))
      completion(.success(2))
      return CancellationToken { seen.update { $0.append(-2) } }
    }
    token.cancel()
    #expect(seen.value == [1, 2], "each completion arrives; an ended call is not cancelled")
    #expect(try await calls.replay("read") == 1)
  }
}

/// Returns another cart than the service.
private struct WrongCart: CartService {
  let calls: ShadowCalls

  func cart() async throws -> Cart {
    var cart: Cart = try await calls.replay(StorefrontCall.cart)
    _ = try cart.add(.apple, quantity: 1)
    return cart
  }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await calls.replay(StorefrontCall.apply(change), as: Void.self)
  }
}

/// Succeeds without a call.
private struct IdleCart: CartService {
  func cart() async throws -> Cart { Cart() }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws {}
}

/// Sends each change twice.
private struct DoubleCart: CartService {
  let calls: ShadowCalls

  func cart() async throws -> Cart { try await calls.replay(StorefrontCall.cart) }
  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await calls.replay(StorefrontCall.apply(change), as: Void.self)
    try await calls.replay(StorefrontCall.apply(change), as: Void.self)
  }
}
