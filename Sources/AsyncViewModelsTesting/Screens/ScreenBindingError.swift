public import AsyncViewModelsUI
public import Foundation

/// The reason that a check of ``ScreenHarness`` failed. A screen must bind on load, and its
/// bindings must end with the screen.
public enum ScreenBindingError: Error, Equatable {
  /// Observers existed before the screen loaded: it binds in `init`, or in a task that `init`
  /// starts.
  case boundInInit(observers: Int)
  /// Loading the screen added no observer.
  case notBoundOnLoad
  /// Observers were left after the screen ended.
  case boundAfterEnd(observers: Int)
  /// The screen was not released. The usual cause is a binding whose closure captures the screen,
  /// or a strong reference from the screen to its host.
  case outlivesItsHost(screen: String)
  /// This is a release build, which does not count observers: pass `observerCount`.
  case notCounted
  /// The screen drives its own host, so the check cannot show, hide and end the host.
  case refused(ScreenHostError)
}

extension ScreenBindingError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .boundInInit(let count):
      "There are \(count) observers before loading: bind in didLoad(in:), not in init."
    case .notBoundOnLoad: "There is no observer after loading: bind in didLoad(in:)."
    case .boundAfterEnd(let count):
      "There are \(count) observers after the end: store the bindings in host.bindings."
    case .outlivesItsHost(let screen): "\(screen) is alive after its host: capture it weakly in its bindings."
    case .notCounted:
      "A release build does not count observers: pass observerCount, or check only if LiveObjects.areCounted."
    case .refused(let error): "The screen drives its own host: \(error)"
    }
  }

  public var errorDescription: String? { description }
}
