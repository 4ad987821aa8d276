public import AsyncViewModels
import Dispatch

/// A source of signals that the system needs memory.
public protocol MemoryPressureSource: Sendable {
  /// Calls `handler` for each signal, on any queue, until the token is cancelled or released.
  ///
  /// A call that has begun, or is about to begin, can still run after the cancellation.
  func register(_ handler: @escaping @Sendable () -> Void) -> CancellationToken
}

/// The memory pressure that the operating system reports.
///
/// Apple platforms report the levels warning and critical. Linux sends no such signal: call
/// `removeAll()` of the cache instead.
public struct SystemMemoryPressure: MemoryPressureSource {
  /// Creates the source.
  public init() {}

  /// Calls `handler` on a serial queue each time that the system needs memory.
  public func register(_ handler: @escaping @Sendable () -> Void) -> CancellationToken {
    #if canImport(Darwin)
      let queue = DispatchQueue(label: "SystemMemoryPressure")
      let source = MemoryPressureEvents(
        DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: queue))
      source.start(handler)
      return CancellationToken { source.cancel() }
    #else
      return .finished
    #endif
  }
}

#if canImport(Darwin)
  /// A dispatch source that calls a handler.
  ///
  /// `@unchecked Sendable`: `source` never changes. libdispatch permits its methods on any thread.
  private final class MemoryPressureEvents: @unchecked Sendable {
    private let source: any DispatchSourceMemoryPressure

    init(_ source: any DispatchSourceMemoryPressure) { self.source = source }

    func start(_ handler: @escaping @Sendable () -> Void) {
      source.setEventHandler { handler() }
      source.activate()
    }

    func cancel() { source.cancel() }
  }
#endif
