// In the graph of the nested package of peers, each target needs a name of its own.
#if canImport(PeersAllocationCounter)
  import PeersAllocationCounter
#else
  import AllocationCounter
#endif

/// Counts how often the process asks for memory. In a pass of its own: what counts would also slow down what is timed.
enum AllocationMeter {
  /// Whether this platform lets us count.
  static var isAvailable: Bool { allocation_counter_is_available() }

  /// How often all threads together ask for memory while `body` runs. One at a time.
  static func count<Value>(during body: () async throws -> Value) async rethrows -> (Value, allocations: Int)
  {
    allocation_counter_start()
    let value: Value
    do { value = try await body() } catch {
      _ = allocation_counter_stop()
      throw error
    }
    return (value, Int(allocation_counter_stop()))
  }
}
