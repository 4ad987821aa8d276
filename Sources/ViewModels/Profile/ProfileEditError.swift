public import StorefrontDomain

/// Why an intent of the profile's screen cannot be carried out now. The screen is as it was.
public enum ProfileEditError: Error, Hashable, Sendable {
  /// There is no profile yet.
  case notLoaded
  /// These values are wrong, in the order of the fields. Nothing was sent.
  case invalid([ProfileValidationError])
  /// A save is on its way, and may change what the next one stands on.
  case saveUnderWay
  /// The service has moved on to this, and somebody has to decide first.
  case unresolvedConflict(current: Profile)
  /// There is no conflict.
  case nothingToResolve
}

extension ProfileEditError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notLoaded: "there is no profile yet"
    case .invalid(let errors): errors.map(\.description).joined(separator: "; ")
    case .saveUnderWay: "a save is on its way"
    case .unresolvedConflict(let current):
      "version \(current.version) was saved elsewhere, and nobody has decided which one is to stay"
    case .nothingToResolve: "there is no conflict"
    }
  }
}
