/// What happens once on the posts' screen. It is no state: whoever has acted on it must not meet it again.
public enum PostsEvent: Hashable, Sendable {
  /// Something to tell a person.
  case alert(AlertMessage)
  /// Somewhere to go.
  case route(PostsRoute)
}
