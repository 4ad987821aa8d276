import AsyncViewModelsTesting
import AsyncViewModelsUI

/// Creates screens that share a hook log and are tracked for leaks.
@MainActor
struct ScreenSet {
  let log = HookLog()
  let tracker: LeakTracker

  func host(_ name: String, bind: (@MainActor (ScreenHost) -> Void)? = nil) -> ScreenHost {
    let host = ScreenHost(tracker.track(RecordingScreen(name, in: log, bind: bind), name))
    return tracker.track(host, "host of \(name)")
  }

  /// Calls `body` with each kind of screen that no container accepts, and with the error of the container.
  func withUnfitScreens(_ body: (ScreenHost, ScreenHostError) throws -> Void) throws {
    let (parent, contained) = (host("parent"), host("contained"))
    let (shown, ended) = (host("shown"), host("ended"))
    try parent.embed(contained)
    try shown.show()
    try ended.end()
    try body(contained, .illegalContainment(from: .contained, to: .joining))
    try body(shown, .onDisplay(.visible))
    try body(ended, .ended)
    withExtendedLifetime(parent) {}
  }

  func track<Object: AnyObject & Sendable>(_ object: Object) -> Object { tracker.track(object) }
}

/// Runs a test with a screen set, and checks that no object that the set tracks outlives the test.
@MainActor
func withScreens(_ body: @MainActor (ScreenSet) async throws -> Void) async throws {
  try await LeakTracker.check { tracker in try await body(ScreenSet(tracker: tracker)) }
}

extension ScreenHost {
  /// The screen of a host that a ``ScreenSet`` created.
  var recording: RecordingScreen { screen as! RecordingScreen }
}
