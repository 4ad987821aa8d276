//// hazard: phase is checked, then set after the request
import Foundation

actor FeedModel {
  enum Phase: Equatable { case initial, ready([Post]), failed }
  private(set) var phase = Phase.initial
  private let api: FeedAPI
  init(api: FeedAPI) { self.api = api }

  func start() async {
    guard phase == .initial else { return }
    do {
      let posts = try await api.latest()
      phase = .ready(posts)  // ← here
    } catch {
      phase = .failed
    }
  }
}

//// hazard: dictionary cache filled after the download
import UIKit

actor ThumbnailStore {
  private var images: [URL: UIImage] = [:]
  private let session = URLSession.shared

  func image(at url: URL) async throws -> UIImage {
    if let image = images[url] {
      return image
    }
    let (data, _) = try await session.data(from: url)
    guard let image = UIImage(data: data) else { throw URLError(.cannotDecodeContentData) }
    images[url] = image  // ← here
    return image
  }
}

//// hazard: token expiry is compared and then written
import Foundation

actor Authenticator {
  private var expiry = Date.distantPast
  private var bearer = ""
  private let gateway: AuthGateway
  init(gateway: AuthGateway) { self.gateway = gateway }

  func authorization() async throws -> String {
    if expiry < .now {
      let grant = try await gateway.renew()
      bearer = grant.bearer
      expiry = grant.validUntil  // ← here
    }
    return bearer
  }
}

//// hazard: badge is incremented across the call
import Observation

@MainActor @Observable
final class NotificationBadge {
  var unread = 0
  @ObservationIgnored let backend: BadgeBackend
  init(backend: BadgeBackend) { self.backend = backend }

  func markReceived() async {
    let previous = unread
    await backend.acknowledge()
    unread = previous + 1  // ← here
  }
}

//// hazard: page number is read for the request and raised afterwards
import Foundation

@MainActor
final class ArticleListViewModel: ObservableObject {
  @Published private(set) var articles: [Article] = []
  private var page = 1
  private let repository: ArticleRepository
  init(repository: ArticleRepository) { self.repository = repository }

  func loadMore() async {
    guard let next = try? await repository.articles(page: page) else { return }
    articles.append(contentsOf: next)
    page += 1  // ← here
  }
}

//// hazard: optional connection is opened twice
import Foundation

actor ChatSocket {
  private var connection: Connection?
  private let connector: Connector
  init(connector: Connector) { self.connector = connector }

  func send(_ message: Message) async throws {
    if connection == nil {
      connection = try await connector.open()  // ← here
    }
    try await connection?.write(message)
  }
}

//// hazard: bool is lowered after a second caller could enter
import Foundation

@MainActor
class SyncCoordinator {
  private var needsSync = true
  let engine: SyncEngine
  init(engine: SyncEngine) { self.engine = engine }

  func syncIfNeeded() async {
    if needsSync {
      await engine.pushLocalChanges()
      needsSync = false  // ← here
    }
  }
}

//// hazard: balance is checked in a helper and changed after the await
import Foundation

actor Wallet {
  private var balance: Decimal = 100
  private let bank: Bank
  init(bank: Bank) { self.bank = bank }

  private func canPay(_ amount: Decimal) -> Bool { balance >= amount }

  func pay(_ amount: Decimal, to receiver: String) async throws {
    guard canPay(amount) else { throw WalletError.tooPoor }
    try await bank.transfer(amount, to: receiver)
    balance -= amount  // ← here
  }
}

//// hazard: switch over the state before the download
import Foundation

@MainActor
final class PlayerController {
  enum State { case idle, preparing, playing(Track) }
  var state: State = .idle
  let loader: TrackLoader
  init(loader: TrackLoader) { self.loader = loader }

  func play(_ id: TrackID) async throws {
    switch state {
    case .playing, .preparing: return
    case .idle:
      let track = try await loader.track(id)
      self.state = .playing(track)  // ← here
    }
  }
}

//// hazard: set of known ids is consulted and extended later
import Foundation

actor ReceiptUploader {
  var uploaded = Set<String>()
  let storage: RemoteStorage
  init(storage: RemoteStorage) { self.storage = storage }

  func upload(_ receipt: Receipt) async throws {
    if uploaded.contains(receipt.id) { return }
    try await storage.put(receipt)
    uploaded.insert(receipt.id)  // ← here
  }
}

//// harmless: the phase is set before the await
import Foundation

actor FeedModel {
  enum Phase: Equatable { case initial, loading, ready([Post]), failed }
  private(set) var phase = Phase.initial
  private let api: FeedAPI
  init(api: FeedAPI) { self.api = api }

  func start() async {
    guard phase == .initial else { return }
    phase = .loading
    do {
      phase = .ready(try await api.latest())
    } catch {
      phase = .failed
    }
  }
}

//// harmless: the running task is stored and shared
import Foundation

actor ThumbnailStore {
  private var running: [URL: Task<Data, Error>] = [:]
  private let session = URLSession.shared

  func data(at url: URL) async throws -> Data {
    if let task = running[url] {
      return try await task.value
    }
    let task = Task { [session] in try await session.data(from: url).0 }
    running[url] = task
    return try await task.value
  }
}

//// harmless: checked again after the await
import Foundation

actor Connector {
  private var connection: Connection?
  private let factory: ConnectionFactory
  init(factory: ConnectionFactory) { self.factory = factory }

  func connected() async throws -> Connection {
    if let connection { return connection }
    let fresh = try await factory.open()
    if let connection {
      await fresh.close()
      return connection
    }
    connection = fresh
    return fresh
  }
}

//// harmless: flag is raised before and lowered by defer
import Foundation

@MainActor
final class RefreshModel {
  private(set) var isRefreshing = false
  private(set) var rows: [Row] = []
  private let service: RowService
  init(service: RowService) { self.service = service }

  func refresh() async throws {
    guard !isRefreshing else { return }
    isRefreshing = true
    defer { isRefreshing = false }
    rows = try await service.rows()
  }
}

//// harmless: local variables cross the await
import Foundation

actor Statistics {
  private let source: NumberSource
  init(source: NumberSource) { self.source = source }

  func average() async -> Double {
    var sum = 0.0
    var count = 0
    if count == 0 {
      for number in await source.numbers() {
        sum += number
        count += 1
      }
    }
    return count == 0 ? 0 : sum / Double(count)
  }
}

//// harmless: generation tells whether the answer is current
import Foundation

@MainActor
final class SuggestionModel {
  private(set) var suggestions: [String] = []
  private var generation = 0
  private let index: SearchIndex
  init(index: SearchIndex) { self.index = index }

  func suggest(_ prefix: String) async {
    generation += 1
    let mine = generation
    let found = await index.matches(prefix)
    guard mine == generation else { return }
    suggestions = found
  }
}

//// harmless: compound change without a wait
import Foundation

actor Inventory {
  private var stock: [String: Int] = [:]
  private let audit: AuditLog
  init(audit: AuditLog) { self.audit = audit }

  func take(_ sku: String) async -> Bool {
    guard let left = stock[sku], left > 0 else { return false }
    stock[sku] = left - 1
    await audit.record(sku)
    return true
  }
}

//// harmless: read after the write of the same turn
import Foundation

actor Counter {
  private var value = 0
  private let clock: any Clock<Duration>
  init(clock: any Clock<Duration>) { self.clock = clock }

  func tick() async throws -> Int {
    try await clock.sleep(for: .seconds(1))
    value += 1
    return value
  }
}

//// harmless: a loaded list replaces the list that an earlier branch has searched
import Foundation

@MainActor
final class SyncModel {
  var courses: [Course] = []
  var removed: [Course] = []
  let service: CourseService
  init(service: CourseService) { self.service = service }

  func sync() async throws {
    for course in removed {
      if let index = courses.firstIndex(where: { $0.id == course.id }) {
        courses[index].isSynced = false
      }
    }
    let fetched = try await service.courses()
    courses = fetched
  }
}

//// harmless: the property of a result has the name of a member
import Foundation

@MainActor
final class ThreadListModel {
  var threads: [DiscussionThread] = []
  let service: ThreadService
  init(service: ThreadService) { self.service = service }

  func load(page: Int) async throws {
    threads = try await fetch(page: page)
  }

  private func fetch(page: Int) async throws -> [DiscussionThread] {
    try await service.threads(page: page).threads
  }
}

//// hazard: page number
@Observable @MainActor final class FeedModel {
  var page = 0
  var items: [Item] = []
  func more() async throws {
    let next = try await api.page(page + 1)
    items.append(contentsOf: next)
    page += 1  // ← here
  }
}

//// harmless: total is counted after each answer
actor Totals {
  private var bytes = 0
  func download(_ url: URL) async throws -> Data {
    let data = try await net.get(url)
    bytes += data.count
    return data
  }
}

//// harmless: a method has the name of the property
@MainActor final class TrailerProvider {
  private(set) var trailers: [Trailer] = [], count = 0
  func load(_ id: Int) async throws {
    let found = try? await trailers(for: id)
    trailers = found ?? []
    count = try await self.count(of: id)
  }
}
