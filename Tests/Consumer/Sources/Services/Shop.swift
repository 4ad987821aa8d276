import AsyncViewModels
public import Domain

public protocol Shop: Sendable {
  func products(page: Int) async throws -> Page<Product>
  func orders() async throws -> [Order]
  func save(_ profile: Profile) async throws
}

/// A client with completion handlers, as in older code.
public struct LegacyClient: Sendable {
  public init() {}

  func load(page: Int, completion: @escaping @Sendable (Result<Page<Product>, any Error>) -> Void) {
    completion(.success(Page([Product(id: page, name: "Product \(page)")], next: page < 2 ? page + 1 : nil)))
  }
}

public struct BridgedShop: Shop {
  private let client: LegacyClient

  public init(_ client: LegacyClient = LegacyClient()) { self.client = client }

  public func products(page: Int) async throws -> Page<Product> {
    try await withCompletionHandler { completion in
      client.load(page: page, completion: completion)
      return .finished
    }
  }

  public func orders() async throws -> [Order] {
    [Order(id: 1, parts: [Part(Product(id: 1, name: "Product 1"), quantity: 2)])]
  }

  public func save(_ profile: Profile) async throws { try await Task.sleep(for: .milliseconds(1)) }
}
