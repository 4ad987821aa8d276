import Testing

@testable import Favorites

@Suite("favorites: boxes", .timeLimit(.minutes(5)))
struct FavoritesTests {
  private final class Service: FavoritesService {
    let fetches = Requests<Int, Result<[Favorite], Error>>()
    let removals = Requests<Int, Result<Void, Error>>()

    func fetchFavorites(page: Int, completion: @escaping (Result<[Favorite], Error>) -> Void) {
      fetches.add(page, completion)
    }

    func removeFavorite(id: Int, completion: @escaping (Result<Void, Error>) -> Void) {
      removals.add(id, completion)
    }
  }

  private static let firstPage = [Favorite(id: 1, title: "tea"), Favorite(id: 2, title: "cake")]

  @Test("the first page appears after the spinner")
  func firstPage() async throws {
    try await inAnyOrder { world in
      let service = Service()
      let screen = FavoritesScreen(viewModel: FavoritesViewModel(service: service))
      await world.onMain { screen.viewDidLoad() }
      world.expectEqual(screen.drawn, ["rows ", "spinner off", "spinner on"])
      await world.onService { service.fetches.answer(0, .success(Self.firstPage)) }
      world.expectEqual(screen.drawn.suffix(2), ["spinner off", "rows TEA,CAKE"])
      world.expectEqual(service.fetches.inputs, [1])
    }
  }

  @Test("each page is loaded once, until a page is not full")
  func nextPages() async throws {
    try await inAnyOrder { world in
      let service = Service()
      let screen = FavoritesScreen(viewModel: FavoritesViewModel(service: service))
      await world.onMain { screen.viewDidLoad() }
      await world.onMain { screen.didScrollToBottom() }
      await world.onService { service.fetches.answer(0, .success(Self.firstPage)) }
      await world.onMain { screen.didScrollToBottom() }
      await world.onMain { screen.didScrollToBottom() }
      await world.onService { service.fetches.answer(1, .success([Favorite(id: 3, title: "jam")])) }
      await world.onMain { screen.didScrollToBottom() }
      world.expectEqual(service.fetches.inputs, [1, 2])
      world.expectEqual(screen.drawn.last, "rows TEA,CAKE,JAM")
    }
  }

  @Test("a page that fails shows an alert, and can be loaded again")
  func failure() async throws {
    try await inAnyOrder { world in
      let service = Service()
      let screen = FavoritesScreen(viewModel: FavoritesViewModel(service: service))
      await world.onMain { screen.viewDidLoad() }
      await world.onService { service.fetches.answer(0, .failure(FavoritesError.offline)) }
      world.expectEqual(screen.drawn.suffix(2), ["spinner off", "alert You are offline."])
      await world.onMain { screen.didScrollToBottom() }
      world.expectEqual(service.fetches.inputs, [1, 1])
      world.expectEqual(screen.drawn.last, "spinner on")
    }
  }

  @Test("a removed row disappears at once, and comes back if the server refuses")
  func refusedRemoval() async throws {
    try await inAnyOrder { world in
      let service = Service()
      let screen = FavoritesScreen(viewModel: FavoritesViewModel(service: service))
      await world.onMain { screen.viewDidLoad() }
      await world.onService { service.fetches.answer(0, .success(Self.firstPage)) }
      await world.onMain { screen.didSwipeToDelete(row: 0) }
      world.expectEqual(screen.drawn.last, "rows CAKE")
      world.expectEqual(service.removals.inputs, [1])
      await world.onService { service.removals.answer(0, .failure(ServiceError())) }
      world.expectEqual(screen.drawn.suffix(2), ["rows TEA,CAKE", "alert Something went wrong."])
    }
  }

  @Test("a request does not keep the view model alive")
  func released() async throws {
    try await inAnyOrder { world in
      let service = Service()
      weak var model: FavoritesViewModel?
      do {
        let screen = FavoritesScreen(viewModel: FavoritesViewModel(service: service))
        await world.onMain { screen.viewDidLoad() }
        await world.onMain {
          model = Mirror(reflecting: screen).descendant("viewModel") as? FavoritesViewModel
        }
        world.expect(model != nil)
      }
      world.expect(model == nil, "the view model is released")
      await world.onService { service.fetches.answer(0, .success(Self.firstPage)) }
    }
  }
}
