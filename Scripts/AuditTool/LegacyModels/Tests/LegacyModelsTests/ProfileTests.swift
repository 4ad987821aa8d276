import Testing

@testable import Profile

@Suite("profile: a delegate and a lock", .timeLimit(.minutes(5)))
struct ProfileTests {
  private final class Request: Cancellable {
    var isCancelled = false
    func cancel() { isCancelled = true }
  }

  private final class Repository: ProfileRepositoryProtocol {
    let loads = Requests<Request, (UserProfile?, Error?)>()
    let saves = Requests<UserProfile, Error?>()

    func loadProfile(userID: String, completion: @escaping (UserProfile?, Error?) -> Void) -> Cancellable? {
      let request = Request()
      loads.add(request) { completion($0.0, $0.1) }
      return request
    }

    func saveProfile(_ profile: UserProfile, completion: @escaping (Error?) -> Void) {
      saves.add(profile, completion)
    }
  }

  private static let ada = UserProfile(name: "Ada", city: "London", newsletter: false)
  private static let alan = UserProfile(name: "Alan", city: "London", newsletter: true)

  private static func screen(_ repository: Repository) -> ProfileScreen {
    ProfileScreen(viewModel: ProfileViewModel(repository: repository, userID: "1"))
  }

  @Test("a load shows the profile")
  func load() async throws {
    try await inAnyOrder { world in
      let repository = Repository()
      let screen = Self.screen(repository)
      await world.onMain { screen.viewDidAppear() }
      await world.onService { repository.loads.answer(0, (Self.ada, nil)) }
      world.expectEqual(screen.events, ["Profile (busy)", "Ada"])
      await world.onMain { world.expectEqual(screen.viewModel.city, "London") }
    }
  }

  @Test("a failed load keeps the profile")
  func failedLoad() async throws {
    try await inAnyOrder { world in
      let repository = Repository()
      let screen = Self.screen(repository)
      await world.onMain { screen.viewDidAppear() }
      await world.onService { repository.loads.answer(0, (Self.ada, nil)) }
      await world.onMain { screen.viewDidAppear() }
      await world.onService { repository.loads.answer(1, (nil, ServiceError())) }
      world.expectEqual(screen.events, ["Profile (busy)", "Ada", "Ada (busy)", "failed", "Ada"])
    }
  }

  @Test("a new load cancels the running one, whose answer the legacy code still shows")
  func reload() async throws {
    try await inAnyOrder { world in
      let repository = Repository()
      let screen = Self.screen(repository)
      await world.onMain { screen.viewDidAppear() }
      await world.onMain { screen.viewDidAppear() }
      world.expectEqual(repository.loads.inputs.map(\.isCancelled), [true, false])
      await world.onService { repository.loads.answer(1, (Self.ada, nil)) }
      await world.onService { repository.loads.answer(0, (Self.alan, nil)) }
      world.expectEqual(screen.events.suffix(2), ["Ada", "Alan"])
    }
  }

  @Test("an edited profile is saved once")
  func save() async throws {
    try await inAnyOrder { world in
      let repository = Repository()
      let screen = Self.screen(repository)
      await world.onMain { screen.viewModel.save() }
      await world.onMain { screen.viewDidAppear() }
      await world.onService { repository.loads.answer(0, (Self.ada, nil)) }
      await world.onMain { screen.viewModel.edit(name: "Ada L.") }
      await world.onMain { world.expect(screen.viewModel.canSave) }
      await world.onMain { screen.viewModel.save() }
      await world.onMain { screen.viewModel.save() }
      await world.onMain { world.expect(!screen.viewModel.canSave) }
      await world.onService { repository.saves.answer(0, nil) }
      world.expectEqual(
        screen.events, ["Profile (busy)", "Ada", "Ada L.", "Ada L. (busy)", "saved", "Ada L."])
      world.expectEqual(repository.saves.inputs.map(\.name), ["Ada L."])
    }
  }

  @Test("a failed save keeps the edited profile")
  func failedSave() async throws {
    try await inAnyOrder { world in
      let repository = Repository()
      let screen = Self.screen(repository)
      await world.onMain { screen.viewDidAppear() }
      await world.onService { repository.loads.answer(0, (Self.ada, nil)) }
      await world.onMain { screen.viewModel.edit(city: "Paris", newsletter: true) }
      await world.onMain { screen.viewModel.save() }
      await world.onService { repository.saves.answer(0, ServiceError()) }
      world.expectEqual(screen.events.suffix(2), ["failed", "Ada"])
      await world.onMain {
        world.expectEqual(screen.viewModel.city, "Paris")
        world.expect(screen.viewModel.canSave)
      }
    }
  }

  @Test("the end of the screen cancels the request")
  func released() async throws {
    try await inAnyOrder { world in
      let repository = Repository()
      do {
        let screen = Self.screen(repository)
        await world.onMain { screen.viewDidAppear() }
        world.expectEqual(screen.events, ["Profile (busy)"])
      }
      await world.settle(movingTime: false)
      world.expectEqual(repository.loads.inputs.map(\.isCancelled), [true])
    }
  }
}
