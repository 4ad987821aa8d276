public import AsyncViewModels

/// How a screen broke the rule that it binds on load, and that what it binds ends with it.
public enum ScreenBindingError: Error, Equatable {
  /// So many observers were there before the screen was loaded: it binds in `init`, or in a task that `init` starts.
  case boundInInit(observers: Int)
  /// The load has added no observer.
  case notBoundOnLoad
  /// So many observers were left after the screen had ended.
  case boundAfterEnd(observers: Int)
  /// Something keeps the screen alive that should not: most often a closure among its bindings, or its own strong host.
  case outlivesItsHost(screen: String)
  /// This is a release build, in which nobody counts observers: pass `observerCount`.
  case notCounted
  /// The screen drives its own host, so that it cannot be shown, hidden and ended from outside.
  case refused(ScreenHostError)
}

extension ScreenBindingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .boundInInit(let count): "\(count) observers before the load: bind in didLoad(in:), not in init"
    case .notBoundOnLoad: "no observer after the load: bind in didLoad(in:)"
    case .boundAfterEnd(let count): "\(count) observers after the end: put what you bind into host.bindings"
    case .outlivesItsHost(let screen): "\(screen) is alive after its host: capture it weakly in what it binds"
    case .notCounted:
      "a release build takes no census: pass observerCount, or check only if LiveObjects.areCounted"
    case .refused(let error): "the screen drives its own host: \(error)"
    }
  }
}
