/// A host for actors in a simulated world. The simulation chooses when each hop to an actor on this host
/// runs.
///
/// Jobs run in the order of arrival, as on the main actor and on serial dispatch queues.
public actor SimulatedWorldIsolation {
  private nonisolated let executor: SimulatedWorldExecutor

  /// The executor that the actors on this host share.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(core: SimulatedWorldCore) {
    executor = core.makeExecutor()
  }
}
