public import Domain

/// What keeps a check of the ``Domain/Census`` from passing.
public enum CensusError: Error, Equatable {
  /// What lives, though nothing of it should.
  case living(CensusCount)
  /// This is a release build: nobody counts.
  case notTaken
}

extension CensusError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .living(let count): "still alive: \(count)"
    case .notTaken:
      "a release build takes no census: run this test in a debug build, or only if Census.isTaken"
    }
  }
}
