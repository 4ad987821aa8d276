// The app's own types. Several have names that a toolkit might have taken.

public struct Product: Hashable, Identifiable, Sendable {
  public let id: Int
  public var name: String

  public init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

public struct Order: Hashable, Identifiable, Sendable {
  public let id: Int
  public let parts: [Part]

  public init(id: Int, parts: [Part]) {
    self.id = id
    self.parts = parts
  }
}

public struct Part: Hashable, Sendable {
  public let product: Product
  public let quantity: Int

  public init(_ product: Product, quantity: Int) {
    self.product = product
    self.quantity = quantity
  }
}

public struct Profile: Hashable, Sendable {
  public var name: String

  public init(name: String) { self.name = name }
}

public struct Page<Item: Sendable>: Sendable {
  public let items: [Item]
  public let next: Int?

  public init(_ items: [Item], next: Int?) {
    self.items = items
    self.next = next
  }
}

public struct Snapshot: Hashable, Sendable {
  public let products: [Product]
  public let orders: [Order]

  public init(products: [Product], orders: [Order]) {
    self.products = products
    self.orders = orders
  }
}

public enum Screen: Hashable, Codable, Sendable {
  case product(Int)
  case orders
}

public protocol Scheduler: Sendable {
  func nextRefresh(after seconds: Int) -> Int
}

public struct HourlyScheduler: Scheduler {
  public init() {}
  public func nextRefresh(after seconds: Int) -> Int { seconds + 3_600 }
}
