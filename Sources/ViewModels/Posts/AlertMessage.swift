/// What an alert says.
public struct AlertMessage: Hashable, Sendable {
  public let title: String
  public let message: String

  public init(title: String, message: String) {
    self.title = title
    self.message = message
  }
}
