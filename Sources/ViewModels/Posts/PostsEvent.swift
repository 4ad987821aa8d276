public import AsyncViewModels
public import StorefrontDomain

/// A one-time event of the posts screen. It is not in the state, which screens read repeatedly.
///
/// Show the alerts and the offers, and pass the action of the chosen button to the view model's
/// ``PostsViewModel/perform(_:)``:
///
/// ```swift
/// bindings.observe(model.events(), on: self) { [model] screen, event in
///   switch event {
///   case .alert(let alert):
///     // In a task, because the next event waits until this closure returns.
///     if let action = await screen.choose(from: alert) {
///       Task { try? await model.perform(action) }
///     }
///   case .offer(let offer): screen.showLine(offer)
///   case .route(let route): screen.open(route)
///   }
/// }
/// ```
///
/// For the SwiftUI modifier `alerts(of:_:perform:)`, use `events().alerts(_:)`.
public enum PostsEvent: Hashable, Sendable {
  /// A failure that the user has to see.
  case alert(AlertState<PostsAction>)
  /// An offer to undo a deletion. Show it without interrupting the user, for example as a line.
  case offer(AlertState<PostsAction>)
  /// A navigation to perform.
  case route(PostsRoute)
}

/// A navigation that the posts screen requests. The app decides which screen to show.
public enum PostsRoute: Hashable, Codable, Sendable {
  /// The screen of one post.
  case post(Post.ID)
}

/// The action of a button in an alert or an offer. Pass it to `perform(_:)` of the view model.
public enum PostsAction: Hashable, Codable, Sendable {
  /// Loads the posts again.
  case refresh
  /// Deletes a post, after a failed deletion.
  case delete(Post.ID)
  /// Shows a deleted post again.
  case restore(Post.ID)
}

extension EventChannel<PostsEvent> {
  /// Sends the alert of a failed refresh to the current observers. Keeps every other event for the
  /// first observer, but a route only once: two taps open one screen.
  func emit(_ event: PostsEvent) {
    switch event {
    case .alert(let alert) where alert.buttons.contains { $0.action == .refresh }: send(event)
    case .alert, .offer: keepForFirstObserver(event)
    case .route: keepOnceForFirstObserver(event)
    }
  }
}

extension AsyncStream<PostsEvent> {
  /// Returns the alerts among these events, and passes all other events to `other`.
  ///
  /// ```swift
  /// .alerts(of: model) { model in
  ///   model.events().alerts { [weak router] event in router?.handle(event) }
  /// } perform: { model, action in
  ///   try? await model.perform(action)
  /// }
  /// ```
  ///
  /// Do not call `events()` twice: a kept event reaches only one stream.
  ///
  /// - Isolation: `other` runs on the main actor, while the reader waits for the next alert.
  /// - Ordering: While an alert is shown, the events after it wait.
  /// - Ownership: The reader retains the stream, and the stream retains `other`.
  public func alerts(
    _ other: @escaping @MainActor (PostsEvent) -> Void
  ) -> AsyncStream<AlertState<PostsAction>> {
    compactMapOnMainActor { event in
      if case .alert(let alert) = event { return alert }
      other(event)
      return nil
    }
  }
}
