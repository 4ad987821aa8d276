import AsyncViewModelsTesting
import ToolkitTestSupport

@testable import AsyncViewModelsUI

/// Random changes of a tree. Equal seeds give equal changes.
struct TreeScript {
  var tree: NavigationTree<TestRoute>
  private var numbers: SplitMix64

  /// Makes a stack, or up to four tabs, of which one can have tabs itself. The roots differ.
  init(seed: UInt64) {
    numbers = SplitMix64(seed: seed)
    let stacks = (0..<Int.random(in: 1...5, using: &numbers)).map {
      NavigationTree<TestRoute>.Container.stack(.product(100 + $0))
    }
    switch stacks.count {
    case 1: tree = NavigationTree(stacks[0])
    case 5: tree = NavigationTree(.tabs([stacks[0], .tabs(Array(stacks[1...2])), stacks[3], stacks[4]]))
    default: tree = NavigationTree(.tabs(stacks))
    }
  }

  /// Changes the tree once, or several times as one update does.
  mutating func step() {
    repeat { change() } while Int.random(in: 0..<3, using: &numbers) == 0
  }

  /// Removes the top route of the front stack, as a pop does.
  mutating func pop() { _ = try? tree.front.pop() }

  private mutating func change() {
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0...2: tree.front.push(route(), again: Bool.random(using: &numbers))
    case 3: _ = try? tree.front.pop()
    case 4: _ = try? tree.front.pop(to: route())
    case 5:
      let count = Int.random(in: 0...3, using: &numbers)
      tree.front = RoutePath((0..<count).map { _ in route() })
    case 6: tree.select(.product(100 + Int.random(in: 0...4, using: &numbers)))
    case 7: tree.present(route(), as: Bool.random(using: &numbers) ? .sheet : .cover, again: true)
    case 8:
      tree.present(
        .tabs([.stack(route()), .stack(route())], selected: Int.random(in: 0...1, using: &numbers)))
    default: if Bool.random(using: &numbers) { tree.dismiss() } else { tree.dismissAll() }
    }
  }

  /// Few routes, so that equal ones meet.
  private mutating func route() -> TestRoute {
    [.products, .cart, .orders].randomElement(using: &numbers)!
  }
}

extension NavigationTree<TestRoute> {
  /// All screens: `[home/cart, products]0 orders` is a modal above two tabs, of which the first is
  /// selected and has a path.
  var text: String { layers.map { Self.text(of: $0.content) }.joined(separator: " ") }

  private static func text(of container: Container) -> String {
    switch container {
    case .stack(let root, let path): ([root] + path.routes).map { "\($0)" }.joined(separator: "/")
    case .tabs(let tabs, let selected): "[\(tabs.map(text).joined(separator: ", "))]\(selected)"
    }
  }
}
