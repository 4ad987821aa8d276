//// hazard: answer of an old query replaces the new hits
import Foundation

@MainActor
final class SearchViewModel: ObservableObject {
  @Published var query = ""
  @Published private(set) var hits: [Hit] = []
  private let engine: SearchEngine
  init(engine: SearchEngine) { self.engine = engine }

  func textChanged(_ text: String) {
    query = text
    Task {
      hits = (try? await engine.search(text)) ?? []  // ← here
    }
  }
}

//// hazard: reused cell shows the image of its last row
import UIKit

final class ProductCell: UITableViewCell {
  @IBOutlet private var photo: UIImageView!

  func configure(with product: Product) {
    photo.image = nil
    ImageLoader.shared.load(product.imageURL) { [weak self] image in
      DispatchQueue.main.async {
        self?.photo.image = image  // ← here
      }
    }
  }
}

//// hazard: selected account changes while its details load
import Foundation

final class AccountPresenter {
  private var selectedID: String?
  private let api: AccountAPI
  weak var output: AccountOutput?
  init(api: AccountAPI) { self.api = api }

  func select(_ id: String) {
    selectedID = id
    api.details(of: id) { [weak self] result in
      DispatchQueue.main.async {
        self?.output?.show(result)  // ← here
      }
    }
  }
}

//// hazard: url session task is not kept
import Foundation

final class AutocompleteModel {
  var onSuggestions: (([String]) -> Void)?

  func update(prefix: String) {
    guard let url = URL(string: "https://example.com/complete?q=\(prefix)") else { return }
    URLSession.shared.dataTask(with: url) { [weak self] data, _, _ in
      let words = data.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
      DispatchQueue.main.async {
        self?.onSuggestions?(words)  // ← here
      }
    }.resume()
  }
}

//// hazard: SwiftUI model loads for each segment
import SwiftUI

@MainActor @Observable
final class LeaderboardModel {
  private(set) var entries: [Entry] = []
  let scores: ScoreService
  init(scores: ScoreService) { self.scores = scores }

  var period: Period = .week {
    didSet {
      Task { [weak self, scores, period] in
        let entries = await scores.top(period)
        self?.entries = entries  // ← here
      }
    }
  }
}

//// hazard: filter is applied on a queue without a token
import Foundation

final class ContactFilter {
  private let work = DispatchQueue(label: "filter", attributes: .concurrent)
  private var all: [Contact] = []
  var show: ([Contact]) -> Void = { _ in }

  func filter(by text: String) {
    let contacts = all
    work.async {
      let matching = contacts.filter { $0.name.contains(text) }
      DispatchQueue.main.async { [weak self] in
        self?.show(matching)  // ← here
      }
    }
  }
}

//// harmless: old task is cancelled and checked
import Foundation

@MainActor
final class SearchViewModel {
  private(set) var hits: [Hit] = []
  private var searching: Task<Void, Never>?
  private let engine: SearchEngine
  init(engine: SearchEngine) { self.engine = engine }
  deinit { searching?.cancel() }

  func textChanged(_ text: String) {
    searching?.cancel()
    searching = Task { [weak self, engine] in
      let found = (try? await engine.search(text)) ?? []
      guard !Task.isCancelled else { return }
      self?.hits = found
    }
  }
}

//// harmless: the cell compares the identifier
import UIKit

final class ProductCell: UITableViewCell {
  @IBOutlet private var photo: UIImageView!
  private var shownID: Int?

  func configure(with product: Product) {
    shownID = product.id
    photo.image = nil
    ImageLoader.shared.load(product.imageURL) { [weak self] image in
      DispatchQueue.main.async {
        guard let self, self.shownID == product.id else { return }
        self.photo.image = image
      }
    }
  }
}

//// harmless: request number is compared on the main queue
import Foundation

final class AccountPresenter {
  private var latest = 0
  private let api: AccountAPI
  weak var output: AccountOutput?
  init(api: AccountAPI) { self.api = api }

  func select(_ id: String) {
    latest += 1
    let request = latest
    api.details(of: id) { [weak self] result in
      DispatchQueue.main.async {
        guard let self, request == self.latest else { return }
        self.output?.show(result)
      }
    }
  }
}

//// harmless: task modifier with an id cancels the old load
import SwiftUI

struct LeaderboardView: View {
  let scores: ScoreService
  @State private var period = Period.week
  @State private var entries: [Entry] = []

  var body: some View {
    List(entries) { Text($0.name) }
      .task(id: period) {
        let loaded = await scores.top(period)
        if !Task.isCancelled { entries = loaded }
      }
  }
}

//// harmless: save has one result and no parameter that changes
import Foundation

final class DraftModel {
  var onSaved: (() -> Void)?
  private let disk: Disk
  init(disk: Disk) { self.disk = disk }

  func save(_ draft: Draft) {
    disk.write(draft) { [weak self] in
      DispatchQueue.main.async { self?.onSaved?() }
    }
  }
}

//// harmless: previous data task is cancelled and the text compared
import Foundation

final class AutocompleteModel {
  var onSuggestions: (([String]) -> Void)?
  private var current: URLSessionDataTask?
  private var prefix = ""

  func update(prefix: String) {
    self.prefix = prefix
    current?.cancel()
    guard let url = URL(string: "https://example.com/complete?q=\(prefix)") else { return }
    current = URLSession.shared.dataTask(with: url) { data, _, _ in
      let words = data.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
      DispatchQueue.main.async { [weak self] in
        guard let self, self.prefix == prefix else { return }
        self.onSuggestions?(words)
      }
    }
    current?.resume()
  }
}

//// harmless: the answer only takes the dimming away
import UIKit

final class ChangeEmailViewController: UIViewController {
  let server: AccountServer
  init(server: AccountServer) {
    self.server = server
    super.init(nibName: nil, bundle: nil)
  }

  func changeEmail(to newEmail: String) {
    view.alpha = 0.3
    server.change(email: newEmail) { [weak self] isChanged in
      if !isChanged { self?.view.alpha = 1 }
    }
  }
}

//// hazard: onChange starts a task
import SwiftUI

struct SearchView: View {
  @State private var query = ""
  @State private var hits: [Hit] = []
  var body: some View {
    TextField("Search", text: $query)
      .onChange(of: query) { _, new in
        Task { hits = try await Client.shared.hits(for: new) }  // ← here
      }
  }
}

//// hazard: cancelled, but no check after the await
@MainActor final class SearchModel {
  private var task: Task<Void, Never>?
  private(set) var hits: [Hit] = []
  func search(_ text: String) {
    task?.cancel()
    task = Task {
      let found = await index.lookup(text)
      self.hits = found  // ← here
    }
  }
}

//// hazard: picker selection
@Observable @MainActor final class ChartModel {
  var points: [Point] = []
  var range = Range.day { didSet { reload() } }
  private func reload() {
    Task {
      let points = await store.points(in: range)
      self.points = points  // ← here
    }
  }
}

//// harmless: the search throws when it is cancelled
@MainActor final class Typeahead {
  private(set) var matches: [String] = []
  private var work: Task<Void, Error>?
  func textChanged(to text: String) {
    work?.cancel()
    work = Task {
      try await Task.sleep(for: .milliseconds(300))
      let found = try await session.matches(text)
      matches = found
    }
  }
}

//// harmless: onChange saves
import SwiftUI

struct Editor: View {
  @State private var text = ""
  var body: some View {
    TextEditor(text: $text).onChange(of: text) { _, new in Task { await store.save(new) } }
  }
}

//// harmless: an object is made with what a tap does
final class PickerViewController: UIViewController {
  weak var delegate: PickerDelegate?
  private var chosen: Site?

  func showError(for site: Int) {
    let model = NoStoreViewModel(site: site, onDone: { [weak self] id in self?.delegate?.didSelect(id) })
    let sheet = SiteSheet.init(selected: site) { [weak self] site in self?.chosen = site }
    show(model, sheet)
  }
}

//// harmless: a callback for what a person does
final class BannerPresenter {
  weak var output: BannerOutput?
  private var opened: Link?

  func select(_ id: Int) {
    banners.show(for: id, onTap: { [weak self] link in self?.opened = link })
    banners.show(for: id, buttonAction: { [weak self] link in self?.output?.show(link) })
  }
}

//// harmless: the next page belongs to the list
final class VariationsViewModel {
  private(set) var notice: Notice?
  private var rows: [Row] = []

  func sync(pageNumber: Int, pageSize: Int, onCompletion: ((Bool) -> Void)?) {
    stores.dispatch(
      VariationAction.synchronize(pageNumber: pageNumber, pageSize: pageSize) { [weak self] result in
        if case .failure(let error) = result { self?.notice = Notices.make(error) }
        onCompletion?(true)
      })
  }
  func scrolled(to offset: Int) {
    api.rows(from: offset, limit: 20) { [weak self] rows in self?.rows = rows }
  }
}

//// harmless: the answer is about a change
final class CouponViewModel {
  private(set) var notice: Notice?
  private(set) var status: Status?

  func updateCoupon(_ coupon: Coupon) {
    stores.dispatch(CouponAction.updateCoupon(coupon) { [weak self] result in self?.notice = Notices.make(result) })
  }
  func selected(_ coupon: Coupon) { Task { status = try await api.markAsUsed(coupon) } }
}

//// hazard: a page of hits of the query
final class HitsModel {
  private var hits: [Hit] = []
  func search(_ query: String, page: Int) {
    api.hits(page: page, query: query) { [weak self] hits in self?.hits = hits }  // ← here
  }
}

//// hazard: the handler has a label that begins with on
final class DetailsModel {
  private var details: Details?
  func select(_ id: Int) {
    api.details(of: id, onCompletion: { [weak self] details in self?.details = details })  // ← here
  }
}

//// hazard: results are updated
final class CompleterModel {
  private var results: [Completion] = []
  func textChanged(_ text: String) {
    engine.updateResults(for: text) { [weak self] found in self?.results = found }  // ← here
  }
}
