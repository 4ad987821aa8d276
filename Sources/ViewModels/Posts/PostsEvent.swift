public import AsyncViewModels
public import StorefrontDomain

/// A one-time event of the posts screen. An event is not part of the state, so that a screen does not handle it twice.
///
/// A screen shows the alerts and the offers, and passes the action of the chosen button to the view model's
/// ``PostsViewModel/perform(_:)``:
///
/// ```swift
/// bindings.observe(model.events(), on: self) { [model] screen, event in
///   switch event {
///   case .alert(let alert):
///     // In a task, because the next event waits until this closure returns.
///     if let action = await screen.choose(from: alert) { Task { try? await model.perform(action) } }
///   case .offer(let offer): screen.showLine(offer)
///   case .route(let route): screen.open(route)
///   }
/// }
/// ```
///
/// For the SwiftUI modifier `alerts(of:_:perform:)`, use `events().alerts(_:)`.
public enum PostsEvent: Hashable, Sendable {
  /// A failure that the user has to see. Show it as an alert.
  case alert(AlertState<PostsAction>)
  /// An offer to undo a deletion that has succeeded.
  ///
  /// An offer needs no answer. Show it so that the user can go on without closing it, for example as a line at the bottom of the
  /// screen that disappears after some seconds. As an alert, it would interrupt the user after every deletion. If a screen has no
  /// such place, it can show the offer as an alert.
  case offer(AlertState<PostsAction>)
  /// A navigation to perform.
  case route(PostsRoute)
}

/// A navigation that the posts screen requests, as a plain value. The app decides which screen to show.
public enum PostsRoute: Hashable, Codable, Sendable {
  /// The screen of one post.
  case post(Post.ID)
}

/// The action of a button in an alert or an offer of the posts, as a plain value. Pass it to `perform(_:)` of the view model.
public enum PostsAction: Hashable, Codable, Sendable {
  /// Loads the posts again.
  case refresh
  /// Deletes a post, after an earlier deletion has failed.
  case delete(Post.ID)
  /// Shows a deleted post again.
  case restore(Post.ID)
}

extension AsyncStream<PostsEvent> {
  /// Returns the alerts among these events, and passes all other events to `other`.
  ///
  /// Use it if one part of the screen shows the alerts and another part handles the offers and the routes. A second call of
  /// `events()` would not do: an event that is kept for the first observer reaches only one of the two streams.
  ///
  /// ```swift
  /// .alerts(of: model) { model in
  ///   model.events().alerts { [weak router] event in router?.handle(event) }
  /// } perform: { model, action in
  ///   try? await model.perform(action)
  /// }
  /// ```
  ///
  /// - Isolation: `other` runs on the main actor, while the reader of the alerts waits for the next one.
  /// - Ordering: The events are handled in their order. While an alert is shown, the events after it wait.
  /// - Cancellation: The stream ends when the reading task is cancelled, or when the events end. If the task is cancelled on the main
  ///   actor, `other` does not begin after that, and a kept event returns to its channel.
  /// - Ownership: The stream retains `other`, and its reader retains the stream. So a screen that keeps its reader must be captured
  ///   weakly.
  public func alerts(
    _ other: @escaping @MainActor (PostsEvent) -> Void
  ) -> AsyncStream<AlertState<PostsAction>> {
    AsyncStream<AlertState<PostsAction>> {
      for await event in self {
        if case .alert(let alert) = event { return alert }
        let isHandled = await MainActor.run {
          if Task.isCancelled { return false }
          other(event)
          return true
        }
        guard isHandled else {
          giveBackEvent()
          return nil
        }
        markEventHandled()
      }
      return nil
    }
  }
}
