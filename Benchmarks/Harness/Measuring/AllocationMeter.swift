import AsyncViewModelsAllocationCounter

/// Counts the allocations of the process. Counting slows the work down, so a benchmark counts in some of its batches and
/// measures the time in others.
enum AllocationMeter {
  /// Whether this platform can count allocations.
  static var isAvailable: Bool { allocation_counter_is_available() }

  /// Counts the allocations of all threads while `body` runs. Only one call may run at a time.
  static func count<Value>(
    during body: () async throws -> Value
  ) async rethrows -> (Value, Allocations) {
    allocation_counter_start()
    let value: Value
    do { value = try await body() } catch {
      _ = allocation_counter_stop()
      throw error
    }
    let count = allocation_counter_stop()
    return (value, Allocations(count: Int(count.allocations), bytes: Int(count.bytes)))
  }

  /// The allocations, and their bytes, whether they were freed or not.
  struct Allocations {
    let count: Int
    let bytes: Int
  }
}
