import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let cancelAgainstFinish = Scenario(
    "observation/cancel-against-finish",
    """
    the cancellation of the reader, the finish of the state and the release of its owner come in any \
    order: the reader ends, and no observer is left
    """, tasks: 3
  ) { world in
    final class Owner: Sendable {
      let state = StateStore(0)
    }
    var owner: Owner? = Owner()
    guard let state = owner?.state else { return }
    let stays = world.flip() ? state : nil
    let buffering = world.choose(from: [BufferingPolicy.latest, .bounded(1), .unbounded])
    let asStream = world.flip() ? state.states(buffering) : nil
    let elements = asStream == nil ? state.values(buffering) : nil
    let reader = world.spawn("reader") {
      var last = -1
      func take(_ value: Int) {
        world.expect(value > last, "\(value) came after \(last)")
        last = value
      }
      if let asStream { for await value in asStream { take(value) } }
      if let elements { for await value in elements { take(value) } }
    }
    world.spawn("sender", canBeLeftOut: true) { [weak owner] in
      for value in 1...2 {
        await Task.yield()
        owner?.state.send(value)
      }
    }
    if world.flip() { world.faults.cancellation(of: reader) }
    if world.flip() { world.spawn("finish") { [weak owner] in owner?.state.finish() } }
    await Task.yield()
    if stays == nil {
      owner = nil
    } else {
      await world.settle()
      stays?.finish()
      await reader.waitForEnd()
      world.expectEqual(stays?.observerCount ?? 0, 0, "observers left:")
    }
  }
}
