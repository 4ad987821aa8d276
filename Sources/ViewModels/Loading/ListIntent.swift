/// An intent of a screen with pages. ``ListState`` and ``PostsState`` have the rules.
package enum ListIntent: Sendable, CaseIterable {
  case load
  case refresh
  case loadNextPage
  case retry
}
