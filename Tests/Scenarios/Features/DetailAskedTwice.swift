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
    two screens ask for one detail, and one of them leaves: what is there is shown, a load \
    that was called off leaves no trace, and no more is asked for than needed
    """, tasks: 4
  ) { world, stage, tracker in
    let calls = DetailCalls()
    let service = ShakyDetail(world: world, calls: calls)
    let model = stage.makeDetail(itemID: 7, source: .list, service: service, isolation: world.isolation)
    tracker.track(model.subject)
    let looks = (0..<2).map { _ in EventLog<DetailLook>() }
    let screens = looks.indices.map { index in
      let states = model.states()
      world.spawn("opens \(index + 1)") { await model.loadIfNeeded() }
      return world.spawn("screen \(index + 1)") {
        for await state in states { looks[index].append(DetailLook(state)) }
      }
    }
    let isCalledOff = world.flip()
    if isCalledOff {
      world.spawn("leaves", canBeLeftOut: true) {
        try await world.faults.latency()
        await model.cancel()
      }
    }
    await world.settle()
    await model.settle()
    world.expect(!model.state.content.isLoading, "still loading")
    let (least, most) = (isCalledOff ? 0 : 1, 1 + calls.failed.begun + (isCalledOff ? 1 : 0))
    world.expect((least...most).contains(calls.made.begun), "\(calls.made.begun) calls, \(most) at most")
    let look = DetailLook(model.state)
    world.expectEqual(looks[1].values.last, look, "shown at rest:")
    // The last binding wins, and takes the states away from the one before.
    world.expectEqual(looks[0].values.last, stage == .closure ? nil : look, "shown on the other screen:")

    if model.state.needsLoading {
      await model.loadIfNeeded()
      try await world.faults.latency()
      await model.cancel()
      let calledOff = DetailLook(model.state)
      world.expect(calledOff != .loading, "loading after a cancel")
      await world.expectQuiet(model.states())
      world.expectEqual(DetailLook(model.state), calledOff, "after a cancel:")
    }
    while model.state.content.value == nil {
      await model.loadIfNeeded()
      await world.settle()
    }
    world.expectEqual(DetailLook(model.state), .loaded(7))
    let begun = calls.made.begun
    await model.loadIfNeeded()
    await world.settle()
    world.expectEqual(calls.made.begun, begun, "what is there is not asked for again:")
    if stage == .closure { for screen in screens { screen.cancel() } }
  }
}

/// What a screen makes of the state of a detail.
private enum DetailLook: Equatable, Sendable {
  case nothing, loading, failed
  case loaded(Int)

  init(_ state: DetailState<Row>) {
    self =
      switch state.content {
      case .idle, .empty: .nothing
      case .loading: .loading
      case .failed: .failed
      case .loaded(let row): .loaded(row.id)
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

  func detail(of id: Int) async throws -> Row {
    calls.made.begin()
    if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
    do { try world.faults.failure(ServiceError.timedOut) } catch {
      calls.failed.begin()
      throw error
    }
    return Row(id: id)
  }

  func detail(
    of id: Int, completion: @escaping @Sendable (Result<Row, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await detail(of: id) }
  }
}
