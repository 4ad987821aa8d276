//// hazard: waits until the animation should be over
import UIKit

final class OnboardingController: UIViewController {
  func finish() {
    UIView.animate(withDuration: 0.3) { self.view.alpha = 0 }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.35) {  // ← here
      self.dismiss(animated: false)
    }
  }
}

//// hazard: delay hopes that the database is open
import Foundation

final class AppStarter {
  let database: Database
  init(database: Database) { self.database = database }

  func launch() {
    database.open()
    DispatchQueue.global().asyncAfter(deadline: .now() + 2) { [database] in  // ← here
      database.runMigrations()
    }
  }
}

//// hazard: second alert waits half a second
import UIKit

extension UIViewController {
  func presentAfterDismissal(_ next: UIViewController) {
    dismiss(animated: true)
    DispatchQueue.main.asyncAfter(deadline: DispatchTime.now() + .milliseconds(500)) { [weak self] in  // ← here
      self?.present(next, animated: true)
    }
  }
}

//// hazard: reload after a guess of the server's time
import Foundation

final class UploadViewModel {
  private let service: UploadService
  var reload: (() -> Void)?
  init(service: UploadService) { self.service = service }

  func upload(_ file: Data) {
    service.start(file)
    DispatchQueue.main.asyncAfter(deadline: .now() + 3.0) { [weak self] in  // ← here
      self?.reload?()
    }
  }
}

//// hazard: next run loop turn is guessed by a tiny delay
import UIKit

final class ChatViewController: UITableViewController {
  var messages: [String] = []

  func append(_ message: String) {
    messages.append(message)
    tableView.reloadData()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) { [weak self] in  // ← here
      guard let self else { return }
      self.tableView.scrollToRow(at: IndexPath(row: self.messages.count - 1, section: 0), at: .bottom, animated: true)
    }
  }
}

//// hazard: view model sleeps before it reads the keychain
import Foundation

final class SignInPresenter {
  private let keychain: Keychain
  private let queue = DispatchQueue(label: "sign-in")
  weak var view: SignInView?
  init(keychain: Keychain) { self.keychain = keychain }

  func signedIn(token: String) {
    keychain.save(token)
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in  // ← here
      guard let self, let stored = self.keychain.token else { return }
      DispatchQueue.main.async { self.view?.show(stored) }
    }
  }
}

//// harmless: work item that a new call cancels
import Foundation

final class SearchDebouncer {
  private var pending: DispatchWorkItem?

  func schedule(_ work: @escaping () -> Void) {
    pending?.cancel()
    let item = DispatchWorkItem(block: work)
    pending = item
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3, execute: item)
  }

  deinit { pending?.cancel() }
}

//// harmless: completion of the animation
import UIKit

final class OnboardingController: UIViewController {
  func finish() {
    UIView.animate(withDuration: 0.3, animations: { self.view.alpha = 0 }) { _ in
      self.dismiss(animated: false)
    }
  }
}

//// harmless: a scheduler that waits for its caller
import Foundation

protocol Scheduler {
  func schedule(after seconds: Double, _ work: @escaping () -> Void)
}

struct QueueScheduler: Scheduler {
  let queue: DispatchQueue

  func schedule(after seconds: Double, _ work: @escaping () -> Void) {
    queue.asyncAfter(deadline: .now() + seconds, execute: work)
  }
}

//// harmless: retry delay grows with each attempt
import Foundation

final class Reconnector {
  private var attempt = 0
  private var retry: DispatchWorkItem?
  private let connect: () -> Void
  init(connect: @escaping () -> Void) { self.connect = connect }

  func connectionLost() {
    attempt += 1
    retry?.cancel()
    let item = DispatchWorkItem { [connect] in connect() }
    retry = item
    DispatchQueue.main.asyncAfter(deadline: .now() + pow(2, Double(attempt)), execute: item)
  }

  func stop() { retry?.cancel() }
}

//// harmless: a toast hides itself if it is still the same
import UIKit

final class ToastPresenter {
  private var current = 0
  private weak var label: UILabel?
  init(label: UILabel) { self.label = label }

  func show(_ text: String) {
    current += 1
    let shown = current
    label?.text = text
    DispatchQueue.main.asyncAfter(deadline: .now() + 2) { [weak self] in
      guard let self, self.current == shown else { return }
      self.label?.text = nil
    }
  }
}
