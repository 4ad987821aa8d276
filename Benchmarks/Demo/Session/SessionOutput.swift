import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontViewModels

/// What the view models of one stage have sent to the screens.
///
/// Each session has its own output, so a late answer to an earlier stage never reaches the screen.
@MainActor
final class SessionOutput {
  typealias StatePath<State> = any WritableKeyPath<StorefrontStates, State> & Sendable

  var states = StorefrontStates() { didSet { isChanged = true } }
  var notice: Notice? { didSet { isChanged = true } }
  /// The post that the posts screen has selected.
  var post: Post.ID? { didSet { isChanged = true } }
  /// The offer to undo the last deletion.
  var offer: AlertState<PostsAction>? { didSet { isChanged = true } }
  /// The selected rows.
  var selections: [Screen: Int] = [:] { didSet { isChanged = true } }
  /// The text in the field of the search, as the user has typed it; `nil` before the first key.
  var typedQuery: String?
  /// The text in the field of the quantity.
  var typedQuantity = "" { didSet { isChanged = true } }
  /// Whether a screen takes ``slowDrawing`` to draw a state of the search.
  var isSlow = false { didSet { isChanged = true } }
  private(set) var draws = SearchDraws()
  /// Whether the second screen has replaced the first one as the observer of the search.
  var isFirstScreenReplaced = false { didSet { isChanged = true } }
  /// Whether the screen does not show the output yet.
  var isChanged = false

  let meter = LiveMeter()
  /// Shows an alert of the posts.
  var showAlert: @MainActor (AlertState<PostsAction>) -> Void = { _ in }

  /// Returns what a screen shows now.
  func input(of screen: Screen, at route: StorefrontRoute?) -> ScreenInput {
    var input = ScreenInput(
      states: states, post: post, offer: offer.map { Prompt(alert: $0, isOffer: true) },
      typedQuery: typedQuery, typedQuantity: typedQuantity, isSlow: isSlow,
      isFirstScreenReplaced: isFirstScreenReplaced)
    if case .quantity(let product) = route { input.product = product }
    input.selection = max(0, min(selections[screen] ?? 0, screen.content.itemCount(input) - 1))
    return input
  }

  /// The time in milliseconds that a slow screen takes to draw a state, as the reload of a long table does.
  nonisolated static let slowDrawing = 150

  /// Draws a state of the search on one of its screens.
  func draw(_ state: SearchState<SearchHit>, on observer: SearchObserver) {
    if let typedQuery, state.query != typedQuery { draws.old += 1 }
    switch observer {
    case .first: (states.search, draws.first) = (state, draws.first + 1)
    case .second: (states.secondSearch, draws.second) = (state, draws.second + 1)
    }
    // audit:ignore blocking-wait The reader asks for slow drawing.
    if isSlow { Thread.sleep(forTimeInterval: Double(Self.slowDrawing) / 1_000) }
  }

  /// Returns an observer for a binding of the closure stage, which calls it on the main queue.
  func receiver<State: Sendable>(of path: StatePath<State>) -> @Sendable (State) -> Void {
    receiver { $0.states[keyPath: path] = $1 }
  }

  /// Returns an observer that runs `body` on the main actor. Call it only on the main queue.
  func receiver<Value: Sendable>(
    _ body: @escaping @MainActor (SessionOutput, Value) -> Void
  ) -> @Sendable (Value) -> Void {
    let mark = meter.mark(\.observers)
    return { [weak self] value in
      withExtendedLifetime(mark) {
        MainActor.assumeIsolated { if let self { body(self, value) } }
      }
    }
  }

  /// Shows the states of a stream until the bindings end.
  func follow<State: Sendable>(
    _ states: AsyncStream<State>, as path: StatePath<State>, in bindings: ScreenBindings
  ) {
    follow(states, in: bindings) { $0.states[keyPath: path] = $1 }
  }

  func follow<Element: Sendable>(
    _ elements: AsyncStream<Element>, in bindings: ScreenBindings,
    _ body: @escaping @MainActor (SessionOutput, Element) -> Void
  ) {
    let mark = meter.mark(\.observers)
    bindings.observe(MeteredStream(elements, meter), on: self) { output, element in
      withExtendedLifetime(mark) { body(output, element) }
    }
  }

  /// Shows the result of a mutation: nothing for a success.
  func report(_ result: Result<Void, any Error>) {
    if case .failure(let error) = result, !(error is CancellationError) { notice = Notice(error) }
  }

  func receive(_ event: PostsEvent) {
    switch event {
    case .alert(let alert): showAlert(alert)
    case .offer(let offer): self.offer = offer
    case .route(.post(let id)): post = id
    }
  }
}
