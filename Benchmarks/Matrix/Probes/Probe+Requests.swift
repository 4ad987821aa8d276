import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let cancellationBefore = Probe(
    "cancellation before the work", "100 queries, each cancelled before the typing pauses",
    wanted: .exactly(0, of: 100, "requested")
  ) { stage in
    let (service, clock) = (ScriptedSearchService<TextHit>(), VirtualClock())
    let search = stage.makeSearch(service: service, clock: clock)
    for number in 1...100 {
      search.setQuery("query \(number)")
      await clock.waitForSleepers(1)
      search.cancel()
      clock.advance(by: .seconds(1))
    }
    return [service.calls.requests.count]
  }

  static let cancellationDuring = Probe(
    "cancellation during the work", "a search in flight; the caller of an add that the service has",
    wanted: .exactly(1, of: 1, "search cancelled"), .exactly(0, of: 1, "add lost")
  ) { stage in
    [try await cancelsSearch(stage) ? 1 : 0, try await keepsAddWhole(stage) ? 0 : 1]
  }

  private static func cancelsSearch(_ stage: MigrationStage) async throws -> Bool {
    let service = ScriptedSearchService<TextHit>(ignoringCancellation: true)
    let search = stage.makeSearch(service: service, clock: VirtualClock())
    search.setQuery("a")
    search.submit()
    let call = try await service.calls.next()
    search.cancel()
    await call.waitForCancellation()
    call.succeed(["late"])
    return search.state.results.value == nil
  }

  /// Whether the cart shows an add that the service accepts after the caller was cancelled.
  private static func keepsAddWhole(_ stage: MigrationStage) async throws -> Bool {
    let service = ScriptedCartService()
    let cart = stage.makeCart(service: service)
    let add = Task { try await cart.add(.plenty, quantity: 1) }
    let call = try await service.calls.next()
    // The service already has the request, so the cancellation cannot stop the add there.
    add.cancel()
    call.succeed()
    _ = await add.result
    return cart.state.cart.quantity(of: CatalogProduct.plenty.id) == 1 && cart.state.pendingCount == 0
  }

  static let cancelledCallers = Probe(
    "cancelled callers",
    "two callers of one load give up, one after the other; in the closure and stream stages, a caller "
      + "cannot give up for itself",
    wanted: .exactly(0, of: 1, "request cancelled with the first"), .exactly(1, of: 1, "with the last")
  ) { stage in
    let service = ScriptedPageService<CatalogProduct>()
    let list = stage.makeList(service: service, pageSize: 10)
    let first = await list.load()
    let call = try await service.calls.next()
    let last = await list.load()
    first.cancel()
    // In the other stages a caller is a completion handler, which is called after the answer.
    if stage == .async { await first.value }
    let withFirst = call.isCancelled ? 1 : 0
    last.cancel()
    if stage == .async { await last.value }
    return [withFirst, call.isCancelled ? 1 - withFirst : 0]
  }

  static let synchronousEdits = Probe(
    "edits without `await`",
    "100 queries from a synchronous function: those that the state shows when the call returns",
    wanted: .exactly(100, of: 100, "shown")
  ) { stage in
    let search = stage.makeSearch(service: ScriptedSearchService<TextHit>(), clock: VirtualClock())
    let queries = (1...100).map { "query \($0)" }
    let shown = queries.count { query in
      search.setQuery(query)
      return search.state.query == query
    }
    search.cancel()
    return [shown]
  }
}
