import AsyncViewModelsSimulation

#if !canImport(Darwin)

  // Functions of the C library that block a thread. The target SimulatedWaits calls these
  // functions.

  /// Whether this thread runs a world whose waits are simulated.
  @_cdecl("simulatedWaitIsInWorld")
  package func simulatedWaitIsInWorld() -> Bool { SimulatedWorldQueues.current != nil }

  /// Sleeps in virtual time.
  @_cdecl("simulatedSleep")
  package func simulatedSleep(_ seconds: Int, _ nanoseconds: Int) {
    SimulatedWorldQueues.current?.wait(
      in: "sleep", timeout: .seconds(seconds) + .nanoseconds(nanoseconds)
    ) { false }
  }
#endif
