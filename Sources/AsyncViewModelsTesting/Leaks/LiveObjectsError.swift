public import AsyncViewModels
public import Foundation

/// The reason that a check of ``/AsyncViewModels/LiveObjects`` failed.
public enum LiveObjectsError: Error, Equatable {
  /// Objects are still alive.
  case living(LiveObjectCount)
  /// This is a release build, which does not count live objects.
  case notCounted
}

extension LiveObjectsError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .living(let count): "These objects are still alive: \(count)"
    case .notCounted:
      "A release build does not count live objects: run this test in a debug build, or only if "
        + "LiveObjects.areCounted."
    }
  }

  public var errorDescription: String? { description }
}
