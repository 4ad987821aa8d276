/// Something that the storefront has to say.
public struct Post: Sendable, Hashable, Codable, Identifiable {
  /// The number under which a service keeps a post.
  public struct ID: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }

  public let id: ID
  public let title: String
  public let body: String

  public init(id: ID, title: String, body: String) {
    self.id = id
    self.title = title
    self.body = body
  }
}

extension Post.ID: ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  public var description: String { String(rawValue) }
}
