/// Who is signed in.
public struct Profile: Sendable, Hashable, Codable, Identifiable {
  public let id: Int
  public let name: String
  public let email: String
  /// Which edition of the profile this is: the server raises it with every change. Whoever saves says on which one the changes are based.
  public let version: Int

  public init(id: Int, name: String, email: String, version: Int = 1) {
    self.id = id
    self.name = name
    self.email = email
    self.version = version
  }
}
