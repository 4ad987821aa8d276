import StorefrontDomain
import StorefrontViewModels

/// The screens of the demo, in the order of their digits.
enum Screen: Int, CaseIterable {
  case list = 1
  case search, cart, dashboard, detail, profile, posts

  var content: any ScreenContent.Type {
    switch self {
    case .list: ListScreen.self
    case .search: SearchScreen.self
    case .cart: CartScreen.self
    case .dashboard: DashboardScreen.self
    case .detail: DetailScreen.self
    case .profile: ProfileScreen.self
    case .posts: PostsScreen.self
    }
  }

  /// The screen that Tab shows next.
  var next: Screen { Screen(rawValue: rawValue + 1) ?? .list }
  var previous: Screen { Screen(rawValue: rawValue - 1) ?? .posts }
}

/// What a screen shows: the states of the view models, and the position of the user.
struct ScreenInput {
  var states = StorefrontStates()
  /// The selected row.
  var selection = 0
  /// The open post.
  var post: Post.ID?
  /// The alert or the offer of the posts.
  var prompt: PostsPrompt?
}

/// What a key of a screen asks for.
enum ScreenAction: Equatable {
  case loadNextPage
  case loadNextPosts
  case search(String)
  case submitSearch
  case loadNextHits
  case open(CatalogProduct.ID, DetailSource)
  case close
  case add(CatalogProduct)
  case setQuantity(Int, CatalogProduct.ID)
  case edit(ProfileField, String)
  case saveProfile
  case resolve(ProfileConflictChoice)
  case select(Post.ID)
  case delete(Post.ID)
  case choose(PostsPrompt.Button)
}

/// A screen as pure functions: the same input always gives the same lines and actions.
protocol ScreenContent {
  static var title: String { get }
  /// The keys and what they do, for the footer. They fit in 80 columns.
  static var keys: KeyValuePairs<String, String> { get }
  /// Whether characters are typed text.
  static var takesText: Bool { get }

  /// The number of rows that can be selected.
  static func itemCount(_ input: ScreenInput) -> Int

  /// The lines of the screen, each at most `size.columns` wide.
  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine]

  /// What a key asks for, or `nil` if the screen does not use the key.
  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction?
}

extension ScreenContent {
  static var takesText: Bool { false }
}

/// The rows around the selected one that fit on the screen.
func visibleRows(of count: Int, around selection: Int, in rows: Int) -> Range<Int> {
  let rows = max(0, rows)
  let first = max(0, min(selection - rows / 2, count - rows))
  return first..<min(count, first + rows)
}
