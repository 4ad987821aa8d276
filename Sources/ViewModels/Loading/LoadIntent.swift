/// An intent of a screen that loads its content: what the user or the app asks for.
package enum LoadIntent: Sendable, CaseIterable {
  /// Loads the content, unless it is loaded or a load is in progress.
  case load
  /// Loads the content again, and replaces a load that is in progress.
  case refresh
}
