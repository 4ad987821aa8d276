import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The alerts and offers with their actions, in every stage. The tests compare each event with all its buttons.
@Suite("Posts: actions", .timeLimit(.minutes(5)), .endsWaits)
struct PostsActionContract {
  @Test("the alert of a failed refresh offers to refresh again", arguments: ContractStage.allCases)
  func refresh(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      await model.refresh()
      try await service.loads.next().fail(ServiceError.busy)
      let action = try #require(try await events.first { $0 == .refreshFailed }.action)
      let performed = model.perform(action)
      let call = try await service.loads.next()
      #expect(model.state.isRefreshing)
      call.succeed(.numbered(4...5))
      try await performed.value
      #expect(model.state.posts == .numbered(4...5))
    }
  }

  @Test(
    "the alert of a failed deletion offers to delete the same post again", arguments: ContractStage.allCases)
  func deletion(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      model.delete(2)
      try await service.deletions.next().fail(ServiceError.busy)
      let action = try #require(try await events.first { $0 == .deletionFailed(2) }.action)
      let performed = model.perform(action)
      let call = try await service.deletions.next()
      #expect(call.request == 2)
      #expect(model.state.posts == .numbered([1, 3]))
      call.fail(ServiceError.busy)
      await #expect(throws: ServiceError.busy) { try await performed.value }
      try await events.waitForStates(2)
      #expect(events.states == [.deletionFailed(2), .deletionFailed(2)])
    }
  }

  @Test("a deletion that has succeeded offers to restore the post", arguments: ContractStage.allCases)
  func undo(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let events = StateRecorder(model.events())
      model.delete(2)
      let deletion = try await service.deletions.next()
      #expect(events.states.isEmpty, "there is no offer before the answer")
      deletion.succeed()
      let action = try #require(try await events.first { $0 == .deleted(2) }.action)
      let performed = model.perform(action)
      let call = try await service.restorations.next()
      #expect(call.request == 2)
      #expect(model.state.posts == .numbered(1...3))
      call.succeed()
      try await performed.value
      try model.select(2)
      try await events.first { $0 == .opened(2) }
      #expect(events.states == [.deleted(2), .opened(2)], "a restoration offers nothing")
    }
  }

  @Test(
    "the alert of a failed restoration offers to restore the post again", arguments: ContractStage.allCases)
  func restoration(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      let events = StateRecorder(model.events())
      model.restore(2)
      try await service.restorations.next().fail(ServiceError.busy)
      let action = try #require(try await events.first { $0 == .restorationFailed(2) }.action)
      let performed = model.perform(action)
      try await service.restorations.next().succeed()
      try await performed.value
      #expect(model.state.posts == .numbered(1...3))
      #expect(service.restorations.requests == [2, 2])
    }
  }

  @Test(
    "a post that the service cannot restore is given up with an alert that only closes",
    arguments: ContractStage.allCases)
  func unknownToService(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      let events = StateRecorder(model.events())
      let restored = model.restore(2)
      try await service.restorations.next().fail(PostError.unknownPost(2))
      await #expect(throws: PostError.unknownPost(2)) { try await restored.value }
      let alert = AlertState<PostsAction>(
        "“Post 2” was not restored", message: "There is no post 2.",
        buttons: [.init("Close", role: .cancel)])
      try await events.first { $0 == .alert(alert) }
      #expect(model.state.posts == .numbered([1, 3]))
      await #expect(throws: PostError.unknownPost(2)) { try await model.perform(.restore(2)).value }
      #expect(service.restorations.requests == [2])
    }
  }

  @Test("an action that is performed twice is sent once", arguments: ContractStage.allCases)
  func twice(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      let first = model.perform(.restore(2))
      let restoration = try await service.restorations.next()
      await #expect(throws: PostError.notDeleted(2)) { try await model.perform(.restore(2)).value }
      restoration.succeed()
      try await first.value
      let second = model.perform(.delete(2))
      let deletion = try await service.deletions.next()
      await #expect(throws: PostError.unknownPost(2)) { try await model.perform(.delete(2)).value }
      deletion.succeed()
      try await second.value
      #expect(service.restorations.requests == [2])
      #expect(service.deletions.requests == [2, 2])
    }
  }

  @Test(
    "a retry of a deletion fails if a refresh has removed the post, and nothing is sent",
    arguments: ContractStage.allCases)
  func removedByRefresh(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let deleted = model.delete(2)
      try await service.deletions.next().fail(ServiceError.busy)
      _ = await deleted.result
      await model.refresh()
      try await service.loads.next().succeed(.numbered([1, 3]))
      await model.settle()
      await #expect(throws: PostError.unknownPost(2)) { try await model.perform(.delete(2)).value }
      await #expect(throws: PostError.unknownPost(2)) { try await model.perform(.restore(2)).value }
      #expect(service.deletions.requests == [2] && service.restorations.requests.isEmpty)
      #expect(model.state.posts == .numbered([1, 3]))
    }
  }

  @Test(
    "an undo fails if a refresh has brought the post back, and nothing is sent",
    arguments: ContractStage.allCases)
  func restoredElsewhere(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      await model.refresh()
      try await service.loads.next().succeed(.numbered(1...3))
      await model.settle()
      await #expect(throws: PostError.notDeleted(2)) { try await model.perform(.restore(2)).value }
      #expect(service.restorations.requests.isEmpty)
    }
  }

  @Test(
    "offers and alerts of failed restorations are kept for the first observer, and delivered once",
    arguments: ContractStage.streams)
  func kept(stage: ContractStage) async throws {
    try await withDeletedPost(stage) { model, service in
      let restored = model.restore(2)
      try await service.restorations.next().fail(ServiceError.busy)
      _ = await restored.result
      let first = StateRecorder(model.events())
      try await first.waitForStates(2)
      #expect(first.states == [.deleted(2), .restorationFailed(2)])
      first.cancel()
      try await first.waitForEnd()
      let second = StateRecorder(model.events())
      try model.select(1)
      try await second.first { _ in true }
      #expect(second.states == [.opened(1)])
    }
  }

  @Test("an action survives its JSON form", arguments: [PostsAction.refresh, .delete(2), .restore(3)])
  func codable(action: PostsAction) throws {
    let encoded = try JSONEncoder().encode(action)
    #expect(try JSONDecoder().decode(PostsAction.self, from: encoded) == action)
  }
}

/// The stream of alerts, for a screen that shows them apart from the other events.
@Suite("Posts: stream of alerts", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct PostsAlertStreamTests {
  @Test(
    "a presentation shows the alerts and performs their actions; other events go to the screen",
    arguments: ContractStage.streams)
  func presentation(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let others = Notes()
      let alerts = AlertPresentation(of: model.events().alerts { others.add("\($0)") }) { action in
        _ = await model.perform(action).result
      }
      try model.select(1)
      model.delete(2)
      try await service.deletions.next().fail(ServiceError.busy)
      try await until { alerts.alert != nil }
      #expect(others.all == ["\(PostsEvent.opened(1))"])
      #expect(alerts.alert.map(PostsEvent.alert) == .deletionFailed(2))

      alerts.choose(alerts.alert?.buttons[0].action)
      try await service.deletions.next().succeed()
      try await until { others.all.count == 2 }
      #expect(others.all.last == "\(PostsEvent.deleted(2))")
      #expect(alerts.alert == nil)
      withExtendedLifetime(alerts) {}
    }
  }

  @Test(
    "an event that the screen has handled does not return if the reader of the alerts leaves",
    arguments: ContractStage.streams)
  func handledOnce(stage: ContractStage) async throws {
    try await withLoadedPosts(stage) { model, service in
      let queue = DispatchQueue(label: "alerts")
      let (others, shown, read) = (Notes(), Tally(), Gate())
      let alerts = model.events().alerts { others.add("\($0)") }.map { alert in
        read.open()
        return alert
      }
      let binding = alerts.observe(on: queue) { _ in shown.increment() }
      try model.select(1)
      try await until { others.all.count == 1 }
      queue.suspend()
      await model.refresh()
      try await service.loads.next().fail(ServiceError.busy)
      try? await read.waitUnlessCancelled()
      binding.cancel()
      queue.resume()

      let next = StateRecorder(model.events())
      try model.select(3)
      try await next.first { $0 == .opened(3) }
      #expect(next.states == [.opened(3)], "the route to post 1 was handled")
      #expect(shown.count == 0)
    }
  }

  @Test(
    "a route that a screen has not handled when it leaves reaches the next screen, and is not handled later",
    arguments: ContractStage.native.filter { $0.stage != .closure })
  @MainActor
  func leftBeforeHandling(stage: ContractStage) async throws {
    for round in 0..<100 {
      try await withLoadedPosts(stage) { model, _ in
        let (screen, others) = (Screen(), Notes())
        let token = model.events().alerts { others.add("\($0)") }.observe(on: screen) { _, _ in }
        try model.select(1)
        for _ in 0..<(round % 8) { await Task.yield() }
        token.cancel()
        let isHandled = !others.all.isEmpty

        let next = StateRecorder(model.events())
        try model.select(3)
        try await next.first { $0 == .opened(3) }
        if isHandled {
          #expect(next.states == [.opened(3)])
        } else {
          try await next.first { $0 == .opened(1) }
          #expect(others.all.isEmpty, "handled by a screen that has left")
        }
      }
    }
  }

  @Test("a kept route that is read while the screen leaves returns to its channel")
  func leftDuringTheRead() async throws {
    let (channel, screen, others) = (EventChannel<PostsEvent>(), Screen(), Notes())
    let (stream, asked) = (channel.stream(), Gate())
    let events = AsyncStream<PostsEvent> { @concurrent in
      asked.open()
      return await stream.first { _ in true }
    }
    let token = events.alerts { others.add("\($0)") }.observe(on: screen) { _, _ in }
    await asked.wait()
    channel.keepForFirstObserver(.opened(1))
    // Occupies the main actor until the stream has read the event on another thread.
    while channel.keptCount > 0, !Task.isCancelled {}
    token.cancel()
    try await until { channel.keptCount == 1 }
    #expect(others.all.isEmpty)
  }

  /// A screen that observes events.
  @MainActor private final class Screen {}

  @Test("the stream of alerts ends with the view model")
  func end() async throws {
    var alerts: StateRecorder<AlertState<PostsAction>>?
    try await withLoadedPosts(.async) { model, _ in
      alerts = StateRecorder(model.events().alerts { _ in })
      try model.select(1)
    }
    #expect(try await alerts?.waitForEnd() == [])
  }
}
