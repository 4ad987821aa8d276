//// hazard: flag says loaded and then the request fails
import Foundation

@MainActor
final class CatalogViewModel: ObservableObject {
  @Published var products: [Product] = []
  private var didLoad = false
  private let service: CatalogService
  init(service: CatalogService) { self.service = service }

  func onAppear() async {
    guard !didLoad else { return }
    didLoad = true  // ← here
    do {
      products = try await service.products()
    } catch {
      print(error)
    }
  }
}

//// hazard: hasFetched is set in viewDidAppear
import UIKit

final class InboxViewController: UIViewController {
  private var hasFetchedOnce = false
  private let inbox: Inbox
  private var loadTask: Task<Void, Never>?
  init(inbox: Inbox) { self.inbox = inbox; super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { fatalError() }
  deinit { loadTask?.cancel() }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    if hasFetchedOnce { return }
    hasFetchedOnce = true  // ← here
    loadTask = Task { [inbox] in
      try? await inbox.fetch()
    }
  }
}

//// hazard: initialized flag of an actor
import Foundation

actor FeatureFlags {
  private var isInitialized = false
  private var flags: [String: Bool] = [:]
  private let remote: RemoteConfig
  init(remote: RemoteConfig) { self.remote = remote }

  func prepare() async throws {
    if !isInitialized {
      isInitialized = true  // ← here
      flags = try await remote.load()
    }
  }
}

//// hazard: first load flag in a completion-handler model
import Foundation

final class TimelineModel {
  private var firstLoad = true
  var onPosts: (([Post]) -> Void)?
  private let client: TimelineClient
  init(client: TimelineClient) { self.client = client }

  func viewWillAppear() {
    guard firstLoad else { return }
    firstLoad = false  // ← here
    client.posts { [weak self] result in
      switch result {
      case .success(let posts): self?.onPosts?(posts)
      case .failure(let error): print("no posts:", error)
      }
    }
  }
}

//// hazard: date of the last refresh is stored before it succeeds
import Foundation

@MainActor
final class WeatherModel {
  private var lastRefresh: Date?
  private(set) var forecast: Forecast?
  private let provider: ForecastProvider
  init(provider: ForecastProvider) { self.provider = provider }

  func refreshIfNeeded(now: Date) async throws {
    if let lastRefresh, now.timeIntervalSince(lastRefresh) < 600 { return }
    lastRefresh = now  // ← here
    forecast = try await provider.forecast()
  }
}

//// hazard: synced marker stands before the upload
import SwiftData

@MainActor
final class NoteSyncer {
  var hasSynced = false
  let cloud: CloudNotes
  init(cloud: CloudNotes) { self.cloud = cloud }

  func syncOnce(_ notes: [Note]) async {
    guard hasSynced == false else { return }
    hasSynced = true  // ← here
    for note in notes {
      guard await cloud.upload(note) else { return }
    }
  }
}

//// harmless: the failure takes the flag back
import Foundation

@MainActor
final class CatalogViewModel {
  private(set) var products: [Product] = []
  private var didLoad = false
  private let service: CatalogService
  init(service: CatalogService) { self.service = service }

  func onAppear() async {
    guard !didLoad else { return }
    didLoad = true
    do {
      products = try await service.products()
    } catch {
      didLoad = false
    }
  }
}

//// harmless: isLoading is about the request and ends with it
import Foundation

@MainActor
final class CommentsModel {
  private(set) var isLoading = false
  private(set) var comments: [Comment] = []
  private let service: CommentService
  init(service: CommentService) { self.service = service }

  func load() async throws {
    guard !isLoading else { return }
    isLoading = true
    defer { isLoading = false }
    comments = try await service.comments()
  }
}

//// harmless: flag of a screen that configures its views once
import UIKit

final class OnboardingViewController: UIViewController {
  private var didLayout = false
  private let stack = UIStackView()

  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    guard !didLayout else { return }
    didLayout = true
    stack.frame = view.bounds
  }
}

//// harmless: the flag is written in a success branch
import Foundation

final class TimelineModel {
  private var hasLoaded = false
  private let client: TimelineClient
  var onPosts: (([Post]) -> Void)?
  init(client: TimelineClient) { self.client = client }

  func viewWillAppear() {
    if hasLoaded { return }
    client.posts { result in
      DispatchQueue.main.async { [weak self] in
        guard let self, case .success(let posts) = result else { return }
        self.hasLoaded = true
        self.onPosts?(posts)
      }
    }
  }
}

//// harmless: a view is tracked once and the call cannot fail
import Foundation

@MainActor
final class ScreenTracker {
  private var didTrack = false
  private let analytics: Analytics
  init(analytics: Analytics) { self.analytics = analytics }

  func appeared() async {
    guard !didTrack else { return }
    didTrack = true
    await analytics.log("screen_shown")
  }
}

//// hazard: view's state
import SwiftUI

struct HomeView: View {
  @State private var didLoad = false
  @State private var model = HomeModel()
  var body: some View {
    Text("Home").task {
      if didLoad { return }
      didLoad = true  // ← here
      try? await model.load()
    }
  }
}

//// harmless: set after
import SwiftUI

struct Inbox: View {
  @State private var hasFetched = false
  @StateObject private var model = InboxModel()
  var body: some View {
    List(model.mails) { MailRow($0) }
      .task {
        guard !hasFetched else { return }
        if await model.fetch() { hasFetched = true }
      }
  }
}

//// hazard: the id of a cached image is kept although the load fails
actor ImageStore {
  private var idsFromCache: Set<String> = []
  func images(_ id: String) async -> [Image]? {
    if !idsFromCache.contains(id) {
      idsFromCache.insert(id)  // ← here
      if let images = await repository.images(id) { return images }
    }
    return nil
  }
}

//// harmless: the id is removed if the load fails
actor BannerStore {
  private var loadedIds: Set<String> = []
  func load(_ id: String) async {
    guard loadedIds.insert(id).inserted else { return }
    do { try await repository.load(id) } catch { loadedIds.remove(id) }
  }
}

//// harmless: a report about a loaded page cannot fail
actor PageReporter {
  private var loadedPages: Set<Int> = []
  func didLoad(_ page: Int) async {
    guard !loadedPages.contains(page) else { return }
    loadedPages.insert(page)
    await analytics.report(page)
  }
}
