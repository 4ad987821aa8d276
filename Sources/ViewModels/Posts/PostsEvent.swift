public import StorefrontDomain

/// A one-time event of the posts screen. An event is not part of the state, so that a screen does not handle it twice.
public enum PostsEvent: Hashable, Sendable {
  /// A message to show to the user.
  case alert(AlertMessage)
  /// A navigation to perform.
  case route(PostsRoute)
}

/// A navigation that the posts screen requests, as a plain value. The app decides which screen to show.
public enum PostsRoute: Hashable, Codable, Sendable {
  /// The screen of one post.
  case post(Post.ID)
}

/// The text of an alert.
public struct AlertMessage: Hashable, Sendable {
  /// The title of the alert.
  public let title: String
  /// The text below the title.
  public let message: String

  /// Creates the text of an alert.
  public init(title: String, message: String) {
    self.title = title
    self.message = message
  }
}
