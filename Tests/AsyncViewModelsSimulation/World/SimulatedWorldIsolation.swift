/// A host of a world. Actors that are hosted on it are isolated as they are on any other host, and each hop to them is a choice of the
/// world.
///
/// It keeps to the order in which work arrives, as the main actor and dispatch queues do.
public actor SimulatedWorldIsolation {
  private nonisolated let executor: SimulatedWorldExecutor

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(core: SimulatedWorldCore) {
    executor = core.makeExecutor()
  }
}
