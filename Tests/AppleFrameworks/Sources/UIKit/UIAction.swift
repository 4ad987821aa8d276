public import Foundation

public typealias UIActionHandler = (_ action: UIAction) -> Void

/// An action of a control.
@MainActor
open class UIAction: NSObject {
  public struct Identifier: Hashable, Sendable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }

  public let title: String
  public let identifier: Identifier
  let handler: UIActionHandler

  private static var count = 0

  public init(title: String = "", identifier: Identifier? = nil, handler: @escaping UIActionHandler) {
    Self.count += 1
    self.title = title
    self.identifier = identifier ?? Identifier("action \(Self.count)")
    self.handler = handler
    super.init()
  }
}
