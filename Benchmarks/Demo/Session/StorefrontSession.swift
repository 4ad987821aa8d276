import AsyncViewModelsRequests
import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels

/// The view models of one stage over one server, as an app uses them.
///
/// Read the three sessions side by side: they differ in how they observe the view models and call
/// the intents, and in nothing else. Releasing a session releases its view models.
@MainActor
protocol StorefrontSession: AnyObject {
  /// Creates the view models.
  init(server: URL, output: SessionOutput) throws

  /// The newest states of the features with text fields. They are never older than the last edit. A
  /// state that an observer has received can be older, so the next character would replace the last
  /// one.
  var searchState: SearchState<SearchHit> { get }
  var profileState: ProfileState { get }

  /// Observes the view model of a tab until the bindings end, and starts to load it.
  func bind(_ screen: Screen, in bindings: ScreenBindings)
  /// Observes the search for one of its screens until the bindings end.
  func observeSearch(for observer: SearchObserver, in bindings: ScreenBindings)
  /// Creates the view model of a product's page, observes it until the bindings end, and starts to
  /// load it.
  func open(_ id: CatalogProduct.ID, from source: DetailSource, in bindings: ScreenBindings)
  /// Releases the view model of the page.
  func closePage()

  /// Loads the content of a screen again. After a failure, repeats the failed load.
  func reload(_ screen: Screen)
  func loadNextPage()
  func loadNextPosts()
  func search(for query: String)
  func submitSearch()
  func loadNextHits()
  /// Adds the product whose page is open to the cart.
  func addOpenProduct()
  func add(_ product: CatalogProduct)
  func setQuantity(_ quantity: Int, of id: CatalogProduct.ID)
  func edit(_ field: ProfileField, to text: String)
  func saveProfile()
  func resolve(_ choice: ProfileConflictChoice)
  func select(_ id: Post.ID)
  func delete(_ id: Post.ID)
  func perform(_ action: PostsAction)
}

extension MigrationStage {
  /// The session of this stage.
  var session: any StorefrontSession.Type {
    switch self {
    case .closure: ClosureSession.self
    case .stream: StreamSession.self
    case .async: AsyncSession.self
    }
  }

  var summary: String {
    switch self {
    case .closure: "completion handlers on GCD queues, one observer"
    case .stream: "GCD services, the state published as a stream"
    case .async: "an actor with async/await, the state as a stream"
    }
  }
}

extension HTTPOptions {
  /// Short waits, so that a fault is visible soon: one retry, and at most 10 seconds for a call.
  /// The feed may stay silent: the server sends nothing until a price changes.
  static let demo = HTTPOptions(
    limits: HTTPLimits(deadline: .seconds(10), idleTimeout: .seconds(3_600)),
    retry: HTTPRetryPolicy(
      backoff: .exponential(from: .milliseconds(50), upTo: .milliseconds(100), limit: 1)))
}
