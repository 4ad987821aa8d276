// The app's own types. A toolkit could use several of these names for its own types.

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

// Extensions and functions with names that many apps and libraries use.

extension Error {
  /// Whether the error reports a cancellation.
  public var isCancellation: Bool { self is CancellationError }
}

extension Sequence where Element: Sendable {
  /// Transforms all elements at the same time, and keeps their order.
  public func concurrentMap<Output: Sendable>(
    withPriority priority: TaskPriority?, _ transform: @escaping @Sendable (Element) async throws -> Output
  ) async throws -> [Output] {
    let tasks = map { element in Task(priority: priority) { try await transform(element) } }
    var outputs: [Output] = []
    for task in tasks { outputs.append(try await task.value) }
    return outputs
  }
}

/// Returns the types of two sequences as text. Libraries of async algorithms have a function with this name.
public func combineLatest<First: AsyncSequence, Second: AsyncSequence>(
  _ first: First, _ second: Second
) -> String { "\(First.self) and \(Second.self)" }

/// Returns the types of two sequences as text. Libraries of async algorithms have a function with this name.
public func merge<First: AsyncSequence, Second: AsyncSequence>(_ first: First, _ second: Second) -> String {
  "\(First.self) or \(Second.self)"
}
