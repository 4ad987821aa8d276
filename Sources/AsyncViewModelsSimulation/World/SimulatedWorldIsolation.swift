/// The actor of ``SimulatedWorld/isolation``. Its jobs run in the order of arrival, as on the main
/// actor.
actor SimulatedWorldIsolation {
  private nonisolated let executor: SimulatedWorldExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(core: SimulatedWorldCore) {
    executor = core.makeExecutor()
  }
}
