public import Foundation

/// A news post of the storefront.
public struct Post: Sendable, Hashable, Codable, Identifiable {
  /// The number that identifies a post.
  public struct ID: RawRepresentable, Sendable, Hashable, Codable {
    /// The number itself.
    public let rawValue: Int

    /// Creates an id from a number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Decodes an id.
    ///
    /// - Throws: `DecodingError`, also for a number below 1.
    public init(from decoder: any Decoder) throws {
      self.init(rawValue: try decoder.decodeIDNumber())
    }
  }

  /// The number of the post.
  public let id: ID
  /// The headline.
  public let title: String
  /// The text.
  public let body: String

  /// Creates a post.
  public init(id: ID, title: String, body: String) {
    self.id = id
    self.title = title
    self.body = body
  }
}

extension Post.ID: ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Creates an id from an integer literal.
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  public var description: String { String(rawValue) }
}

/// The reason why an operation on posts failed, without an effect except possibly for ``closed``.
public enum PostError: Error, Hashable, Sendable {
  /// No post has this id.
  case unknownPost(Post.ID)
  /// The post cannot be restored, because it is not deleted.
  case notDeleted(Post.ID)
  /// The list was closed. The service may have made a change that was being sent.
  case closed
}

extension PostError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownPost(let id): "There is no post \(id)."
    case .notDeleted(let id): "Post \(id) is not deleted."
    case .closed: "The list of posts is closed."
    }
  }

  public var errorDescription: String? { description }
}
