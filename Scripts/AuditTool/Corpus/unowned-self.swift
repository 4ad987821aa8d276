//// hazard: response may come after the screen
import UIKit

final class InvoiceViewController: UIViewController {
  private let api: InvoiceAPI
  private let label = UILabel()
  init(api: InvoiceAPI) { self.api = api; super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }

  func load() {
    api.total { [unowned self] total in  // ← here
      DispatchQueue.main.async { self.label.text = total }
    }
  }
}

//// hazard: delayed block with unowned
import Foundation

final class HintPresenter {
  var show: (String) -> Void = { _ in }
  private let queue = DispatchQueue(label: "hints")

  func hint(_ text: String) {
    queue.async { [unowned self] in  // ← here
      let translated = text.capitalized
      DispatchQueue.main.async { [weak self] in self?.show(translated) }
    }
  }
}

//// hazard: notification block with unowned self
import UIKit

final class BadgeModel {
  private(set) var count = 0
  private var token: NSObjectProtocol?

  init() {
    token = NotificationCenter.default.addObserver(forName: .badge, object: nil, queue: .main) { [unowned self] _ in  // ← here
      self.count += 1
    }
  }

  deinit { token.map(NotificationCenter.default.removeObserver) }
}

//// hazard: task with an unowned model
import Foundation

@MainActor
final class RefreshModel {
  private(set) var rows: [String] = []
  private var refreshing: Task<Void, Never>?
  private let service: RowService
  init(service: RowService) { self.service = service }

  func refresh() {
    refreshing?.cancel()
    refreshing = Task { [unowned self, service] in  // ← here
      let rows = await service.rows()
      guard !Task.isCancelled else { return }
      self.rows = rows
    }
  }

  deinit { refreshing?.cancel() }
}

//// hazard: unowned unsafe in a socket handler
import Foundation

final class SocketDelegate {
  private let socket: Socket
  private var frames = 0
  init(socket: Socket) { self.socket = socket }

  func open() {
    socket.onFrame = { [unowned(unsafe) self] _ in  // ← here
      self.frames += 1
    }
  }
}

//// harmless: weak in an escaping closure
import UIKit

final class InvoiceViewController: UIViewController {
  private let api: InvoiceAPI
  private let label = UILabel()
  init(api: InvoiceAPI) { self.api = api; super.init(nibName: nil, bundle: nil) }
  required init?(coder: NSCoder) { nil }

  func load() {
    api.total { [weak self] total in
      DispatchQueue.main.async { self?.label.text = total }
    }
  }
}

//// harmless: unowned in a closure that the owner alone holds
import Foundation

final class Element {
  let name: String
  lazy var describe: () -> String = { [unowned self] in "<\(self.name)>" }
  init(name: String) { self.name = name }
}

//// harmless: unowned property of a child
import Foundation

final class Customer {
  var card: CreditCard?
}

final class CreditCard {
  unowned let customer: Customer
  init(customer: Customer) { self.customer = customer }
}

//// harmless: non-escaping closure
import Foundation

final class Totals {
  private var rate = 1.08

  func gross(_ net: [Double]) -> [Double] {
    net.map { [unowned self] in $0 * self.rate }
  }
}

//// harmless: capture list with a service
import Foundation

final class Logger {
  private let sink: Sink
  init(sink: Sink) { self.sink = sink }

  func later(_ text: String) {
    DispatchQueue.global().async { [sink] in sink.write(text) }
  }
}

//// harmless: the lock of a property runs the closure in place
import Foundation

protocol ReadWriteLock: AnyObject {
  func withReadLock<Result>(_ body: () -> Result) -> Result
}

final class LockProtected<Item> {
  private let lock: ReadWriteLock
  private var item: Item
  init(item: Item, lock: ReadWriteLock) {
    self.item = item
    self.lock = lock
  }

  func read<Result>(_ block: (Item) -> Result) -> Result {
    lock.withReadLock { [unowned self] in block(self.item) }
  }
}

//// harmless: the suspended method waits for the closure
import CoreData

final class LibraryStore {
  private let context: NSManagedObjectContext
  init(context: NSManagedObjectContext) { self.context = context }

  func count() async -> Int { await context.perform { [unowned self] in fetchCount() } }
  func item(_ id: String) async -> Item? {
    await withCheckedContinuation { continuation in
      context.perform { [unowned self] in
        guard let item = find(id) else {
          continuation.resume(returning: nil)
          return
        }
        continuation.resume(returning: item)
      }
    }
  }
  func prepareAll(_ ids: [String]) async {
    await withTaskGroup(of: Void.self) { group in
      for id in ids { group.addTask { [unowned self] in await prepare(id) } }
    }
  }
}

//// hazard: the continuation does not wait for the closure
import CoreData

final class DraftStore {
  private let context: NSManagedObjectContext
  init(context: NSManagedObjectContext) { self.context = context }

  func save(_ draft: Draft) async {
    await withCheckedContinuation { continuation in
      context.perform { [unowned self] in write(draft) }  // ← here
      continuation.resume()
    }
  }
}

//// hazard: an awaited registration returns before its handler runs
final class PriceScreen {
  func show() async {
    await feed.subscribe(to: "price") { [unowned self] price in label.text = price }  // ← here
  }
}

//// harmless: the animations of a view run in place
import UIKit

extension UIView {
  func settle() {
    UIView.animate(withDuration: 0.3, delay: 0) { [unowned self] in layoutIfNeeded() }
  }
}

//// harmless: a renderer draws before its call returns
import UIKit

extension UIView {
  func snapshot() -> UIImage {
    let renderer = UIGraphicsImageRenderer(bounds: bounds)
    return renderer.image { [unowned self] context in layer.render(in: context.cgContext) }
  }
}

//// hazard: a loader gives its image later
import UIKit

extension UIImageView {
  func show(_ url: URL, from loader: ImageLoader) {
    loader.image(at: url) { [unowned self] image in self.image = image }  // ← here
  }
}
