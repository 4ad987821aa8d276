import AsyncViewModels
import AsyncViewModelsTesting
import CombineViewModels
import Dispatch
@unsafe @preconcurrency import OpenCombine
import OpenCombineDispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the view models in Combine cannot do, and the stream and async stages can.
@Suite("Combine: limitations", .timeLimit(.minutes(5)), .endsWaits)
struct CombineLimitations {
  @Test("a slow observer receives every state and does not skip to the latest")
  func noConflation() async throws {
    let (model, service) = makeList()
    let screen = try await Screen(model)
    for round in 1...10 {
      model.refresh()
      try await service.calls.next().succeed(.rows([round]))
      try await until { model.state.items == .rows([round]) }
    }
    screen.queue.resume()
    try await screen.states.first { $0.items == .rows([10]) }
    #expect(screen.states.states.count == 1 + 2 * 10)
  }

  @Test("after a cancel, an observer may still receive an earlier state")
  func lateDelivery() async throws {
    let (model, service) = makeList()
    let screen = try await Screen(model)
    model.load()
    _ = try await service.calls.next()
    model.cancel()
    #expect(model.state.content.isIdle)
    screen.queue.resume()
    try await screen.states.first { $0.content.isLoading }
  }

  @Test("each page copies the items that the list has")
  func copies() async throws {
    let (model, service) = makeList(pageSize: 100)
    var addresses: Set<Int?> = []
    for index in 0..<4 {
      if index == 0 { model.load() } else { model.loadNextPage() }
      try await service.calls.next().succeed(.rows(index * 100..<index * 100 + 100, index: index))
      try await until { model.state.items.count == index * 100 + 100 }
      addresses.insert(model.state.items.address)
    }
    // In place, the third page has room for the fourth.
    #expect(addresses.count == 4)
  }

  @Test("an observer without a queue runs inside the intent, which waits for it")
  func observerInsideIntent() async throws {
    let search = SearchCombineViewModel(
      service: ScriptedSearchService<TextHit>(), scheduler: VirtualScheduler(VirtualClock()))
    let (seen, queries) = AsyncStream<String>.makeStream()
    let subscription = search.states.sink { queries.yield($0.query) }
    let states = StateRecorder(seen)
    try await states.waitForStates(1)
    search.setQuery("a")
    // No wait: the observer has run.
    queries.finish()
    #expect(try await states.waitForEnd() == ["", "a"])
    subscription.cancel()
  }

  @Test("an observer that comes after the end does not receive the last state")
  func lateObserver() async throws {
    let cart = CartCombineViewModel(scheduler: VirtualScheduler(VirtualClock()))
    let early = StateRecorder(stream(of: cart.states))
    cart.close()
    #expect(try await early.waitForEnd().last?.isClosed == true)
    #expect(try await StateRecorder(stream(of: cart.states)).waitForEnd().isEmpty)
  }

  @Test("a caller of a load that gives up does not cancel it")
  func callers() async throws {
    let (model, service) = makeList()
    let caller = model.load().sink { _ in }
    let call = try await service.calls.next()
    caller.cancel()
    #expect(!call.isCancelled && model.state.pendingRequest != nil)
    call.succeed(.rows(1...2))
    try await until { model.state.items == .rows(1...2) }
  }

  private func makeList(
    pageSize: Int = 2
  ) -> (ProductListCombineViewModel, ScriptedPageService<CatalogProduct>) {
    let service = ScriptedPageService<CatalogProduct>()
    return (ProductListCombineViewModel(service: service, pageSize: pageSize), service)
  }
}

/// A screen that receives the states of a list on a queue. The queue is suspended after the first state.
private struct Screen {
  let queue: DispatchQueue
  let states: StateRecorder<ProductListState>
  private let subscription: AnyCancellable

  init(_ model: ProductListCombineViewModel) async throws {
    let (stream, continuation) = AsyncStream<ProductListState>.makeStream()
    states = StateRecorder(stream)
    queue = DispatchQueue(label: "screen")
    subscription = model.states.receive(on: queue.ocombine).sink { continuation.yield($0) }
    try await states.waitForStates(1)
    queue.suspend()
  }
}
