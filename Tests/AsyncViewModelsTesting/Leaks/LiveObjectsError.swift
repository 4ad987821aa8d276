public import AsyncViewModels

/// What keeps a check of the ``StorefrontDomain/LiveObjects`` from passing.
public enum LiveObjectsError: Error, Equatable {
  /// What lives, though nothing of it should.
  case living(LiveObjectCount)
  /// This is a release build: nobody counts.
  case notTaken
}

extension LiveObjectsError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .living(let count): "still alive: \(count)"
    case .notTaken:
      "a release build takes no census: run this test in a debug build, or only if LiveObjects.areCounted"
    }
  }
}
