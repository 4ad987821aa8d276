//// hazard: error stays after a successful reload
import Foundation

@MainActor
final class NewsViewModel: ObservableObject {
  @Published private(set) var isLoading = false
  @Published private(set) var error: Error?
  @Published private(set) var articles: [Article] = []
  private let api: NewsAPI
  init(api: NewsAPI) { self.api = api }

  func load() async {
    isLoading = true
    do {
      articles = try await api.articles()
      isLoading = false
    } catch {
      self.error = error  // ← here
      isLoading = false
    }
  }
}

//// hazard: spinner is left on in the error branch
import Foundation

final class CityViewModel {
  var isLoading = false { didSet { onLoading?(isLoading) } }
  var cities: [City] = [] { didSet { onCities?(cities) } }
  var errorMessage: String? { didSet { onError?(errorMessage) } }
  var onLoading: ((Bool) -> Void)?
  var onCities: (([City]) -> Void)?
  var onError: ((String?) -> Void)?
  private let service: CityService
  init(service: CityService) { self.service = service }

  func fetch() {
    isLoading = true  // ← here
    errorMessage = nil
    service.cities { [weak self] result in
      switch result {
      case .success(let cities):
        self?.cities = cities
        self?.isLoading = false
      case .failure(let error):
        self?.errorMessage = error.localizedDescription
      }
    }
  }
}

//// hazard: three flags for one screen
import Observation

@Observable
final class VideoModel {
  var isPlaying = false  // ← here
  var isPaused = false
  var isBuffering = false
  var failed: Error?

  func play() { isPlaying = true }
  func buffer() { isBuffering = true }
  func pause() { isPaused = true }
}

//// hazard: empty state is computed by hand
import Combine

final class FavoritesViewModel: ObservableObject {
  @Published var favorites: [Item] = []
  @Published var showsEmptyState = false  // ← here
  @Published var showsError = false
  @Published var loading = false

  func loaded(_ items: [Item]) {
    favorites = items
    loading = false
    if items.isEmpty { showsEmptyState = true }
  }

  func failed() {
    loading = false
    showsError = true
  }
}

//// hazard: early return leaves the busy flag
import Foundation

@MainActor
final class CouponModel: ObservableObject {
  @Published var code = ""
  @Published private(set) var isChecking = false
  @Published private(set) var discount: Int?
  @Published private(set) var problem: String?
  private let coupons: CouponService
  init(coupons: CouponService) { self.coupons = coupons }

  func redeem() async {
    isChecking = true  // ← here
    problem = nil
    guard let coupon = await coupons.find(code) else {
      problem = "Unknown code"
      return
    }
    discount = coupon.percent
    isChecking = false
  }
}

//// harmless: one enum
import Foundation

@MainActor
final class NewsViewModel: ObservableObject {
  enum State { case idle, loading, loaded([Article]), failed(String) }
  @Published private(set) var state = State.idle
  private let api: NewsAPI
  init(api: NewsAPI) { self.api = api }

  func load() async {
    state = .loading
    do {
      state = .loaded(try await api.articles())
    } catch {
      state = .failed(error.localizedDescription)
    }
  }
}

//// harmless: independent fields of a form
import Combine

final class SignUpModel: ObservableObject {
  @Published var name = ""
  @Published var email = ""
  @Published var acceptsTerms = false
  @Published var wantsNewsletter = false

  var canSubmit: Bool { !name.isEmpty && email.contains("@") && acceptsTerms }
}

//// harmless: derived properties of one state
import Observation

@Observable
final class VideoModel {
  enum Phase { case paused, playing, buffering, failed }
  private(set) var phase = Phase.paused
  var isPlaying: Bool { phase == .playing }
  var isBuffering: Bool { phase == .buffering }

  func play() { phase = .playing }
}

//// harmless: one struct is replaced as a whole
import Foundation

@MainActor
final class CityViewModel: ObservableObject {
  struct State {
    var isLoading = false
    var cities: [City] = []
    var message: String?
  }
  @Published private(set) var state = State()
  private let service: CityService
  init(service: CityService) { self.service = service }

  func fetch() async {
    state = State(isLoading: true, cities: state.cities)
    do {
      state = State(cities: try await service.cities())
    } catch {
      state.isLoading = false
      state.message = error.localizedDescription
    }
  }
}

//// harmless: list with a flag for the next page
import Foundation

@MainActor
final class PagedModel: ObservableObject {
  @Published private(set) var rows: [Row] = []
  @Published private(set) var isLoadingMore = false
  private let service: RowService
  init(service: RowService) { self.service = service }

  func loadMore() async {
    guard !isLoadingMore else { return }
    isLoadingMore = true
    defer { isLoadingMore = false }
    let cursor = rows.last?.id
    guard let page = try? await service.rows(after: cursor), rows.last?.id == cursor else { return }
    rows += page
  }
}

//// harmless: each flag of a row is about another part of it
import Observation

@MainActor
@Observable
final class StatusRowViewModel {
  var isPinned = false
  var isFiltered = false
  var isEmbedLoading = false
  var isLoadingRemoteContent = false
  var isLoadingTranslation = false
  var showDeleteAlert = false
  var deletionError: String?
  var translation: Translation?
  var embedded: Status?
  private let client: Client
  init(client: Client) { self.client = client }

  func translate(_ id: String) async {
    isLoadingTranslation = true
    translation = try? await client.translation(of: id)
    isLoadingTranslation = false
  }
}

//// hazard: the flags of a download contradict each other
import Combine

final class EpisodeModel: ObservableObject {
  @Published var title = ""
  @Published var isDownloadLoading = false  // ← here
  @Published var isDownloadPaused = false
  @Published var isDownloadFinished = false

  func pause() { isDownloadPaused = true }
}

//// harmless: a spinner ends with its model
final class SupportViewModel {
  private(set) var showsLoadingIndicator = false
  private(set) var isSending = false
  private(set) var isSaving = false
  private let provider: Provider
  init(provider: Provider) { self.provider = provider }

  func submit() {
    showsLoadingIndicator = true
    provider.send { [weak self] result in
      guard let self else { return }
      self.showsLoadingIndicator = false
      self.show(result)
    }
  }
  func send() {
    isSending = true
    provider.send { [weak self] _ in
      guard let owner = self else { return }
      owner.isSending = false
    }
  }
  func save() {
    isSaving = true
    provider.save { [weak owner = self] _ in
      if owner == nil { return }
      guard let owner else { return }
      owner.isSaving = false
    }
  }
}

//// hazard: the guard after that of self leaves the spinner on
final class ReceiptViewModel {
  private(set) var isLoading = false
  private(set) var receipt: Receipt?
  private let provider: Provider
  init(provider: Provider) { self.provider = provider }

  func load() {
    isLoading = true  // ← here
    provider.receipt { [weak self] receipt in
      guard let self else { return }
      guard let receipt else { return }
      self.isLoading = false
      self.receipt = receipt
    }
  }
}
