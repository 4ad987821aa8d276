import AsyncViewModels

/// An intent of a screen that loads its content. The state of the screen has the rules.
package enum LoadIntent: Sendable, CaseIterable {
  case load
  case refresh
}

extension Loadable {
  /// Whether an intent begins a load. Otherwise, its caller waits for the load in progress, if any.
  func needsRequest(for intent: LoadIntent) -> Bool {
    switch intent {
    case .load: value == nil && !isLoading
    case .refresh: true
    }
  }
}
