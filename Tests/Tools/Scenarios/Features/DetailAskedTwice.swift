import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let detailAskedTwice = inEachStage(
    "detail/asked-twice",
    """
    two screens request one detail, and the load may be cancelled: a loaded detail shows; after a cancel, \
    nothing is loading and no state is published; the service gets no needless request
    """, tasks: 4
  ) { world, stage, tracker in
    let calls = DetailCalls()
    let service = ShakyDetail(world: world, calls: calls)
    let model = stage.makeDetail(itemID: 7, source: .list, service: service, isolation: world.isolation)
    tracker.track(model.subject)
    let looks = (0..<2).map { _ in EventLog<DetailLook>() }
    let screens = looks.indices.map { index in
      let states = model.states()
      world.spawn("opens \(index + 1)") { await model.load() }
      return world.spawn("screen \(index + 1)") {
        for await state in states { looks[index].append(DetailLook(state)) }
      }
    }
    let isCancelled = world.flip()
    if isCancelled {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    await model.settle()
    world.expect(!model.state.content.isLoading, "still loading")
    let (least, most) = (isCancelled ? 0 : 1, 1 + calls.failed.begun + (isCancelled ? 1 : 0))
    world.expect((least...most).contains(calls.made.begun), "\(calls.made.begun) calls, \(most) at most")
    let look = DetailLook(model.state)
    world.expectEqual(looks[1].values.last, look, "shown at rest:")
    // In the closure stage, the binding of the second screen replaces the binding of the first.
    world.expectEqual(looks[0].values.last, stage == .closure ? nil : look, "shown on the other screen:")

    if model.state.needsRequest(for: .load) {
      await model.load()
      try await world.faults.latency()
      await model.cancel()
      let cancelled = DetailLook(model.state)
      world.expect(cancelled != .loading, "loading after a cancel")
      await world.expectQuiet(model.states())
      world.expectEqual(DetailLook(model.state), cancelled, "after a cancel:")
    }
    while model.state.content.value == nil {
      await model.load()
      await world.settle()
    }
    world.expectEqual(DetailLook(model.state), .loaded(7))
    let begun = calls.made.begun
    await model.load()
    await world.settle()
    world.expectEqual(calls.made.begun, begun, "requests after a load:")
    if stage == .closure { for screen in screens { screen.cancel() } }
  }
}

/// The visible part of a detail's state.
private enum DetailLook: Equatable, Sendable {
  case nothing, loading, failed
  case loaded(Int)

  init(_ state: ProductDetailState) {
    self =
      switch state.content {
      case .idle, .empty: .nothing
      case .loading: .loading
      case .failed: .failed
      case .loaded(let product): .loaded(product.id.rawValue)
      }
  }
}

private struct DetailCalls: Sendable {
  let made = EventLog<Void>()
  let failed = EventLog<Void>()
}

private struct ShakyDetail: DetailService, DetailClosureService {
  let world: SimulatedWorld
  let calls: DetailCalls

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    calls.made.begin()
    if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
    do { try world.faults.failure(ServiceError.timedOut) } catch {
      calls.failed.begin()
      throw error
    }
    return CatalogProduct(id.rawValue)
  }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await detail(of: id) }
  }
}
