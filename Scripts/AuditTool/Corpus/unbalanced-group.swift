//// hazard: failure path does not leave
import Foundation

final class DashboardLoader {
  let api: DashboardAPI
  init(api: DashboardAPI) { self.api = api }

  func load(completion: @escaping () -> Void) {
    let group = DispatchGroup()
    group.enter()
    api.news { result in
      guard case .success(let news) = result else { return }  // ← here
      print(news.count)
      group.leave()
    }
    group.notify(queue: .main, execute: completion)
  }
}

//// hazard: leave is missing for the second request
import Foundation

class ReportBuilder {
  private let dispatchGroup = DispatchGroup()
  var sales: [Sale] = []
  var returns: [Return] = []

  func build(_ service: ReportService, done: @escaping () -> Void) {
    dispatchGroup.enter()
    service.sales { [weak self] in
      self?.sales = $0
      self?.dispatchGroup.leave()
    }
    dispatchGroup.enter()  // ← here
    service.returns { [weak self] in
      self?.returns = $0
    }
    dispatchGroup.notify(queue: .main) { done() }
  }
}

//// hazard: leaves in success and again at the end
import Foundation

func syncAll(_ accounts: [Account], with client: SyncClient, whenDone: @escaping () -> Void) {
  let pending = DispatchGroup()
  for account in accounts {
    pending.enter()
    client.sync(account) { error in
      if error == nil {
        account.markSynced()
        pending.leave()
      }
      pending.leave()  // ← here
    }
  }
  pending.notify(queue: .main, execute: whenDone)
}

//// hazard: catch forgets the group
import Foundation

final class ThumbnailBatch {
  func render(_ urls: [URL], completion: @escaping ([Thumbnail]) -> Void) {
    let group = DispatchGroup()
    let lock = NSLock()
    var all: [Thumbnail] = []
    for url in urls {
      group.enter()
      DispatchQueue.global().async {
        do {
          let thumbnail = try Thumbnail(contentsOf: url)
          lock.withLock { all.append(thumbnail) }
          group.leave()
        } catch {
          print("no thumbnail for", url)  // ← here
        }
      }
    }
    group.notify(queue: .main) { completion(all) }
  }
}

//// hazard: enters before the check that skips the work
import Foundation

extension PrefetchController {
  func prefetch(_ ids: [String], finished: @escaping () -> Void) {
    let group = DispatchGroup()
    for id in ids {
      group.enter()
      if store.contains(id) { continue }  // ← here
      loader.load(id) { _ in group.leave() }
    }
    group.notify(queue: .main) { finished() }
  }
}

//// hazard: weak self keeps the group open
import Foundation

final class HomeViewModel {
  private let feed: FeedService
  private var posts: [Post] = []
  init(feed: FeedService) { self.feed = feed }

  func refresh(_ done: @escaping () -> Void) {
    let group = DispatchGroup()
    group.enter()
    feed.posts { [weak self] posts in
      guard let self else { return }  // ← here
      self.posts = posts
      group.leave()
    }
    group.notify(queue: .main, execute: done)
  }
}

//// harmless: leaves on both branches
import Foundation

final class DashboardLoader {
  let api: DashboardAPI
  init(api: DashboardAPI) { self.api = api }

  func load(completion: @escaping () -> Void) {
    let group = DispatchGroup()
    group.enter()
    api.news { result in
      switch result {
      case .success(let news):
        print(news.count)
        group.leave()
      case .failure:
        group.leave()
      }
    }
    group.notify(queue: .main, execute: completion)
  }
}

//// harmless: defer leaves before any return
import Foundation

func syncAll(_ accounts: [Account], with client: SyncClient, whenDone: @escaping () -> Void) {
  let pending = DispatchGroup()
  for account in accounts {
    pending.enter()
    client.sync(account) { error in
      defer { pending.leave() }
      guard error == nil else { return }
      account.markSynced()
    }
  }
  pending.notify(queue: .main, execute: whenDone)
}

//// harmless: async with a group needs no leave
import Foundation

final class CacheWarmer {
  let queue = DispatchQueue(label: "warm", attributes: .concurrent)

  func warm(_ keys: [String], done: @escaping () -> Void) {
    let group = DispatchGroup()
    for key in keys {
      queue.async(group: group) {
        guard !key.isEmpty else { return }
        Disk.read(key)
      }
    }
    group.notify(queue: .main, execute: done)
  }
}

//// harmless: the check stands before the enter
import Foundation

extension PrefetchController {
  func prefetch(_ ids: [String], finished: @escaping () -> Void) {
    let group = DispatchGroup()
    for id in ids {
      if store.contains(id) { continue }
      group.enter()
      loader.load(id) { _ in group.leave() }
    }
    group.notify(queue: .main) { finished() }
  }
}

//// harmless: leave stands in a function that both handlers call
import Foundation

final class PlaybackPreparer {
  private let group = DispatchGroup()

  func prepare(_ player: PlayerItem, ready: @escaping () -> Void) {
    group.enter()
    player.onReady = { [weak self] in self?.finishOne() }
    player.start()
    group.notify(queue: .main, execute: ready)
  }

  private func finishOne() {
    group.leave()
  }
}

//// harmless: an entry enters when it is made, and leaves later
import Foundation

final class Entry {
  private let group: DispatchGroup

  init(_ group: DispatchGroup) {
    self.group = group
    group.enter()
  }

  func leave() { group.leave() }
}

//// harmless: a screen that is entered
import UIKit

final class TerminalScreen {
  func listen(_ source: Source) {
    source.onContinue = { [weak self] in self?.enter() }
  }

  private func enter() { show() }
}

//// harmless: the group of another object, which leaves it at its end
import Foundation

final class Server {
  private let ended = DispatchGroup()

  static func start() -> Server {
    let started = Server()
    started.ended.enter()
    return started
  }

  private func end() { ended.leave() }
}
