public import StorefrontDomain

/// Where the posts' screen asks to go, in primitives: whoever navigates knows which screen that is, and what it needs.
public enum PostsRoute: Hashable, Codable, Sendable {
  case post(Post.ID)
}
