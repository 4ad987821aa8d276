import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation

@testable import Shop

extension Product {
  static let tea = Product(id: 1, name: "Tea", price: 400)
  static let milk = Product(id: 2, name: "Milk", price: 150)
}

extension CartItem {
  static func tea(_ quantity: Int) -> CartItem { CartItem(product: .tea, quantity: quantity) }
  static func milk(_ quantity: Int) -> CartItem { CartItem(product: .milk, quantity: quantity) }
}

struct Offline: Error {}

extension Shop {
  var quantities: [Int] { rows.map(\.quantity) }

  /// Shows the screen, and answers its first load.
  func open(_ items: [CartItem]) async throws {
    try show()
    try await service.loads.next().succeed(items)
    try await until { !isSpinning && rows.count == items.count }
  }

  func show() throws { try host.show() }
  func leave() throws { try host.hide() }
  func close() throws { try host.end() }
  func enterForeground() { center.post(name: .appWillEnterForeground, object: nil) }
}

/// Waits until the condition holds, but not longer than the work that is in progress needs. Returns whether it holds.
@MainActor
func happens(_ condition: @MainActor () -> Bool) async -> Bool {
  for _ in 0..<500 where !condition() {
    await Task.yield()
    await Task.detached {}.value
  }
  return condition()
}
