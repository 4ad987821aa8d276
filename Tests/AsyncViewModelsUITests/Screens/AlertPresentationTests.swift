import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

@Suite("AlertPresentation", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct AlertPresentationTests {
  private enum Action { case retry, delete }

  private let channel = EventChannel<AlertState<Action>>()
  private let performed = Notes()

  private func alert(_ title: String) -> AlertState<Action> {
    AlertState(title, buttons: [.init("Retry", action: .retry), .init("Cancel", role: .cancel)])
  }

  private func makePresentation() -> AlertPresentation<Action> {
    AlertPresentation(of: channel.stream()) { [performed] action in performed.add("\(action)") }
  }

  @Test("alerts are presented one after the other, and the actions of the buttons are performed")
  func order() async throws {
    let presentation = makePresentation()
    #expect(presentation.alert == nil)
    channel.send(alert("first"))
    channel.send(alert("second"))
    channel.send(alert("third"))
    for (title, action) in [("first", Action.retry), ("second", nil), ("third", .delete)] {
      try await until { presentation.alert?.title == title }
      presentation.choose(action)
      #expect(presentation.alert == nil)
    }
    try await until { performed.all == ["retry", "delete"] }
  }

  @Test("an action that takes long does not delay the next alert")
  func slowAction() async throws {
    let gate = Gate()
    let presentation = AlertPresentation(of: channel.stream()) { (_: Action) in await gate.wait() }
    channel.send(alert("first"))
    channel.send(alert("second"))
    try await until { presentation.alert?.title == "first" }
    presentation.choose(.retry)
    await gate.waitForArrivals(1)
    try await until { presentation.alert?.title == "second" }
    gate.open()
  }

  @Test("only the first choice counts")
  func secondChoice() async throws {
    let presentation = makePresentation()
    presentation.choose(.delete)
    channel.send(alert("first"))
    try await until { presentation.alert != nil }
    presentation.choose(.retry)
    presentation.choose(.delete)
    try await until { performed.all == ["retry"] }
  }

  @Test("a later evaluation of the view can replace the function that performs actions")
  func replacedFunction() async throws {
    let presentation = makePresentation()
    channel.send(alert("first"))
    try await until { presentation.alert != nil }
    presentation.perform(with: { [performed] action in performed.add("replaced: \(action)") })
    presentation.choose(.retry)
    try await until { performed.all == ["replaced: retry"] }
  }

  @Test("when it is released, its alert ends, and nothing is left")
  func release() async throws {
    try await LeakTracker.check { tracker in
      let presentation = tracker.track(makePresentation())
      channel.send(alert("first"))
      try await until { presentation.alert != nil }
    }
    try await until { channel.observerCount == 0 }
    #expect(performed.all == [])
  }

  @Test("when it is released, an action that has begun runs to its end")
  func releaseDuringAction() async throws {
    let (gate, ended) = (Gate(), Tally())
    do {
      let presentation = AlertPresentation(of: channel.stream()) { (_: Action) in
        do { try await gate.waitUnlessCancelled() } catch { return }
        ended.increment()
      }
      channel.send(alert("first"))
      try await until { presentation.alert != nil }
      presentation.choose(.retry)
      await gate.waitForArrivals(1)
      withExtendedLifetime(presentation) {}
    }
    try await until { channel.observerCount == 0 }
    gate.open()
    try await until { ended.count == 1 }
  }

  @Test("an alert that was kept for the first observer is presented")
  func keptAlert() async throws {
    channel.keepForFirstObserver(alert("kept"))
    let presentation = makePresentation()
    try await until { presentation.alert?.title == "kept" }
  }

  // MARK: A view that reports its evaluations

  private func makePresentationOfView() -> AlertPresentation<Action> {
    AlertPresentation(of: channel.stream(), reportsEvaluations: true) { [performed] action in
      performed.add("\(action)")
    }
  }

  @Test(
    "the next alert waits until the view was evaluated without an alert, so that the view sees the last one close"
  )
  func evaluation() async throws {
    let presentation = makePresentationOfView()
    channel.send(alert("first"))
    channel.send(alert("second"))
    try await until { presentation.alert?.title == "first" }
    presentation.wasEvaluated()
    let first = try #require(presentation.shown)
    presentation.close(first)
    for _ in 0..<100 { await Task.detached {}.value }
    #expect(presentation.alert == nil)
    #expect(presentation.latest == first, "the view shows the texts while the alert disappears")
    presentation.wasEvaluated()
    try await until { presentation.alert?.title == "second" }
  }

  @Test(
    "a tap is performed once, whether it comes before or after the alert has closed, and does not close the next alert"
  )
  func lateTap() async throws {
    let presentation = makePresentationOfView()
    channel.send(alert("same"))
    channel.send(alert("same"))
    try await until { presentation.alert != nil }
    let first = try #require(presentation.shown)
    presentation.close(first)
    presentation.wasEvaluated()
    try await until { presentation.alert != nil }
    presentation.choose(.delete, in: first)
    presentation.choose(.retry, in: first)
    presentation.close(first)
    try await until { !performed.all.isEmpty }
    for _ in 0..<100 { await Task.detached {}.value }
    #expect(performed.all == ["delete"])
    #expect(presentation.shown?.number == 2)
  }
}
