import AsyncViewModels
import Dispatch

actor CartModel {
  private let isolation = QueueIsolation(DispatchQueue(label: "cart"))
  private nonisolated var queue: DispatchQueue { isolation.queue }
  nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }

  private var items: [Int] = []
  private var changes = 0

  /// Adds an item.
  nonisolated func add(_ item: Int) {
    // The list is short.
    queue.async {
      self.assumeIsolated { model in
        guard !model.items.contains(item) else { return }

        model.items.append(item)
        model.changed()  // once
      }
    }
  }

  nonisolated func set(items: [Int]) {
    queue.async { [weak self] in
      guard let self else { return }
      self.assumeIsolated { model in
        model.items = items
        model.items.forEach { _ in model.changed() }
      }
    }
  }

  nonisolated func clear() { queue.async { self.assumeIsolated { $0.items = [] } } }

  nonisolated func count() async -> Int {
    await withCheckedContinuation { done in
      queue.async {
        self.assumeIsolated { model in
          model.changes += 1
          done.resume(returning: model.items.count)
        }
      }
    }
  }

  private func changed() { changes += 1 }
}

@MainActor
final class CartScreen {
  private let cart = CartModel()

  func tap() {
    Task { cart.add(1) }
    Task { [cart] in
      cart.set(items: [await cart.count()])
    }
  }

  func clear() {
    Task {
      print("clear")
      self.cart.clear()
    }
  }
}
