//// hazard: controller stores a closure in its own view model
import UIKit

final class ProfileViewController: UIViewController {
  private let viewModel = ProfileViewModel()
  private let nameLabel = UILabel()

  override func viewDidLoad() {
    super.viewDidLoad()
    viewModel.onUpdate = { profile in
      self.nameLabel.text = profile.name  // ← here
    }
  }
}

//// hazard: own callback property captures self
import Foundation

class DownloadManager {
  var onFinish: ((URL) -> Void)?
  private var finished: [URL] = []

  func prepare() {
    onFinish = { url in
      self.finished.append(url)  // ← here
    }
  }
}

//// hazard: a method reference is a strong capture
import UIKit

final class CartScreen: UIViewController {
  let presenter: CartPresenter
  init(presenter: CartPresenter) {
    self.presenter = presenter
    super.init(nibName: nil, bundle: nil)
    presenter.didChange = render  // ← here
  }
  required init?(coder: NSCoder) { nil }

  private func render(_ cart: Cart) { title = "\(cart.count)" }
}

//// hazard: lazy closure uses self
import Foundation

final class HTMLElement {
  let name: String
  let text: String?

  lazy var asHTML: () -> String = {
    "<\(self.name)>\(self.text ?? "")</\(self.name)>"  // ← here
  }

  init(name: String, text: String? = nil) {
    self.name = name
    self.text = text
  }
}

//// hazard: inner weak capture under a strong outer closure
import UIKit

final class SettingsController: UIViewController {
  private let store = SettingsStore()

  func bind() {
    store.changeHandler = { settings in
      DispatchQueue.main.async { [weak self] in  // ← here
        self?.apply(settings)
      }
    }
  }

  private func apply(_ settings: Settings) { view.tintColor = settings.tint }
}

//// hazard: appended to the own list of handlers
import Foundation

final class EventHub {
  private var handlers: [(String) -> Void] = []
  private var log: [String] = []

  func enableLogging() {
    handlers.append { event in
      self.log.append(event)  // ← here
    }
  }
}

//// hazard: coordinator stores its child whose closure keeps it
import UIKit

final class LoginCoordinator {
  private let navigation: UINavigationController
  private var registration: RegistrationFlow?
  init(navigation: UINavigationController) { self.navigation = navigation }

  func showRegistration() {
    let flow = RegistrationFlow(navigation: navigation)
    flow.onDone = { account in
      self.registration = nil
      self.navigation.popToRootViewController(animated: true)  // ← here
    }
    registration = flow
    flow.start()
  }
}

//// hazard: implicit self through a guard in the closure list
import Foundation

@MainActor
final class SocketClient {
  private let transport: Transport
  private var received = 0
  init(transport: Transport) { self.transport = transport }

  func connect() {
    transport.setMessageHandler { [self] message in
      received += message.count  // ← here
    }
    transport.open()
  }
}

//// hazard: cell keeps itself through its button closure
import UIKit

final class StepperCell: UITableViewCell {
  private let button = ClosureButton()
  private var count = 0

  override func awakeFromNib() {
    super.awakeFromNib()
    button.tapHandler = {
      self.count += 1
      self.textLabel?.text = "\(self.count)"  // ← here
    }
  }
}

//// hazard: dictionary of actions on self
import Foundation

final class MenuController {
  private var actions: [String: () -> Void] = [:]
  private(set) var zoom = 1.0

  init() {
    actions["zoom-in"] = { self.zoom *= 2 }  // ← here
  }

  func run(_ name: String) { actions[name]?() }
}

//// harmless: weak capture in a stored closure
import UIKit

final class ProfileViewController: UIViewController {
  private let viewModel = ProfileViewModel()
  private let nameLabel = UILabel()

  override func viewDidLoad() {
    super.viewDidLoad()
    viewModel.onUpdate = { [weak self] profile in
      self?.nameLabel.text = profile.name
    }
  }
}

//// harmless: the closure captures a part and not self
import UIKit

final class CartScreen: UIViewController {
  private let presenter = CartPresenter()
  private let badge = UILabel()

  override func viewDidLoad() {
    super.viewDidLoad()
    presenter.didChange = { [badge] cart in
      badge.text = "\(cart.count)"
    }
  }
}

//// harmless: lazy property with a closure that is called at once
import UIKit

final class GalleryViewController: UIViewController {
  private lazy var collectionView: UICollectionView = {
    let view = UICollectionView(frame: self.view.bounds, collectionViewLayout: UICollectionViewFlowLayout())
    view.delegate = self.handler
    return view
  }()
  private let handler = GalleryHandler()
}

//// harmless: sorted and forEach do not store
import Foundation

final class Ranking {
  private var weights: [String: Int] = [:]
  private var players: [String] = []

  func sorted() -> [String] {
    players.sorted { self.weights[$0, default: 0] > self.weights[$1, default: 0] }
  }

  func bump() {
    players.forEach { self.weights[$0, default: 0] += 1 }
  }
}

//// harmless: a struct has no cycle
import Foundation

struct FormValidator {
  var minimum = 8
  var rules: [(String) -> Bool] = []

  func check(_ text: String) -> Bool {
    let isLong: (String) -> Bool = { $0.count >= self.minimum }
    return isLong(text) && rules.allSatisfy { $0(text) }
  }
}

//// harmless: animation block ends by itself
import UIKit

final class CardView: UIView {
  func flip(then done: @escaping () -> Void) {
    UIView.animate(withDuration: 0.2, animations: {
      self.alpha = 0
    }, completion: { _ in
      self.alpha = 1
      done()
    })
  }
}

//// harmless: completion of one request is released after it
import Foundation

final class AccountService {
  private let client: HTTPClient
  private var account: Account?
  init(client: HTTPClient) { self.client = client }

  func reload(completion: @escaping (Account) -> Void) {
    client.get("/account") { account in
      DispatchQueue.main.async {
        self.account = account
        completion(account)
      }
    }
  }
}

//// harmless: the coordinator is captured weakly by its child
import UIKit

final class LoginCoordinator {
  private let navigation: UINavigationController
  private var registration: RegistrationFlow?
  init(navigation: UINavigationController) { self.navigation = navigation }

  func showRegistration() {
    let flow = RegistrationFlow(navigation: navigation)
    flow.onDone = { [weak self, weak navigation] _ in
      self?.registration = nil
      navigation?.popToRootViewController(animated: true)
    }
    registration = flow
  }
}

//// harmless: outer closure is weak, inner one uses the unwrapped reference
import UIKit

final class SettingsController: UIViewController {
  private let store = SettingsStore()

  func bind() {
    store.changeHandler = { [weak self] settings in
      guard let self else { return }
      DispatchQueue.main.async { self.apply(settings) }
    }
  }

  private func apply(_ settings: Settings) { view.tintColor = settings.tint }
}

//// harmless: an alert that is presented gets the closures
import UIKit

final class Router {
  let navigation: UINavigationController
  init(navigation: UINavigationController) { self.navigation = navigation }

  func confirm(onClose: @escaping () -> Void) {
    let alert = AlertController(onClose: onClose)
    navigation.present(alert, animated: true)
  }

  func leave() {
    confirm(onClose: { self.navigation.popViewController(animated: true) })
  }
}

//// harmless: the initializer calls the closure, and does not keep it
import UIKit

final class Context {
  var screen: UIViewController?
  init(modifier: ((Context) -> Void)?) { modifier?(self) }
}

final class ListViewController: UIViewController {
  var context: Context?
  override func viewDidLoad() {
    super.viewDidLoad()
    context = Context(modifier: { context in context.screen = self })
  }
}

//// harmless: closures wait in a table and leave it
import Foundation

final class Changes {
  private var waiting: [Int: () -> Void] = [:]

  func begin(_ id: Int, isDue: Bool) {
    let send = { self.send(id) }
    if isDue { send() } else { waiting[id] = send }
  }

  func retry(_ id: Int) {
    waiting[id] = { self.send(id) }
  }

  func end(_ id: Int) { waiting.removeValue(forKey: id)?() }

  private func send(_ id: Int) {}
}

//// harmless: the second closure runs within the call
import Foundation

final class World {
  private var isMet: (() -> Bool)?
  private var ready: [Int] = []

  func block(_ isMet: @escaping () -> Bool, whenBlocked: (Int) -> Void) {
    self.isMet = isMet
    whenBlocked(1)
  }

  func wait() {
    block({ false }) { [self] wait in ready.append(wait) }
  }
}

//// hazard: lazy child with a delegate closure
import UIKit

final class FilterSheet: UIView { var didApply: ((Filter) -> Void)? }
final class ResultsController: UIViewController {
  private lazy var sheet: FilterSheet = {
    let sheet = FilterSheet(frame: .zero)
    sheet.translatesAutoresizingMaskIntoConstraints = false
    sheet.didApply = { filter in self.reload(filter) }  // ← here
    return sheet
  }()
  func reload(_ filter: Filter) {}
}

//// hazard: fluent request stored
final class Request {
  private var success: ((Data) -> Void)?
  func onSuccess(_ block: @escaping (Data) -> Void) -> Request { success = block; return self }
}
final class Loader {
  private var request: Request?
  private var data = Data()
  func load() {
    self.request = Request().onSuccess { data in self.data = data }  // ← here
  }
}
