//// hazard: sink stored in the set of self
import Combine
import Foundation

final class WalletViewModel: ObservableObject {
  @Published private(set) var balance = 0
  private var cancellables = Set<AnyCancellable>()

  init(account: AccountPublisher) {
    account.balances
      .receive(on: DispatchQueue.main)
      .sink { value in
        self.balance = value  // ← here
      }
      .store(in: &cancellables)
  }
}

//// hazard: assign keeps its object
import Combine

final class TitleModel {
  var title = ""
  private var subscription: AnyCancellable?

  func bind(_ titles: AnyPublisher<String, Never>) {
    subscription = titles.assign(to: \.title, on: self)  // ← here
  }
}

//// hazard: notification block keeps the screen
import UIKit

final class KeyboardScreen: UIViewController {
  private var token: NSObjectProtocol?

  override func viewDidLoad() {
    super.viewDidLoad()
    token = NotificationCenter.default.addObserver(forName: UIResponder.keyboardWillShowNotification, object: nil, queue: .main) { note in
      self.adjust(for: note)  // ← here
    }
  }

  private func adjust(for note: Notification) {}

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }
}

//// hazard: key value observation of an own object
import WebKit

final class BrowserController: NSObject {
  private let webView = WKWebView()
  private let progress = UIProgressView()
  private var observation: NSKeyValueObservation?

  func start() {
    observation = webView.observe(\.estimatedProgress, options: [.new]) { _, change in
      self.progress.progress = Float(change.newValue ?? 0)  // ← here
    }
  }
}

//// hazard: flatMap uses self before the sink is weak
import Combine

final class SearchViewModel {
  @Published var query = ""
  private(set) var results: [Result] = []
  private let service: SearchService
  private var bag: [AnyCancellable] = []

  init(service: SearchService) {
    self.service = service
    $query
      .map { text in self.service.results(for: text) }  // ← here
      .switchToLatest()
      .sink { [weak self] in self?.results = $0 }
      .store(in: &bag)
  }
}

//// hazard: file system source keeps its watcher
import Foundation

final class FolderWatcher {
  private var source: DispatchSourceFileSystemObject?
  private var changes = 0

  func watch(_ descriptor: Int32) {
    let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: .write, queue: .main)
    source.setEventHandler { [unowned source] in
      self.changes += source.data.isEmpty ? 0 : 1  // ← here
    }
    source.resume()
    self.source = source
  }

  deinit { source?.cancel() }
}

//// hazard: receiveValue in the long form of sink
import Combine

final class OrdersPresenter {
  private var disposables = Set<AnyCancellable>()
  private var orders: [Order] = []

  func attach(to feed: OrderFeed) {
    let subscription = feed.publisher.sink(
      receiveCompletion: { _ in },
      receiveValue: { order in
        self.orders.append(order)  // ← here
      })
    disposables.insert(subscription)
  }
}

//// harmless: weak self in the sink
import Combine
import Foundation

final class WalletViewModel: ObservableObject {
  @Published private(set) var balance = 0
  private var cancellables = Set<AnyCancellable>()

  init(account: AccountPublisher) {
    account.balances
      .receive(on: DispatchQueue.main)
      .sink { [weak self] in self?.balance = $0 }
      .store(in: &cancellables)
  }
}

//// harmless: assign to a published property
import Combine

final class TitleModel: ObservableObject {
  @Published private(set) var title = ""

  init(_ titles: AnyPublisher<String, Never>) {
    titles.map { $0.uppercased() }.assign(to: &$title)
  }
}

//// harmless: captures the label only
import WebKit

final class BrowserController: NSObject {
  private let webView = WKWebView()
  private let progress = UIProgressView()
  private var observation: NSKeyValueObservation?

  func start() {
    observation = webView.observe(\.estimatedProgress, options: [.new]) { [progress] webView, _ in
      progress.progress = Float(webView.estimatedProgress)
    }
  }
}

//// harmless: subscription of a value type
import Combine
import SwiftUI

struct ClockView: View {
  @State private var now = Date()
  private let ticks = Timer.publish(every: 1, on: .main, in: .common).autoconnect()

  var body: some View {
    Text(now, style: .time)
      .onReceive(ticks) { self.now = $0 }
  }
}

//// harmless: service is captured by value in map
import Combine

final class SearchViewModel {
  @Published var query = ""
  private(set) var results: [Result] = []
  private var bag = Set<AnyCancellable>()

  init(service: SearchService) {
    $query
      .map { [service] in service.results(for: $0) }
      .switchToLatest()
      .sink { [weak self] in self?.results = $0 }
      .store(in: &bag)
  }
}

//// harmless: notification block is weak and removed
import UIKit

final class KeyboardScreen: UIViewController {
  private var token: NSObjectProtocol?

  override func viewDidLoad() {
    super.viewDidLoad()
    token = NotificationCenter.default.addObserver(forName: UIResponder.keyboardWillShowNotification, object: nil, queue: .main) { [weak self] note in
      self?.adjust(for: note)
    }
  }

  private func adjust(for note: Notification) {}

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }
}
