/// An intent of a screen with loaded content.
package enum LoadIntent: Sendable, CaseIterable {
  /// Loads the content, unless it is loaded or a load is in progress.
  case load
  /// Loads the content again, and replaces a load in progress.
  case refresh
}
