//// hazard: semaphore waits for a task
import Foundation

func loadConfiguration(_ loader: ConfigurationLoader) -> Configuration? {
  let semaphore = DispatchSemaphore(value: 0)
  var result: Configuration?
  Task {
    result = try? await loader.load()
    semaphore.signal()
  }
  semaphore.wait()  // ← here
  return result
}

//// hazard: group wait in viewDidLoad
import UIKit

final class StartViewController: UIViewController {
  let preloader = Preloader()

  override func viewDidLoad() {
    super.viewDidLoad()
    let group = DispatchGroup()
    group.enter()
    preloader.loadFonts { group.leave() }
    group.wait()  // ← here
    view.setNeedsLayout()
  }
}

//// hazard: sleeping thread in async code
import Foundation

actor RetryingClient {
  private let transport: Transport
  init(transport: Transport) { self.transport = transport }

  func send(_ request: Request) async throws -> Response {
    for _ in 0..<3 {
      if let response = try? await transport.send(request) { return response }
      Thread.sleep(forTimeInterval: 1)  // ← here
    }
    throw TransportError.unreachable
  }
}

//// hazard: main-actor method waits for a callback
import Foundation

@MainActor
final class LoginModel {
  private let auth: AuthService
  private(set) var isSignedIn = false
  init(auth: AuthService) { self.auth = auth }

  func signIn() {
    let done = DispatchSemaphore(value: 0)
    auth.signIn { ok in
      done.signal()
    }
    _ = done.wait(timeout: .now() + 10)  // ← here
    isSignedIn = auth.hasSession
  }
}

//// hazard: usleep in a button action
import UIKit

class ToastController: UIViewController {
  @IBAction func saveTapped(_ sender: UIButton) {
    sender.isEnabled = false
    usleep(300_000)  // ← here
    sender.isEnabled = true
  }
}

//// hazard: condition wait inside a task
import Foundation

final class Mailbox: @unchecked Sendable {
  private let condition = NSCondition()
  private var letters: [String] = []

  func next() async -> String {
    await Task.detached {
      self.receive()
    }.value
  }

  private func receive() -> String { letters.removeFirst() }

  func waitUntilFilled() async {
    condition.lock()
    while letters.isEmpty { condition.wait() }  // ← here
    condition.unlock()
  }
}

//// hazard: operation queue is waited for on main
import UIKit

final class LibraryViewController: UITableViewController {
  private let operations = OperationQueue()

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    operations.addOperation { Library.shared.rescan() }
    operations.waitUntilAllOperationsAreFinished()  // ← here
    tableView.reloadData()
  }
}

//// harmless: a tool may block its own thread
import Foundation

final class WorkerThread: Thread {
  private let condition = NSCondition()
  private var jobs: [() -> Void] = []

  override func main() {
    while !isCancelled {
      condition.lock()
      while jobs.isEmpty { condition.wait() }
      let job = jobs.removeFirst()
      condition.unlock()
      job()
    }
  }
}

//// harmless: task sleep suspends
import Foundation

actor RetryingClient {
  private let transport: Transport
  init(transport: Transport) { self.transport = transport }

  func send(_ request: Request) async throws -> Response {
    for attempt in 1...3 {
      if let response = try? await transport.send(request) { return response }
      try await Task.sleep(for: .seconds(attempt))
    }
    throw TransportError.unreachable
  }
}

//// harmless: group notifies
import UIKit

final class StartViewController: UIViewController {
  let preloader = Preloader()

  override func viewDidLoad() {
    super.viewDidLoad()
    let group = DispatchGroup()
    group.enter()
    preloader.loadFonts { group.leave() }
    group.notify(queue: .main) { [weak self] in self?.view.setNeedsLayout() }
  }
}

//// harmless: own async wait method of a semaphore type
import Foundation

func download(_ urls: [URL], limit: AsyncSemaphore) async throws -> [Data] {
  var all: [Data] = []
  for url in urls {
    await limit.wait()
    let (data, _) = try await URLSession.shared.data(from: url)
    limit.signal()
    all.append(data)
  }
  return all
}

//// harmless: background worker limits its requests
import Foundation

final class Crawler {
  private let slots = DispatchSemaphore(value: 4)
  private let queue = DispatchQueue(label: "crawler")

  func crawl(_ pages: [Page]) {
    queue.async { [slots] in
      for page in pages {
        slots.wait()
        page.fetch { slots.signal() }
      }
    }
  }
}

//// harmless: dispatch wait of a work group is replaced by await
import Foundation

@MainActor
final class LoginModel {
  private let auth: AuthService
  private(set) var isSignedIn = false
  init(auth: AuthService) { self.auth = auth }

  func signIn() async {
    let ok = await withTaskGroup(of: Bool.self) { group in
      group.addTask { [auth] in await auth.signIn() }
      return await group.next() ?? false
    }
    isSignedIn = ok
  }
}
