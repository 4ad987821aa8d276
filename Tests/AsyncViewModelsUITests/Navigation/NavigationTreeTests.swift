import Foundation
import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsUI

@Suite("NavigationTree", .timeLimit(.minutes(5)))
struct NavigationTreeTests {
  private typealias Tree = NavigationTree<String>

  private let tabs = Tree(
    .tabs([.stack("list", path: RoutePath(["a", "b"])), .stack("cart"), .stack("profile")], selected: 1))

  @Test("the front is the stack of the selected tab, then that of the front modal")
  func front() {
    var tree = tabs
    #expect(tree.top == "cart")
    tree.front.push("address")
    #expect(tree.top == "address")
    tree.present("filter")
    #expect(tree.top == "filter")
    tree.front.push("colors")
    #expect(tree.front.routes == ["colors"])
    #expect(tree.baseFront.routes == ["address"])
    tree.dismiss()
    #expect(tree.front.routes == ["address"])
  }

  @Test("a tab is selected by its root, also in tabs of tabs, and keeps its path")
  func selection() {
    var tree = tabs
    var isSelected = tree.select("list")
    #expect(isSelected)
    #expect(tree.front.routes == ["a", "b"])
    isSelected = tree.select("a")
    #expect(!isSelected, "a route above a root selects nothing")
    #expect(tree.front.routes == ["a", "b"])

    var nested = Tree(.tabs([.stack("x"), .tabs([.stack("y"), .stack("z")])]))
    isSelected = nested.select("z")
    #expect(isSelected)
    #expect(
      nested.base == .tabs([.stack("x"), .tabs([.stack("y"), .stack("z")], selected: 1)], selected: 1))
  }

  @Test("two taps on one button present one modal, unless the caller asks for another one")
  func repeatedPresentation() {
    var tree = tabs
    tree.present("cart")
    #expect(tree.modals.map(\.content.root) == ["cart"], "the base shows the route, but no modal does")
    tree.present("cart")
    #expect(tree.modals.count == 1)
    tree.present("cart", as: .cover, again: true)
    #expect(tree.modals.map(\.style) == [.sheet, .cover])
    tree.dismiss()
    #expect(tree.modals.map(\.style) == [.sheet])
    tree.present(.tabs([.stack("one"), .stack("two")], selected: 1), as: .popover)
    #expect(tree.top == "two")
    tree.dismissAll()
    tree.dismiss()
    #expect(tree.modals.isEmpty)
  }

  @Test("a stored tree opens in an app that has other tabs")
  func restoration() {
    var saved = tabs
    saved.front.push("address")
    saved.present("filter")
    var tree = Tree(.tabs([.stack("news"), .stack("cart"), .stack("list")]))
    tree.restore(saved)
    let list = Tree.Container.stack("list", path: RoutePath(["a", "b"]))
    let cart = Tree.Container.stack("cart", path: RoutePath(["address"]))
    #expect(tree.base == .tabs([.stack("news"), cart, list], selected: 1))
    #expect(tree.modals == saved.modals)

    var single = Tree(.stack("cart", path: RoutePath(["old"])))
    single.restore(saved)
    #expect(single.base == cart)
    var other = Tree(.stack("news", path: RoutePath(["item"])))
    other.restore(saved)
    #expect(other.front.routes == [], "the modal is restored")
    #expect(other.baseFront.routes == ["item"])

    let twins = Tree(.tabs([.stack("cart", path: RoutePath(["first"])), .stack("cart")]))
    single.restore(twins)
    #expect(single.front.routes == ["first"], "the first of equal roots counts")
  }

  @Test("the selection is restored at each level, and only if its tab is still there")
  func restoredSelection() {
    func tabs(_ roots: String..., selected: Int = 0) -> Tree.Container {
      .tabs(roots.map { .stack($0) }, selected: selected)
    }
    var tree = Tree(tabs("a", "b"))
    tree.restore(Tree(tabs("a", "b", "gone", selected: 2)))
    #expect(tree.base == tabs("a", "b"), "the user had not selected another tab")

    let more = Tree.Container.tabs([.stack("home"), tabs("x", "y", selected: 1)])
    tree = Tree(.tabs([.stack("home"), tabs("x", "y")], selected: 1))
    tree.restore(Tree(more))
    #expect(tree.base == more, "the inner selection of a tab that is not selected")

    tree = Tree(.tabs([.stack("home"), tabs("x", "y")]))
    tree.restore(Tree(tabs("home", "x", "y", selected: 2)))
    #expect(
      tree.base == .tabs([.stack("home"), tabs("x", "y", selected: 1)], selected: 1),
      "the selected stack is in another container now")

    tree = Tree(tabs("home", "x"))
    tree.restore(Tree(root: "x", path: RoutePath(["item"])))
    #expect(tree.base == .tabs([.stack("home"), .stack("x", path: RoutePath(["item"]))], selected: 1))

    let inner = Tree(.tabs([.stack("home"), .tabs([.stack("x"), .stack("y")])]))
    tree = inner
    tree.restore(
      Tree(.tabs([.stack("y", path: RoutePath(["item"])), .tabs([.stack("home"), .stack("x")])])))
    #expect(
      tree.base
        == .tabs(
          [.stack("home"), .tabs([.stack("x"), .stack("y", path: RoutePath(["item"]))], selected: 1)],
          selected: 1))
  }

  @Test("stacks with equal roots keep their own paths and the selection")
  func restoredTwins() {
    let twins = Tree(
      .tabs(
        [.stack("cart", path: RoutePath(["x"])), .stack("cart", path: RoutePath(["y"]))], selected: 1))
    var tree = twins
    tree.restore(twins)
    #expect(tree == twins)
    var more = Tree(.tabs([.stack("cart"), .stack("cart")], selected: 1))
    more.restore(Tree(.tabs([.stack("cart", path: RoutePath(["x"]))])))
    #expect(
      more.base
        == .tabs([.stack("cart", path: RoutePath(["x"])), .stack("cart", path: RoutePath(["x"]))]))
  }

  @Test("a stored route that differs from itself cannot be decoded")
  func notANumber() throws {
    for tree in [
      NavigationTree(root: 1.0, path: RoutePath([.nan])), NavigationTree(root: .nan),
    ] {
      let data = try PropertyListEncoder().encode(tree)
      let error = #expect(throws: DecodingError.self) {
        try PropertyListDecoder().decode(NavigationTree<Double>.self, from: data)
      }
      #expect(error.map { "\($0)".contains("nan differs from itself") } == true)
    }
  }

  #if os(macOS) || os(Linux)
    @Test("code that gives an index for which there is no tab ends the process")
    func noTab() async {
      await #expect(processExitsWith: .failure) { _ = NavigationTree<String>(.tabs([])) }
      await #expect(processExitsWith: .failure) { _ = NavigationTree<String>(.tabs([.tabs([])])) }
      await #expect(processExitsWith: .failure) {
        var tree = NavigationTree(root: "home")
        tree.present(.tabs([.stack("a")], selected: 1))
      }
    }
  #endif

  @Test(
    "a tree with an index for which there is no tab cannot be decoded",
    arguments: [
      #"{"base":{"tabs":[{"root":"a","path":{"routes":[]}}],"selected":1},"modals":[]}"#,
      #"{"base":{"tabs":[{"root":"a","path":{"routes":[]}}],"selected":-1},"modals":[]}"#,
      #"{"base":{"tabs":[],"selected":0},"modals":[]}"#,
      #"{"base":{"root":"a","path":{"routes":[]}},"modals":[{"style":"sheet","content":{"tabs":[],"selected":0}}]}"#,
      #"{"base":{"tabs":[{"tabs":[],"selected":0}],"selected":0},"modals":[]}"#,
    ])
  func badIndex(json: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Tree.self, from: Data(json.utf8))
    }
    #expect(error.map { "\($0)".contains("none has the index") } == true)
  }

  @Test("a modal with an unknown style, or a container without a kind, cannot be decoded")
  func badContainer() {
    for json in [
      #"{"base":{"root":"a","path":{"routes":[]}},"modals":[{"style":"x","content":{"root":"a","path":{"routes":[]}}}]}"#,
      #"{"base":{},"modals":[]}"#,
    ] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Tree.self, from: Data(json.utf8)) }
    }
  }

  @Test(
    "an encoded tree is decoded as it was, and restored into a new tree of the same shape", arguments: 0..<200
  )
  func roundTrip(seed: UInt64) throws {
    var script = TreeScript(seed: seed)
    let shape = script.tree
    for _ in 0..<10 {
      script.step()
      let decoded = try JSONDecoder().decode(
        NavigationTree<TestRoute>.self, from: JSONEncoder().encode(script.tree))
      #expect(decoded == script.tree)
      var restored = shape
      restored.restore(decoded)
      #expect(restored == script.tree)
    }
  }
}
