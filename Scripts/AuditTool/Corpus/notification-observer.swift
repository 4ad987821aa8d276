//// hazard: block token is thrown away
import UIKit

final class OrientationLogger {
  func start() {
    NotificationCenter.default.addObserver(forName: UIDevice.orientationDidChangeNotification, object: nil, queue: .main) { _ in  // ← here
      print(UIDevice.current.orientation)
    }
  }
}

//// hazard: token is stored and never removed
import UIKit

final class BackgroundSaver {
  private var observer: NSObjectProtocol?
  private let document: Document
  init(document: Document) { self.document = document }

  func activate() {
    observer = NotificationCenter.default.addObserver(  // ← here
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
    ) { [weak document] _ in
      document?.save()
    }
  }
}

//// hazard: key path observer with the old method
import AVFoundation

class PlayerObserver: NSObject {
  let item: AVPlayerItem

  init(item: AVPlayerItem) {
    self.item = item
    super.init()
    item.addObserver(self, forKeyPath: "status", options: [.new], context: nil)  // ← here
  }

  override func observeValue(forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?) {
    print(item.status)
  }
}

//// hazard: registration in viewWillAppear without its counterpart
import UIKit

final class ChatViewController: UIViewController {
  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    NotificationCenter.default.addObserver(self, selector: #selector(keyboardChanged), name: UIResponder.keyboardWillChangeFrameNotification, object: nil)  // ← here
  }

  @objc private func keyboardChanged(_ note: Notification) {}
}

//// hazard: list of tokens that grows
import Foundation

final class SyncStatus {
  private var tokens: [NSObjectProtocol] = []
  private(set) var isSyncing = false

  func observe(_ center: NotificationCenter) {
    tokens.append(center.addObserver(forName: .syncBegan, object: nil, queue: .main) { [weak self] _ in self?.isSyncing = true })  // ← here
  }
}

//// hazard: periodic time observer of a player
import AVKit

final class ScrubberModel {
  private let player: AVPlayer
  private var timeObserver: Any?
  var onTime: ((Double) -> Void)?
  init(player: AVPlayer) { self.player = player }

  func begin() {
    timeObserver = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 2), queue: .main) { [weak self] time in  // ← here
      self?.onTime?(time.seconds)
    }
  }
}

//// harmless: token is removed in deinit
import UIKit

final class BackgroundSaver {
  private var observer: NSObjectProtocol?
  private let document: Document
  init(document: Document) { self.document = document }

  func activate() {
    observer = NotificationCenter.default.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
    ) { [weak document] _ in
      document?.save()
    }
  }

  deinit {
    observer.map { NotificationCenter.default.removeObserver($0) }
  }
}

//// harmless: appear and disappear are a pair
import UIKit

final class ChatViewController: UIViewController {
  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    NotificationCenter.default.addObserver(self, selector: #selector(keyboardChanged), name: UIResponder.keyboardWillChangeFrameNotification, object: nil)
  }

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    NotificationCenter.default.removeObserver(self)
  }

  @objc private func keyboardChanged(_ note: Notification) {}
}

//// harmless: selector observer in viewDidLoad is released by the system
import UIKit

final class FontSizeController: UIViewController {
  override func viewDidLoad() {
    super.viewDidLoad()
    NotificationCenter.default.addObserver(self, selector: #selector(fontChanged), name: UIContentSizeCategory.didChangeNotification, object: nil)
  }

  @objc private func fontChanged() { view.setNeedsLayout() }
}

//// harmless: observation token ends with its object
import AVFoundation

final class PlayerObserver {
  private var observation: NSKeyValueObservation?
  private(set) var isReady = false

  func follow(_ item: AVPlayerItem) {
    observation = item.observe(\.status) { [weak self] item, _ in
      let ready = item.status == .readyToPlay
      DispatchQueue.main.async { self?.isReady = ready }
    }
  }
}

//// harmless: all tokens of the list are removed
import Foundation

final class SyncStatus {
  private var tokens: [NSObjectProtocol] = []
  private(set) var isSyncing = false

  func observe() {
    tokens.append(NotificationCenter.default.addObserver(forName: .syncBegan, object: nil, queue: .main) { [weak self] _ in
      self?.isSyncing = true
    })
  }

  func stop() {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
    tokens.removeAll()
  }
}

//// harmless: own observer type with the same method name
import Foundation

protocol CartObserver: AnyObject { func cartChanged() }

final class CartHub {
  private let observers = NSHashTable<AnyObject>.weakObjects()

  func addObserver(_ observer: CartObserver) { observers.add(observer) }

  func changed() {
    for case let observer as CartObserver in observers.allObjects { observer.cartChanged() }
  }
}

//// harmless: a static value observes as long as the app lives
import UIKit

struct Keyboard {
  static let latest: Store<Notification?> = {
    let latest = Store<Notification?>(nil)
    _ = NotificationCenter.default.addObserver(
      forName: UIResponder.keyboardWillShowNotification, object: nil, queue: .main
    ) { latest.value = $0 }
    return latest
  }()
}

//// harmless: a controller leaves one block that holds it weakly
import UIKit

final class ReaderViewController: UIViewController {
  override func viewDidLoad() {
    super.viewDidLoad()
    NotificationCenter.default.addObserver(forName: .fontChanged, object: nil, queue: .main) { [weak self] _ in
      self?.view.setNeedsLayout()
    }
  }
}

//// hazard: each cell leaves a block
import UIKit

final class PriceCell: UITableViewCell {
  override init(style: CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    NotificationCenter.default.addObserver(forName: .priceChanged, object: nil, queue: .main) { [weak self] _ in  // ← here
      self?.render()
    }
  }
}

//// hazard: each start leaves a block
import Foundation

final class Downloads {
  private var count = 0

  func resume() {
    NotificationCenter.default.addObserver(forName: .downloadEnded, object: nil, queue: .main) { [weak self] _ in  // ← here
      self?.count += 1
    }
  }
}
