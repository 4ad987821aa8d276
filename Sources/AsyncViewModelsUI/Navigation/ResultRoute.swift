/// A route whose screen has a result.
///
/// ```swift
/// extension ResultRoute where Route == AppRoute, Result == Filter {
///   static var filter: Self { Self(.filter) }
/// }
///
/// let filter = await navigation.present(.filter)
/// ```
public struct ResultRoute<Route: Hashable & Sendable, Result: Sendable>: Sendable {
  /// The route of the screen.
  public let route: Route

  /// Creates a route whose screen ends with a result of this type.
  public init(_ route: Route) { self.route = route }
}

/// A caller that waits for the result of a screen.
final class ResultCaller: Sendable, Equatable {
  private let resolve: @Sendable (any Sendable) -> Bool
  private let giveUp: @Sendable () -> Void

  init<Result: Sendable>(_ promise: Promise<Result?>) {
    resolve = { result in
      // A screen that another request has presented may finish with a result of another type.
      guard let result = result as? Result else {
        promise.resolve(.success(nil))
        return false
      }
      return promise.resolve(.success(result))
    }
    giveUp = { promise.resolve(.success(nil)) }
  }

  /// Ends the wait with a result.
  ///
  /// - Returns: Whether the caller gets it. A caller gets the first result, of its own type.
  func end(with result: any Sendable) -> Bool { resolve(result) }

  /// Ends the wait without a result.
  func end() { giveUp() }

  static func == (first: ResultCaller, second: ResultCaller) -> Bool { first === second }
}
