/// What is wrong with a post, or the one that was asked for. Everything is as it was before.
public enum PostError: Error, Hashable, Sendable {
  /// There is none with this id.
  case unknownPost(Post.ID)
  /// A list has two with this id.
  case duplicatePost(Post.ID)
}

extension PostError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownPost(let id): "there is no post \(id)"
    case .duplicatePost(let id): "post \(id) is there twice"
    }
  }
}
