//// hazard: repeating timer is not kept
import Foundation

final class PriceFeed {
  private let api: PriceAPI
  init(api: PriceAPI) { self.api = api }

  func start() {
    Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { [weak self] _ in  // ← here
      self?.refresh()
    }
  }

  private func refresh() { api.refresh() }
}

//// hazard: stored timer is never invalidated
import UIKit

final class BannerViewController: UIViewController {
  private var timer: Timer?
  private let pages = UIPageControl()

  override func viewDidLoad() {
    super.viewDidLoad()
    timer = Timer.scheduledTimer(withTimeInterval: 4, repeats: true) { [weak self] _ in  // ← here
      self?.pages.currentPage += 1
    }
  }
}

//// hazard: display link goes on after the view has left
import UIKit

final class WaveView: UIView {
  private var link: CADisplayLink?
  private lazy var proxy = LinkProxy(view: self)

  override func didMoveToWindow() {
    super.didMoveToWindow()
    link = CADisplayLink(target: proxy, selector: #selector(LinkProxy.tick))  // ← here
    link?.add(to: .main, forMode: .default)
  }
}

//// hazard: timer of a run loop is forgotten
import Foundation

final class CacheSweeper {
  private let cache: Cache
  init(cache: Cache) { self.cache = cache }

  func run() {
    let sweep = Timer(timeInterval: 60, repeats: true) { [weak cache] _ in  // ← here
      cache?.sweep()
    }
    RunLoop.main.add(sweep, forMode: .common)
  }
}

//// hazard: each appearance starts another timer
import UIKit

final class QuizViewController: UIViewController {
  private var timer: Timer?
  private var seconds = 0

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    timer = .scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in self?.seconds += 1 }  // ← here
  }

  deinit { timer?.invalidate() }
}

//// hazard: setting nil does not stop the timer
import Foundation

final class AutoRefresh {
  private var timer: Timer?
  var action: () -> Void = {}

  func start() {
    timer = Timer.scheduledTimer(withTimeInterval: 30, repeats: true) { [weak self] _ in self?.action() }  // ← here
  }

  func stop() {
    timer = nil
  }
}

//// harmless: invalidated in deinit and before a restart
import Foundation

final class PriceFeed {
  private var timer: Timer?
  private let api: PriceAPI
  init(api: PriceAPI) { self.api = api }

  func start() {
    timer?.invalidate()
    timer = Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { [weak self] _ in self?.api.refresh() }
  }

  deinit { timer?.invalidate() }
}

//// harmless: the block ends its own timer
import Foundation

final class Typewriter {
  private var shown = ""

  func type(_ text: String) {
    var rest = Substring(text)
    Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { [weak self] timer in
      guard let self, let letter = rest.popFirst() else { return timer.invalidate() }
      self.shown.append(letter)
    }
  }
}

//// harmless: one shot
import UIKit

final class SplashController: UIViewController {
  override func viewDidLoad() {
    super.viewDidLoad()
    Timer.scheduledTimer(withTimeInterval: 1.5, repeats: false) { [weak self] _ in
      self?.performSegue(withIdentifier: "home", sender: nil)
    }
  }
}

//// harmless: a cancellable publisher of ticks
import Combine
import Foundation

final class Pulse {
  private var ticks: AnyCancellable?
  private(set) var count = 0

  func start() {
    ticks = Timer.publish(every: 1, on: .main, in: .common)
      .autoconnect()
      .sink { [weak self] _ in self?.count += 1 }
  }
}

//// harmless: display link stops when the view leaves its window
import UIKit

final class WaveView: UIView {
  private var link: CADisplayLink?
  private lazy var proxy = LinkProxy(view: self)

  override func didMoveToWindow() {
    super.didMoveToWindow()
    link?.invalidate()
    guard window != nil else { return }
    link = CADisplayLink(target: proxy, selector: #selector(LinkProxy.tick))
    link?.add(to: .main, forMode: .default)
  }
}
