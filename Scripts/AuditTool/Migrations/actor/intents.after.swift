import AsyncViewModels
import Dispatch

actor CartModel {
  private var items: [Int] = []
  private var changes = 0

  /// Adds an item.
  func add(_ item: Int) {
    // The list is short.
    guard !items.contains(item) else { return }

    items.append(item)
    changed()  // once
  }

  func set(items: [Int]) {
    self.items = items
    self.items.forEach { _ in self.changed() }
  }

  func clear() { items = [] }

  func count() async -> Int {
    changes += 1
    return items.count
  }

  private func changed() { changes += 1 }
}

@MainActor
final class CartScreen {
  private let cart = CartModel()

  func tap() {
    Task { await cart.add(1) }
    Task { [cart] in
      await cart.set(items: [await cart.count()])
    }
  }

  func clear() {
    Task {
      print("clear")
      await self.cart.clear()
    }
  }
}
