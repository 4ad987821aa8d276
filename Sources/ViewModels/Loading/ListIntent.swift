/// An intent of a screen that loads its content page by page: what the user or the app asks for.
package enum ListIntent: Sendable, CaseIterable {
  /// Loads the first page, unless it is loaded or a load is in progress.
  case load
  /// Loads the first page again, and replaces a load that is in progress.
  case refresh
  /// Loads the page after the loaded ones.
  case loadNextPage
  /// Loads the page whose load failed.
  case retry
}
