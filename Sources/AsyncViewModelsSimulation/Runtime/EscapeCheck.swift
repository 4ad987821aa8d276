internal import AsyncViewModelsRuntimeHooks

/// The check at the end of `withoutActuallyEscaping`, which ends the process if the closure is
/// still in use.
enum EscapeCheck {
  /// Makes the next check on this thread pass. Returns false if it cannot.
  static func allowNext() -> Bool { escapes_allow_next() }

  /// Whether checks pass if they should.
  static var canPass: Bool {
    guard allowNext() else { return false }
    withoutActuallyEscaping({}) { _ in }
    return !escapes_allows_next()
  }
}
