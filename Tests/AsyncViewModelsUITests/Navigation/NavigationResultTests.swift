import AsyncViewModelsTesting
import Foundation
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

extension ResultRoute where Route == TestRoute, Result == Int {
  fileprivate static var amount: Self { Self(.orders) }
}

@Suite("NavigationModel: results", .timeLimit(.minutes(5)), .endsWaits)
struct NavigationResultTests {
  @Test("a caller gets the result of its screen, and the screen leaves")
  func result() async throws {
    try await withCaller { model, caller, entry in
      #expect(model.finish(.amount, of: entry, with: 3))
      #expect(await caller.value == 3)
      #expect(model.tree.modals.isEmpty)
      #expect(!model.finish(.amount, of: entry, with: 4), "a screen has one result")
    }
  }

  @Test("a modal that leaves in another way gives its caller no result")
  func noResult() async throws {
    let link = try #require(URL(string: "test://app/cart"))
    let ways: [@Sendable (NavigationModel<TestRoute>, NavigationEntry<TestRoute>) throws -> Void] = [
      { $0.close($1) }, { model, _ in model.update { $0.dismiss() } },
      { model, _ in
        model.update { tree in
          tree.dismissAll()
          tree.present(.orders)
          tree.present(.cart)
        }
        model.update { $0 = NavigationTree(root: .profile) }
      },
    ]
    for way in ways {
      try await withCaller { model, caller, entry in
        try way(model, entry)
        #expect(await caller.value == nil)
        #expect(!model.finish(.amount, of: entry, with: 3))
      }
    }
    try await withCaller { model, caller, entry in
      try model.open(link)
      #expect(model.finish(.amount, of: entry, with: 3), "the link changes only what it names")
      #expect(await caller.value == 3)
    }
  }

  @Test("the modals above a screen that finishes leave with it, without a result")
  func modalsAbove() async throws {
    try await withCaller { model, first, entry in
      let second = Task { await model.present(ResultRoute<TestRoute, String>(.cart), as: .cover) }
      try await until { model.tree.modals.count == 2 }
      #expect(model.finish(.amount, of: entry, with: 3))
      #expect(await first.value == 3)
      #expect(await second.value == nil)
      #expect(model.tree.modals.isEmpty)
    }
  }

  @Test("two taps present one screen, and the second caller gets nothing")
  func doubleTap() async throws {
    try await withCaller { model, caller, entry in
      #expect(await model.present(.amount) == nil)
      #expect(model.tree.modals.count == 1)
      model.finish(.amount, of: entry, with: 3)
      #expect(await caller.value == 3)
    }
  }

  @Test("a modal that shows the route above its root is another screen")
  func sameRouteInAStack() async throws {
    let model = NavigationModel<TestRoute>()
    model.update { $0.present(.stack(.cart, path: RoutePath([.orders]))) }
    let caller = Task { await model.present(.amount) }
    try await until { model.tree.modals.count == 2 }
    #expect(model.finish(.amount, of: try #require(model.frontModal), with: 3))
    #expect(await caller.value == 3)
  }

  @Test("a modal that no caller waits for gets the caller that presents its route")
  func adoption() async throws {
    let model = NavigationModel<TestRoute>()
    model.update { $0.present(.orders) }
    let entry = try #require(model.frontModal)
    let caller = Task { await model.present(.amount) }
    try await until { !model.store.value.callers.isEmpty }
    #expect(model.finish(.amount, of: entry, with: 3))
    #expect(await caller.value == 3)
  }

  @Test("a caller goes on waiting while an alert opens and closes")
  func alert() async throws {
    try await withCaller { model, caller, entry in
      let answer = Task { await model.choose(from: AlertState("?", buttons: [.init("OK", action: 1)])) }
      try await until { model.tree.alert != nil }
      model.tap(0, in: try #require(model.tree.alert))
      #expect(await answer.value == 1)
      #expect(model.finish(.amount, of: entry, with: 3))
      #expect(await caller.value == 3)
    }
  }

  @Test("a caller equals only itself, so that a state with another caller is another state")
  func identity() {
    let caller = ResultCaller(Promise<Int?>())
    #expect(caller == caller)
    #expect(caller != ResultCaller(Promise<Int?>()))
  }

  @Test("a cancelled caller gets nothing, and its modal leaves")
  func cancellation() async throws {
    try await withCaller { model, caller, entry in
      caller.cancel()
      #expect(await caller.value == nil)
      #expect(model.tree.modals.isEmpty)
      #expect(!model.finish(.amount, of: entry, with: 3))
    }
  }

  @Test("a caller that is already cancelled presents nothing")
  func cancelledBefore() async throws {
    let (model, gate) = (NavigationModel<TestRoute>(), Gate())
    let caller = Task {
      await gate.wait()
      return await model.present(.amount)
    }
    caller.cancel()
    gate.open()
    #expect(await caller.value == nil)
    #expect(model.tree.modals.isEmpty)
  }

  @Test("a late result of a screen that was closed does not end an equal screen")
  func lateResult() async throws {
    try await withCaller { model, caller, entry in
      model.close(entry)
      #expect(await caller.value == nil)
      let second = Task { await model.present(.amount) }
      try await until { model.frontModal != nil }
      #expect(!model.finish(.amount, of: entry, with: 3))
      let newEntry = try #require(model.frontModal)
      #expect(model.finish(.amount, of: newEntry, with: 4))
      #expect(await second.value == 4)
    }
  }

  @Test("a screen that is pushed in a modal may finish the modal")
  func pushedScreen() async throws {
    try await withCaller { model, caller, entry in
      model.push(.cart)
      let pushed = try #require(model.entries(above: entry)?.first)
      #expect(model.finish(.amount, of: pushed, with: 3))
      #expect(await caller.value == 3)
      #expect(model.tree.modals.isEmpty)
    }
  }

  @Test("a result of another type than the caller's is dropped, and the caller goes on")
  func otherType() async throws {
    try await withCaller { model, caller, entry in
      #expect(!model.finish(ResultRoute<TestRoute, String>(.orders), of: entry, with: "three"))
      #expect(await caller.value == nil)
      #expect(model.tree.modals.isEmpty)
    }
  }

  @Test("a screen of the base that finishes is popped")
  func finishInTheBase() async throws {
    let model = NavigationModel<TestRoute>([.orders, .cart])
    let entries = try #require(model.entries(above: nil))
    #expect(!model.finish(.amount, of: entries[0], with: 3))
    #expect(model.tree.front.routes.isEmpty)
  }

  @Test("the first screen of each tab of a modal closes the modal")
  func closeInATab() throws {
    let model = NavigationModel<TestRoute>()
    model.update { $0.present(.tabs([.stack(.cart), .stack(.orders)])) }
    let root = try #require(model.store.value.entries.modals.last?.content.stacks.last?.root)
    model.close(root)
    #expect(model.tree.modals.isEmpty)
  }

  @Test("a pushed screen closes itself with the screens above it, and the root of the base stays")
  func close() throws {
    let model = NavigationModel<TestRoute>([.products, .cart, .profile])
    let entries = try #require(model.entries(above: nil))
    model.close(entries[1])
    #expect(model.tree.front.routes == [.products])
    model.close(entries[2])
    model.close(model.store.value.entries.base.firstRoot)
    #expect(model.tree == NavigationTree(root: .home, path: RoutePath([.products])))
  }
}

extension NavigationResultTests {
  @Test("an entry and an alert of another window end nothing")
  func otherWindow() async throws {
    try await withCaller { model, caller, entry in
      let other = NavigationModel<TestRoute>()
      other.update { $0.present(.orders) }
      let otherEntry = try #require(other.frontModal)
      #expect(otherEntry != entry)
      #expect(!model.finish(.amount, of: otherEntry, with: 3))
      #expect(model.tree.modals.count == 1)
      #expect(model.finish(.amount, of: entry, with: 4))
      #expect(await caller.value == 4)
    }
  }
}

extension NavigationModel {
  /// The root of the front modal.
  fileprivate var frontModal: NavigationEntry<Route>? { store.value.entries.modals.last?.content.firstRoot }
}

/// Runs a test with a caller that waits for an amount, and checks that nothing outlives the test.
private func withCaller(
  _ body: (
    NavigationModel<TestRoute>, _ caller: Task<Int?, Never>, _ entry: NavigationEntry<TestRoute>
  ) async throws -> Void
) async throws {
  try await LeakTracker.check { tracker in
    let model = tracker.track(NavigationModel<TestRoute>())
    let caller = Task { await model.present(.amount) }
    try await until { model.frontModal != nil }
    try await body(model, caller, try #require(model.frontModal))
    #expect(model.store.value.callers.isEmpty)
  }
}
