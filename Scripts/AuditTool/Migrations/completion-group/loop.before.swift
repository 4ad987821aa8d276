import Dispatch

protocol FeedService { func load(_ entry: Int, completion: @escaping @Sendable () -> Void) }

final class FeedViewModel {
  private let service: any FeedService
  init(service: any FeedService) { self.service = service }

  func load(_ entries: [Int]) {
    let group = DispatchGroup()
    for entry in entries {
      group.enter()
      service.load(entry) { group.leave() }
    }
    group.notify(queue: .main) { print("all") }
  }
}
