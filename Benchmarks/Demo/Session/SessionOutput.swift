import AsyncViewModels
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
  /// The alerts of the posts that the user has not closed yet, then at most one offer. The screen shows the first one.
  var prompts: [PostsPrompt] = [] { didSet { isChanged = true } }
  /// Whether the screen does not show the output yet.
  var isChanged = false

  let meter = LiveMeter()

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

  /// Shows the states of a stream until the token is cancelled or released.
  func follow<State: Sendable>(
    _ states: AsyncStream<State>, as path: StatePath<State>
  ) -> CancellationToken {
    follow(states) { $0.states[keyPath: path] = $1 }
  }

  func follow<Element: Sendable>(
    _ elements: AsyncStream<Element>, _ body: @escaping @MainActor (SessionOutput, Element) -> Void
  ) -> CancellationToken {
    let mark = meter.mark(\.observers)
    return MeteredStream(elements, meter).observe(on: self) { output, element in
      withExtendedLifetime(mark) { body(output, element) }
    }
  }

  /// Shows the result of a mutation: nothing for a success.
  func report(_ result: Result<Void, any Error>) {
    if case .failure(let error) = result, !(error is CancellationError) { notice = Notice(error) }
  }

  func receive(_ event: PostsEvent) {
    switch event {
    case .alert(let alert):
      let place = prompts.firstIndex(where: \.isOffer) ?? prompts.endIndex
      prompts.insert(PostsPrompt(alert: alert, isOffer: false), at: place)
    case .offer(let offer):
      prompts.removeAll(where: \.isOffer)
      prompts.append(PostsPrompt(alert: offer, isOffer: true))
    case .route(.post(let id)): post = id
    }
  }
}
