import AsyncViewModels
import Domain
import Observation
import Services

/// The other form of a view model: a class on the main actor, which is the default isolation of this target.
@Observable
final class ProfileViewModel {
  private(set) var profile: Profile
  private(set) var productCount = 0
  private(set) var isSaved = true
  private(set) var failure: String?
  @ObservationIgnored private let shop: any Shop
  @ObservationIgnored private let tasks = TaskBag()
  @ObservationIgnored private var observation: CancellationToken?

  init(_ profile: Profile, shop: any Shop) {
    self.profile = profile
    self.shop = shop
  }

  func rename(_ name: String) {
    profile.name = name
    isSaved = false
  }

  func follow(_ counts: AsyncStream<Int>) {
    observation = counts.observe(on: self) { model, count in model.productCount = count }
  }

  func save() {
    let profile = profile
    tasks.run { [weak self, shop] in
      do {
        try await shop.save(profile)
        if self?.profile == profile { self?.isSaved = true }
      } catch { self?.failure = error.localizedDescription }
    }
  }
}
