package import AsyncViewModels

/// Whether a screen follows a live feed, and how the feed has failed.
///
/// A screen follows its feed from the first request until the feed ends or fails. The next request
/// follows it again. Cancelling a request has no effect on the feed.
public struct Following: Sendable {
  /// The latest failure of the feed.
  private var latestFailure: (any Error)?
  /// Whether the screen follows the feed.
  public private(set) var isActive = false
  /// Whether the screen has been loaded since the failure. A load hides the failure and does not
  /// release it, because a list is loaded under the lock of its state.
  private var isCurrent = true

  package init() {}

  /// The error of the feed: the screen can lack later updates. `nil` after the next load.
  public var failure: (any Error)? { isCurrent ? nil : latestFailure }

  package mutating func begin() { isActive = true }

  /// Records the end of the feed, if the screen follows it. A cancellation is no failure.
  package mutating func end(_ outcome: TaskOutcome<Void>) {
    guard isActive else { return }
    isActive = false
    if case .failure(let error) = outcome { (latestFailure, isCurrent) = (error, false) }
  }

  /// Records that the screen has been loaded. If the feed has failed during the request, the screen
  /// can be out of date.
  package mutating func receiveLoad() { if isActive { isCurrent = true } }
}

/// Equal values look the same on the screen. Errors are compared by their descriptions.
extension Following: Equatable {
  public static func == (left: Following, right: Following) -> Bool {
    left.isActive == right.isActive && description(of: left.failure) == description(of: right.failure)
  }
}
