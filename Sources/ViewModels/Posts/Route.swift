public import Domain

/// Where a screen asks to go, in primitives: whoever navigates knows which screen that is, and what it needs.
public enum Route: Hashable, Codable, Sendable {
  case post(Post.ID)
}
