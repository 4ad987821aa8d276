public import StorefrontDomain

/// What happens once on the posts' screen. It is no state: whoever has acted on it must not meet it again.
public enum PostsEvent: Hashable, Sendable {
  /// Something to tell a person.
  case alert(AlertMessage)
  /// Somewhere to go.
  case route(PostsRoute)
}

/// A navigation that the posts screen requests, in primitive values. The app decides which screen to show.
public enum PostsRoute: Hashable, Codable, Sendable {
  case post(Post.ID)
}

/// What an alert says.
public struct AlertMessage: Hashable, Sendable {
  public let title: String
  public let message: String

  public init(title: String, message: String) {
    self.title = title
    self.message = message
  }
}
