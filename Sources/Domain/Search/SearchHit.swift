/// One line of a search's answer.
public struct SearchHit: Sendable, Hashable, Codable, Identifiable {
  /// The product that was found.
  public let id: Product.ID
  public let title: String
  public let detail: String

  public init(id: Product.ID, title: String, detail: String) {
    self.id = id
    self.title = title
    self.detail = detail
  }
}
