import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation

extension Scenario {
  static let resultsOnce = Scenario(
    "screens/results-once",
    """
    three callers wait for results of screens in one window; screens finish, the user and a link close \
    modals, and a caller is cancelled at the same time: each call returns, a result reaches exactly one \
    caller, that of its screen, and the window ends with the modals of the tree
    """, tasks: 6
  ) { world in
    let tracker = LeakTracker()
    try await ask(world, tracker)
    await world.settle()
    world.expectEqual(tracker.survivors, [], "kept alive:")
  }

  @MainActor
  private static func ask(_ world: SimulatedWorld, _ tracker: LeakTracker) async throws {
    let links = DeepLinkParser<Question>(scheme: "app", host: "window") { _, tree in tree.dismissAll() }
    let navigation = tracker.track(NavigationModel(NavigationTree(root: .home), links: links))
    let container = tracker.track(
      TreeScreenContainer(following: navigation) { tracker.track(QuestionScreen($0)) })
    let window = tracker.track(ScreenHost(container), "window")
    try window.show()
    let (callers, sent, received) = (EventLog<Void>(), EventLog<Answer>(), EventLog<Answer>())

    // A modal that no caller waits for yet.
    if world.flip() { navigation.update { $0.present(.amount) } }
    let tasks = [Question.amount, .amount, .name].map { question in
      world.spawn("asks for \(question)") {
        try await world.faults.latency()
        callers.begin()
        defer { callers.end() }
        guard let answer = await navigation.present(ResultRoute<Question, Answer>(question)) else { return }
        world.expectEqual(answer.question, question, "an answer to")
        received.append(answer)
      }
    }
    if world.flip() { world.faults.cancellation(of: tasks[world.choose(from: [0, 1, 2])]) }
    for number in 1...2 {
      world.spawn("finishes \(number)", canBeLeftOut: true) {
        try await world.faults.latency()
        await MainActor.run {
          // A screen that is still shown may have left the tree.
          guard let entry = (container.top?.screen as? QuestionScreen)?.entry else { return }
          let answer = Answer(question: entry.route, number: number)
          if navigation.finish(ResultRoute(entry.route), of: entry, with: answer) { sent.append(answer) }
        }
      }
    }
    world.spawn("closes", canBeLeftOut: true) {
      try await world.faults.latency()
      await MainActor.run {
        if let entry = (container.top?.screen as? QuestionScreen)?.entry { navigation.close(entry) }
      }
      try await world.faults.latency()
      if world.flip(), let link = URL(string: "app://window") { try navigation.open(link) }
    }
    await world.settle()
    world.expectEqual(window.children.count, 1 + navigation.tree.modals.count, "containers in the window:")

    navigation.update { $0.dismissAll() }
    await world.settle()
    world.expectEqual(callers.current, 0, "callers that wait for a screen that has left:")
    world.expectEqual(
      received.values.map(\.number).sorted(), sent.values.map(\.number).sorted(), "received answers:")
  }
}

private enum Question { case home, amount, name }

private struct Answer: Sendable {
  let question: Question
  let number: Int
}

@MainActor
private final class QuestionScreen: HostedScreen {
  let entry: NavigationEntry<Question>

  init(_ entry: NavigationEntry<Question>) { self.entry = entry }
}
