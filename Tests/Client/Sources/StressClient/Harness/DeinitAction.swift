/// An object that runs a closure in its `deinit`, as an object of an app can.
final class DeinitAction: Sendable {
  private let onDeinit: @Sendable () -> Void

  init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

  deinit { onDeinit() }
}
