internal import AsyncViewModelsRuntimeHooks
import Synchronization

/// Sees calls by which code of a world starts work on a thread outside of it, so that a report can
/// name the call.
enum OutsideCalls {
  static func install() {
    unsafe outside_calls_see { call in
      guard let world = JobCapture.world(seenBy: .functions), let call = unsafe call else { return }
      let name = unsafe String(cString: call)
      world.suspect.withLock { $0 = name }
    }
  }

  /// Does nothing if the caller is not code of a world.
  static func note(_ call: StaticString) {
    call.withUTF8Buffer { text in
      unsafe text.withMemoryRebound(to: CChar.self) { unsafe outside_calls_note($0.baseAddress) }
    }
  }

  /// Whether such calls are seen in this process, as ``HookCheck`` finds out. They are not on Apple
  /// platforms, and not if a sanitizer has replaced them.
  static let areSeen = Atomic(false)
}
