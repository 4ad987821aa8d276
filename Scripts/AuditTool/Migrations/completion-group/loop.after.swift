import AsyncViewModelsGCD
import Dispatch

protocol FeedService { func load(_ entry: Int, completion: @escaping @Sendable () -> Void) }

final class FeedViewModel {
  private let service: any FeedService
  init(service: any FeedService) { self.service = service }

  func load(_ entries: [Int]) {
    let group = CompletionGroup()
    for entry in entries {
      let entry1 = group.enter()
      service.load(entry) { entry1.leave() }
    }
    group.notify(on: .main) { print("all") }
  }
}
