import AsyncViewModelsTesting
import Foundation
import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsUI

@Suite("NavigationModel: alerts", .timeLimit(.minutes(5)), .endsWaits)
struct NavigationAlertTests {
  private enum Answer { case save, discard }

  private static let question = AlertState(
    "Save?", message: "The form has changed.",
    buttons: [
      .init("Save", action: Answer.save), .init("Discard", role: .destructive, action: .discard),
      .init("Stay", role: .cancel),
    ])

  /// Asks, and waits until the question is shown or waits behind `count - 1` others.
  private func ask(
    _ model: NavigationModel<TestRoute>, count: Int = 1, as style: NavigationAlert.Style = .alert
  ) async throws -> Task<Answer?, Never> {
    let task = Task { await model.choose(from: Self.question, as: style) }
    try await until { model.store.value.alerts.count == count }
    return task
  }

  @Test(
    "a caller gets the action of the tapped button, once",
    arguments: [(0, .save), (1, .discard), (2, nil), (3, nil), (-1, nil), (nil, nil)] as [(Int?, Answer?)])
  private func tap(button: Int?, answer: Answer?) async throws {
    try await LeakTracker.check { tracker in
      let model = tracker.track(NavigationModel<TestRoute>())
      #expect(model.tree.alert == nil)
      let caller = try await ask(model, as: .confirmation)
      let alert = try #require(model.tree.alert)
      #expect(alert.style == .confirmation && alert.state.title == "Save?")
      #expect(alert.state.message == "The form has changed.")
      #expect(alert.state.buttons.map(\.title) == ["Save", "Discard", "Stay"])
      #expect(alert.state.buttons.map(\.role) == [nil, .destructive, .cancel])
      #expect(alert.state.buttons.map(\.action) == [0, 1, 2])
      model.tap(button, in: alert)
      #expect(model.tree.alert == nil)
      model.tap(0, in: alert)
      #expect(await caller.value == answer)
    }
  }

  @Test("alerts are shown in the order of the calls, and a late tap closes no equal alert")
  func order() async throws {
    let model = NavigationModel<TestRoute>()
    let first = try await ask(model)
    let second = try await ask(model, count: 2)
    let firstAlert = try #require(model.tree.alert)
    model.tap(0, in: firstAlert)
    #expect(await first.value == .save)
    let secondAlert = try #require(model.tree.alert)
    #expect(secondAlert != firstAlert && Set([firstAlert, secondAlert]).count == 2)
    model.tap(0, in: firstAlert)
    #expect(model.tree.alert == secondAlert)
    model.tap(1, in: secondAlert)
    #expect(await second.value == .discard)
  }

  @Test("observers get each alert, also one that follows an equal one")
  func observers() async throws {
    let model = NavigationModel<TestRoute>()
    var trees = model.trees().makeAsyncIterator()
    #expect(await trees.next()?.alert == nil)
    let first = try await ask(model)
    let alert = try #require(await trees.next()?.alert)
    let second = try await ask(model, count: 2)
    model.tap(0, in: alert)
    let next = try #require(await trees.next()?.alert)
    #expect(next != alert)
    model.tap(1, in: next)
    #expect(await (first.value, second.value) == (.save, .discard))
  }

  @Test("a cancelled caller gets no answer, and its alert closes, shown or not")
  func cancellation() async throws {
    let model = NavigationModel<TestRoute>()
    let first = try await ask(model)
    let second = try await ask(model, count: 2)
    let third = try await ask(model, count: 3)
    let shown = model.tree.alert
    second.cancel()
    #expect(await second.value == nil)
    #expect(model.tree.alert == shown)
    first.cancel()
    #expect(await first.value == nil)
    let last = try #require(model.tree.alert)
    #expect(last != shown)
    model.tap(1, in: last)
    #expect(await third.value == .discard)
    #expect(model.store.value.alerts.count == 0)
  }

  @Test("a caller that is already cancelled shows no alert")
  func cancelledBefore() async throws {
    let (model, gate) = (NavigationModel<TestRoute>(), Gate())
    let caller = Task {
      await gate.wait()
      return await model.choose(from: Self.question)
    }
    caller.cancel()
    gate.open()
    #expect(await caller.value == nil)
    #expect(model.tree.alert == nil)
  }

  @Test("links, updates and restored trees keep the alert, and stored trees have none")
  func keeps() async throws {
    let model = NavigationModel<TestRoute>()
    let caller = try await ask(model)
    let alert = try #require(model.tree.alert)
    try model.open(#require(URL(string: "test://app/cart")))
    model.update { $0 = NavigationTree(root: .profile) }
    model.update { $0.present(.orders) }
    let data = try JSONEncoder().encode(model.tree)
    let saved = try JSONDecoder().decode(NavigationTree<TestRoute>.self, from: data)
    #expect(saved.alert == nil && saved.modals == model.tree.modals)
    model.update { $0.restore(saved) }
    model.close(try #require(model.store.value.entries.modals.last).content.firstRoot)
    #expect(model.tree.alert == alert)
    #expect(model.tree.base.root == .profile && model.tree.modals.isEmpty)
    model.tap(0, in: alert)
    #expect(await caller.value == .save)
  }
}
