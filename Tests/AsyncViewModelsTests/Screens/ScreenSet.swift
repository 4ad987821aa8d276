import AsyncViewModels
import AsyncViewModelsTesting

/// Creates screens that share a hook log and are tracked for leaks.
@MainActor
struct ScreenSet {
  let log = HookLog()
  let tracker: LeakTracker

  func host(_ name: String, bind: (@MainActor (ScreenHost) -> Void)? = nil) -> ScreenHost {
    let host = ScreenHost(tracker.track(RecordingScreen(name, in: log, bind: bind), name))
    return tracker.track(host, "host of \(name)")
  }

  func track<Object: AnyObject & Sendable>(_ object: Object) -> Object { tracker.track(object) }
}

/// Runs a test with a screen set, and checks that none of its screens outlives the test.
@MainActor
func withScreens(_ body: @MainActor (ScreenSet) async throws -> Void) async throws {
  try await LeakTracker.check { tracker in try await body(ScreenSet(tracker: tracker)) }
}

extension ScreenHost {
  /// The screen of a host that a ``ScreenSet`` created.
  var recording: RecordingScreen { screen as! RecordingScreen }
}
