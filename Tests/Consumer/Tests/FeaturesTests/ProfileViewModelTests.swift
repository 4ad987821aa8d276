import AsyncViewModels
import AsyncViewModelsTesting
import Domain
import Services
import Testing

@testable import Features

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ProfileViewModelTests {
  private struct Account: Shop {
    let gate: Gate

    func products(page: Int) async throws -> Page<Product> { Page([], next: nil) }
    func orders() async throws -> [Order] { [] }
    func save(_ profile: Profile) async throws { await gate.wait() }
  }

  @Test("a renamed profile is saved when the service has answered")
  func save() async throws {
    let gate = Gate()
    let model = ProfileViewModel(Profile(name: "Ada"), shop: Account(gate: gate))
    model.rename("Grace")
    model.save()
    await gate.waitForArrivals(1)
    #expect(!model.isSaved)
    gate.open()
    while !model.isSaved { await Task.yield() }
    #expect(model.profile.name == "Grace")
  }

  @Test("an observation shows the latest count, and keeps no view model")
  func observation() async throws {
    let counts = ObservableState(0)
    try await LeakTracker.check { tracker in
      let model = tracker.track(ProfileViewModel(Profile(name: "Ada"), shop: Account(gate: Gate())))
      model.follow(counts.stream())
      counts.send(3)
      while model.productCount != 3 { await Task.yield() }
    }
    while counts.observerCount > 0 { await Task.yield() }
  }
}
