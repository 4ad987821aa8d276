import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsUI

/// The identities of the routes in a tree.
@Suite("Navigation entries", .timeLimit(.minutes(5)))
struct NavigationStateTests {
  private typealias State = NavigationState<TestRoute>
  private typealias Entry = NavigationEntry<TestRoute>

  @Test("the screens of equal routes at the beginning of a path stay, all others are new")
  func prefix() {
    var state = State(NavigationTree(.stack(.products, path: RoutePath([.cart, .orders, .profile]))))
    let old = state.entries.front.routes
    state.replace(with: NavigationTree(.stack(.products, path: RoutePath([.cart, .profile, .profile]))))
    let new = state.entries.front.routes
    #expect(new[0] == old[0])
    #expect(!old.contains(new[1]) && !old.contains(new[2]) && new[1] != new[2])
    #expect(state.tree.front.routes == [.cart, .profile, .profile])
  }

  @Test("a route that is removed and added again is another screen")
  func again() {
    var state = State(NavigationTree(.stack(.products, path: RoutePath([.cart]))))
    let first = state.entries.top
    state.replace(with: NavigationTree(.stack(.products)))
    state.replace(with: NavigationTree(.stack(.products, path: RoutePath([.cart]))))
    #expect(state.entries.top != first)
    #expect(state.entries.top.route == first.route)
  }

  @Test("a change of a tab or a modal keeps the other ones")
  func otherPlaces() {
    var tree = NavigationTree<TestRoute>(
      .tabs([.stack(.products, path: RoutePath([.product(1)])), .stack(.cart)]))
    tree.present(.profile)
    var state = State(tree)
    let old = state.entries
    tree.dismiss()
    tree.select(.cart)
    tree.front.push(.orders)
    tree.present(.profile)
    state.replace(with: tree)
    #expect(state.entries.base.stacks.map(\.root) == old.base.stacks.map(\.root))
    #expect(state.entries.base.stacks[0].path == old.base.stacks[0].path)
    #expect(state.entries.modals == old.modals)

    tree.dismiss()
    tree.present(.profile, as: .cover)
    state.replace(with: tree)
    #expect(state.entries.modals[0].content != old.modals[0].content, "a modal of another style is a new one")
  }

  @Test("a base with another number of tabs keeps the tabs at the same places")
  func otherTabs() {
    var state = State(NavigationTree(.tabs([.stack(.products), .stack(.cart)])))
    let old = state.entries.base.stacks.map(\.root)
    state.replace(with: NavigationTree(.tabs([.stack(.products), .stack(.cart), .stack(.profile)])))
    let new = state.entries.base.stacks.map(\.root)
    #expect(Array(new[..<2]) == old)
    #expect(new[2].route == .profile && !old.contains(new[2]))
  }

  @Test(
    "after random changes, exactly the longest equal beginning of each stack keeps its entries",
    arguments: 0..<200)
  func random(seed: UInt64) {
    var script = TreeScript(seed: seed)
    var state = State(script.tree)
    var everSeen = Set(state.entries.routes)
    for _ in 0..<30 {
      let old = state
      script.step()
      state.replace(with: script.tree)
      #expect(state.tree == script.tree)
      let entries = state.entries.routes
      #expect(Set(entries).count == entries.count, "an identity names one screen")
      let kept = keptEntries(from: old, to: script.tree)
      #expect(Set(entries).intersection(everSeen) == kept)
      everSeen.formUnion(entries)
    }
  }

  @Test("a closed entry leaves the tree, unless code has added an entry above it since")
  func closing() {
    let tree = NavigationTree<TestRoute>(.stack(.products, path: RoutePath([.cart, .orders, .profile])))
    let initial = State(tree)
    let shown = initial.entries.front.routes
    func after(
      closing indices: Range<Int>, _ change: (inout NavigationTree<TestRoute>) throws -> Void
    ) rethrows -> [TestRoute] {
      var (state, changed) = (initial, tree)
      try change(&changed)
      state.replace(with: changed)
      state.close(shown[indices], of: shown)
      return state.tree.baseFront.routes
    }
    #expect(after(closing: 2..<3) { _ in } == [.cart, .orders])
    #expect(after(closing: 0..<3) { _ in } == [])
    #expect(
      after(closing: 1..<2) { _ in } == [.cart, .profile], "other code can remove a screen in the middle")
    #expect(after(closing: 2..<3) { $0.front.push(.cart) } == [.cart, .orders, .profile, .cart])
    #expect(after(closing: 1..<3) { _ = try? $0.front.pop() } == [.cart])
    #expect(after(closing: 2..<3) { _ = try? $0.front.pop(to: .cart) } == [.cart])
    #expect(after(closing: 2..<3) { $0.front = RoutePath([.profile]) } == [.profile])
    #expect(after(closing: 0..<3) { $0.present(.cart) } == [])
  }

  /// What has to stay: computed stack by stack, and not along the containers as `replace(with:)` does.
  private func keptEntries(from old: State, to new: NavigationTree<TestRoute>) -> Set<Entry> {
    var kept: Set<Entry> = []
    func keep(_ old: NavigationTree<Entry>.Container, _ new: NavigationTree<TestRoute>.Container) {
      for ((root, path), (newRoot, newPath)) in zip(old.stacks, new.stacks) where root.route == newRoot {
        kept.insert(root)
        for (entry, route) in zip(path.routes, newPath.routes) {
          guard entry.route == route else { break }
          kept.insert(entry)
        }
      }
    }
    keep(old.entries.base, new.base)
    for (oldModal, newModal) in zip(old.entries.modals, new.modals) {
      guard oldModal.style == newModal.style else { break }
      switch (oldModal.content, newModal.content) {
      case (.stack(let root, _), .stack(let newRoot, _)):
        guard root.route == newRoot else { return kept }
      case (.tabs(let tabs, _), .tabs(let newTabs, _)):
        guard tabs[0].firstRoot.route == newTabs[0].firstRoot else { return kept }
      case (.stack(let root, _), .tabs(let tabs, _)):
        guard root.route == tabs[0].firstRoot else { return kept }
        continue
      case (.tabs(let tabs, _), .stack(let root, _)):
        guard tabs[0].firstRoot.route == root else { return kept }
        continue
      }
      keep(oldModal.content, newModal.content)
    }
    return kept
  }
}
