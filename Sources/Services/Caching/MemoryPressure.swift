public import AsyncViewModels
import Dispatch

/// A source of signals that the system needs memory: the operating system, or a replacement in a test.
public protocol MemoryPressureSource: Sendable {
  /// Calls `handler` each time that the system needs memory, on an unspecified queue, until the returned token is cancelled
  /// or released.
  ///
  /// A call that has begun, or is about to begin, can still run after the cancellation.
  func register(_ handler: @escaping @Sendable () -> Void) -> CancellationToken
}

/// The memory pressure that the operating system reports.
///
/// On Apple platforms, the handlers are called if the system needs memory from its processes, with the levels warning and
/// critical. Linux sends no such signal to a process, so there the handlers are never called: call `removeAll()` of the
/// cache instead.
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
      return .ended
    #endif
  }
}

#if canImport(Darwin)
  /// A dispatch source that calls a handler.
  ///
  /// `@unchecked Sendable`: `source` never changes, and libdispatch permits its methods on any thread.
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
