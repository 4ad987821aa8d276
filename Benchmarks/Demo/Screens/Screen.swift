import AsyncViewModelsUI
import StorefrontDomain
import StorefrontViewModels

/// The screens of the demo: the tabs in the order of their digits, the page of a product, and the
/// sheet that asks for a quantity.
enum Screen: Int, CaseIterable {
  case list = 1
  case search, cart, dashboard, profile, posts, detail, quantity

  /// The routes of the tabs.
  static let roots: [StorefrontRoute] = [.products, .search, .cart, .orders, .profile, .posts]
  static let tabs = roots.map(Screen.init)

  /// The screen of a route.
  init(_ route: StorefrontRoute) {
    switch route {
    case .products: self = .list
    case .search: self = .search
    case .cart: self = .cart
    case .orders: self = .dashboard
    case .profile: self = .profile
    case .posts, .post: self = .posts
    case .product: self = .detail
    case .quantity: self = .quantity
    }
  }

  var content: any ScreenContent.Type {
    switch self {
    case .list: ListScreen.self
    case .search: SearchScreen.self
    case .cart: CartScreen.self
    case .dashboard: DashboardScreen.self
    case .detail: DetailScreen.self
    case .profile: ProfileScreen.self
    case .posts: PostsScreen.self
    case .quantity: QuantityScreen.self
    }
  }
}

/// What a screen shows: the states of the view models, and the position of the user.
struct ScreenInput {
  var states = StorefrontStates()
  /// The selected row.
  var selection = 0
  /// The open post.
  var post: Post.ID?
  /// The product whose quantity the screen asks for.
  var product: CatalogProduct.ID?
  /// The offer of the posts.
  var offer: Prompt<PostsAction>?
  /// The text that the user has typed into the search; `nil` before the first key.
  var typedQuery: String?
  /// The quantity that the user has typed.
  var typedQuantity = ""
  /// Whether a state of the search takes long to draw.
  var isSlow = false
  /// Whether the first screen of the search receives no more states.
  var isFirstScreenReplaced = false
}

/// What a key of a screen asks for.
enum ScreenAction: Equatable {
  case loadNextPage
  case loadNextPosts
  case search(String)
  case toggleSecondScreen
  case toggleSlowDrawing
  case submitSearch
  case loadNextHits
  case open(CatalogProduct.ID, DetailSource)
  case close
  case add(CatalogProduct)
  case setQuantity(Int, CatalogProduct.ID)
  case askQuantity(CatalogProduct.ID)
  case typeQuantity(String)
  case finishQuantity(Int)
  case edit(ProfileField, String)
  case saveProfile
  case resolve(ProfileConflictChoice)
  case select(Post.ID)
  case delete(Post.ID)
  case choose(Prompt<PostsAction>.Button)
}

/// A screen as pure functions: the same input always gives the same lines and actions.
protocol ScreenContent {
  static var title: String { get }
  /// The keys and what they do, for the footer. They fit in 80 columns.
  static var keys: KeyValuePairs<String, String> { get }
  /// Whether characters are typed text.
  static var takesText: Bool { get }

  /// What is shown in place of empty content.
  static var emptyText: String { get }

  /// The number of rows that can be selected.
  static func itemCount(_ input: ScreenInput) -> Int

  /// Whether the content is loaded, is loading or has failed.
  static func state(_ input: ScreenInput) -> ViewState<Void>

  /// The lines of the loaded content, each at most `size.columns` wide.
  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine]

  /// The lines in place of content that is not loaded.
  static func placeholder(_ input: ScreenInput, columns: Int) -> [TextLine]

  /// What a key asks for, or `nil` if the screen does not use the key.
  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction?
}

extension ScreenContent {
  static var takesText: Bool { false }
  static var emptyText: String { "" }

  static func state(_ input: ScreenInput) -> ViewState<Void> { .loaded(()) }

  static func placeholder(_ input: ScreenInput, columns: Int) -> [TextLine] {
    ContentLines.notice(state(input), empty: emptyText, columns: columns)
  }
}

/// The rows around the selected one that fit on the screen.
func visibleRows(of count: Int, around selection: Int, in rows: Int) -> Range<Int> {
  let rows = max(0, rows)
  let first = max(0, min(selection - rows / 2, count - rows))
  return first..<min(count, first + rows)
}
