import StorefrontDomain
import StorefrontViewModels

/// The states of all features. Every stage has the same states, so one set of screens serves all
/// stages.
struct StorefrontStates: Sendable {
  var list: ProductListState
  var search = SearchState<SearchHit>(pageSize: hitsPageSize)
  /// The search on the second screen; `nil` if there is none.
  var secondSearch: SearchState<SearchHit>?
  var cart = CartState(hasService: true)
  var dashboard = DashboardState()
  /// `nil` if no product is open.
  var page: ProductPageState?
  var profile = ProfileState()
  var posts = PostsState(pageSize: postsPageSize)

  static let pageSize = 60
  static let postsPageSize = 20
  static let hitsPageSize = 50

  init() { list = ProductListState(pageSize: Self.pageSize) }
}

/// A message for the user, which the next key removes.
struct Notice: Hashable {
  let text: String
  let isError: Bool

  init(_ text: String) {
    self.text = text
    isError = false
  }

  init(_ error: any Error) {
    text = "\(error)"
    isError = true
  }

  func lines(columns: Int) -> [TextLine] {
    Array(
      TextLine.wrapped("\(isError ? "✗" : "✓") \(text)", width: columns, isError ? .bad : .good).prefix(4))
  }
}
