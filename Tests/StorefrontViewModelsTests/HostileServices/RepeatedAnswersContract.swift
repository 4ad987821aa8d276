import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// A second call of a completion handler changes nothing.
///
/// In the async stage, the view model calls the service through a bridge. The service keeps the completion handlers, but an answered
/// completion handler keeps no view model alive.
@Suite("A service that calls each completion handler twice", .timeLimit(.minutes(5)), .endsWaits)
struct RepeatedAnswersContract {
  private let service = RepeatingService()

  @Test(
    "a second answer to a load is not shown, also during and after the next load",
    arguments: ContractStage.onCompletionHandlers, Feature.allCases)
  func load(stage: ContractStage, feature: Feature) async throws {
    let first = 0..<feature.requestCount
    let second = first.upperBound..<2 * feature.requestCount
    try await stage.check { tracker in
      let model = feature.makeOperations(stage, service)
      tracker.track(model.subject)
      let load = await model.begin()
      try await service.answer(first, .success(1))
      await load.value
      try await service.answer(first, .success(2))
      // In the closure and stream stages, the view model's queue handles this call after the second answers.
      await model.cancel()
      #expect(model.shown() == feature.all(.number(1)))

      let next = await model.replace()
      try await service.waitForRequests(second.upperBound)
      try await service.answer(first, .failure(ServiceError.busy))
      try await service.answer(first, .success(4))
      try await service.answer(second, .success(3))
      await next.value
      #expect(model.shown() == feature.all(.number(3)))
      try await service.answer(first, .success(5))
      try await service.answer(second, .success(6))
      await model.cancel()
      #expect(model.shown() == feature.all(.number(3)))
    }
  }

  @Test(
    "a second answer to a profile load keeps the typed text and the profile below it",
    arguments: ContractStage.onCompletionHandlers)
  func typedText(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let profile = stage.makeProfile(service: service)
      tracker.track(profile.subject)
      let load = await profile.load()
      try await service.answer(0..<1, .success(1))
      await load.value
      try profile.edit(.name, to: "Typed")
      try await service.answer(0..<1, .success(2))
      // In the closure and stream stages, the view model's queue handles this edit after the second answer.
      try profile.edit(.email, to: "typed@example.com")
      #expect(profile.state.draft?.name == "Typed")
      #expect(profile.state.content.value == Profile(1))
    }
  }

  @Test(
    "a second answer to a next page of a search is not shown, also during and after the next one",
    arguments: ContractStage.onCompletionHandlers)
  func nextPage(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let search = stage.makeSearch(service: service, clock: VirtualClock())
      tracker.track(search.subject)
      search.setQuery("tea")
      let submit = search.submit()
      try await service.answer(0..<1, .success(1))
      await submit.value
      let next = search.loadNextPage()
      try await service.answer(1..<2, .success(2))
      await next.value
      try await service.answer(0..<2, .success(8))
      try await service.answer(1..<2, .failure(ServiceError.busy))

      let last = search.loadNextPage()
      try await service.waitForRequests(3)
      try await service.answer(0..<2, .success(9))
      #expect(search.state.results.value == .rows([1, 2]))
      try await service.answer(2..<3, .success(3))
      await last.value
      try await service.answer(0..<3, .success(10))
      // In the closure and stream stages, the view model's queue handles this call after the second answers.
      search.cancel()
      #expect(search.state.results.value == .rows([1, 2, 3]))
      #expect(search.state.nextPageFailure == nil)
    }
  }

  @Test(
    "a second answer to a save changes nothing, also during and after the next save",
    arguments: ContractStage.onCompletionHandlers)
  func save(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let profile = stage.makeProfile(service: service)
      tracker.track(profile.subject)
      let load = await profile.load()
      try await service.answer(0..<1, .success(1))
      await load.value
      try profile.edit(.name, to: "Typed")
      let save = profile.save()
      try await service.answer(1..<2, .success(2))
      try await save.value

      try profile.edit(.name, to: "Later")
      let next = profile.save()
      try await service.waitForRequests(3)
      try await service.answer(1..<2, .success(3))
      try await service.answer(1..<2, .failure(ServiceError.busy))
      try await service.answer(2..<3, .success(4))
      try await next.value
      try await service.answer(1..<3, .failure(ServiceError.busy))
      // In the closure and stream stages, the view model's queue handles this edit after the second answers.
      try profile.edit(.name, to: "Last")
      #expect(profile.state.content.value == Profile(4))
      #expect(profile.state.saveFailure == nil)
    }
  }

  @Test(
    "a second answer to a load, a deletion or a restoration changes nothing and sends no alert",
    arguments: ContractStage.onCompletionHandlers)
  func deletion(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let posts = stage.makePosts(service: service)
      tracker.track(posts.subject)
      let load = await posts.load()
      try await service.answer(0..<1, .success(3))
      await load.value
      let events = StateRecorder(posts.events())
      let deletion = posts.delete(1)
      try await service.answer(1..<2, .success(0))
      try await deletion.value
      try await service.answer(0..<1, .success(3))
      try await service.answer(1..<2, .failure(ServiceError.busy))
      // In the closure and stream stages, the view model's queue handles this call after the second answers.
      try posts.select(2)
      try await events.first { $0 == .opened(2) }
      #expect(events.states == [.deleted(1), .opened(2)])
      #expect(posts.state.posts == .numbered(2...3))
      #expect(posts.state.deletionCount == 0)

      let restoration = posts.restore(1)
      try await service.waitForRequests(3)
      try await service.answer(1..<2, .success(0))
      #expect(
        posts.state.restorationCount == 1, "a second answer to the deletion does not end the restoration")
      try await service.answer(2..<3, .success(0))
      try await restoration.value
      try await service.answer(2..<3, .failure(ServiceError.busy))
      try posts.select(3)
      try await events.first { $0 == .opened(3) }
      #expect(events.states.count == 3)
      #expect(posts.state.posts == .numbered(1...3))
      #expect(posts.state.restorationCount == 0)
    }
  }

  @Test(
    "a second answer neither reverts an accepted change of the cart nor repeats a rejected one",
    arguments: ContractStage.onCompletionHandlers)
  func cart(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let cart = stage.makeCart(service: service)
      tracker.track(cart.subject)
      let refusal = CartError.refused(CatalogProduct.pear.id, reason: "sold out")
      let accepted = cart.start(.add(.apple, quantity: 1))
      try await service.answer(0..<1, .success(0))
      try await accepted.value
      let rejected = cart.start(.add(.pear, quantity: 1))
      try await service.answer(0..<1, .failure(refusal))
      try await service.answer(1..<2, .failure(refusal))
      await #expect(throws: refusal) { try await rejected.value }
      try await service.answer(0..<1, .failure(refusal))
      try await service.answer(1..<2, .success(0))
      // In the closure and stream stages, the view model's queue handles this change after the second answers.
      let last = cart.start(.add(.apple, quantity: 1))
      try await service.answer(2..<3, .success(0))
      try await last.value
      #expect(cart.state.cart.quantity(of: CatalogProduct.apple.id) == 2)
      #expect(cart.state.cart.quantity(of: CatalogProduct.pear.id) == 0)
      #expect(cart.state.pendingCount == 0)
    }
  }
}
