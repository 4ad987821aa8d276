//// hazard: repeating timer with a strong block
import UIKit

final class CountdownViewController: UIViewController {
  private var timer: Timer?
  private var remaining = 60

  override func viewDidLoad() {
    super.viewDidLoad()
    timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in
      self.remaining -= 1  // ← here
      self.title = "\(self.remaining)"
    }
  }

  deinit { timer?.invalidate() }
}

//// hazard: target is self and deinit would end it
import Foundation

final class PollingService: NSObject {
  private var timer: Timer?

  func start() {
    timer = Timer.scheduledTimer(timeInterval: 5, target: self, selector: #selector(poll), userInfo: nil, repeats: true)  // ← here
  }

  @objc private func poll() { print("poll") }

  deinit { timer?.invalidate() }
}

//// hazard: timer is added to a run loop by hand
import UIKit

class TickerView: UIView {
  var ticker: Timer!
  var offset: CGFloat = 0

  func startScrolling() {
    ticker = Timer(timeInterval: 0.05, repeats: true, block: { timer in
      self.offset += 1  // ← here
      self.setNeedsDisplay()
    })
    RunLoop.main.add(ticker, forMode: .common)
  }

  deinit { ticker.invalidate() }
}

//// hazard: display link retains its target
import UIKit

final class SpinnerView: UIView {
  private var displayLink: CADisplayLink?
  private var angle = 0.0

  override func layoutSubviews() {
    super.layoutSubviews()
    guard displayLink == nil else { return }
    displayLink = CADisplayLink(target: self, selector: #selector(step))  // ← here
    displayLink?.add(to: .main, forMode: .common)
  }

  @objc private func step() { angle += 0.1 }

  deinit { displayLink?.invalidate() }
}

//// hazard: implicit self in an extension
import Foundation

final class HeartbeatMonitor {
  fileprivate var timer: Timer?
  fileprivate var beats = 0
  deinit { timer?.invalidate() }
}

extension HeartbeatMonitor {
  func run() {
    timer = .scheduledTimer(withTimeInterval: 2, repeats: true) { [self] _ in
      beats += 1  // ← here
    }
  }
}

//// hazard: dispatch source timer with a strong handler
import Foundation

final class MetricsFlusher {
  private let source = DispatchSource.makeTimerSource(queue: .global())
  private var buffer: [Metric] = []

  func start() {
    source.schedule(deadline: .now(), repeating: 30)
    source.setEventHandler {
      self.flush()  // ← here
    }
    source.resume()
  }

  private func flush() { buffer.removeAll() }

  deinit { source.cancel() }
}

//// harmless: weak capture and invalidation in deinit
import UIKit

final class CountdownViewController: UIViewController {
  private var timer: Timer?
  private var remaining = 60

  override func viewDidLoad() {
    super.viewDidLoad()
    timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
      guard let self else { return }
      self.remaining -= 1
      self.title = "\(self.remaining)"
    }
  }

  deinit { timer?.invalidate() }
}

//// harmless: single shot timer releases its block
import UIKit

final class HintView: UIView {
  func hideSoon() {
    Timer.scheduledTimer(withTimeInterval: 3, repeats: false) { _ in
      self.isHidden = true
    }
  }
}

//// harmless: weak proxy is the target
import UIKit

final class WeakTarget: NSObject {
  weak var owner: SpinnerView?
  init(_ owner: SpinnerView) { self.owner = owner }
  @objc func step(_ link: CADisplayLink) {
    if let owner { owner.advance() } else { link.invalidate() }
  }
}

final class SpinnerView: UIView {
  private var displayLink: CADisplayLink?
  private var angle = 0.0

  func start() {
    displayLink = CADisplayLink(target: WeakTarget(self), selector: #selector(WeakTarget.step))
    displayLink?.add(to: .main, forMode: .common)
  }

  func advance() { angle += 0.1 }
  deinit { displayLink?.invalidate() }
}

//// harmless: screen invalidates when it disappears
import UIKit

final class StopwatchViewController: UIViewController {
  private var timer: Timer?
  private var ticks = 0

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    timer = Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    timer?.invalidate()
    timer = nil
  }

  @objc private func tick() { ticks += 1 }
}

//// harmless: source handler captures weakly
import Foundation

final class MetricsFlusher {
  private let source = DispatchSource.makeTimerSource(queue: .global())

  func start() {
    source.schedule(deadline: .now(), repeating: 30)
    source.setEventHandler { [weak self] in self?.flush() }
    source.resume()
  }

  private func flush() {}

  deinit { source.cancel() }
}

//// harmless: display link is invalidated as the window goes
import UIKit

final class WaveView: UIView {
  private var link: CADisplayLink?
  override func didMoveToWindow() {
    super.didMoveToWindow()
    link?.invalidate()
    link = nil
    guard window != nil else { return }
    link = CADisplayLink(target: self, selector: #selector(tick))
    link?.add(to: .main, forMode: .common)
  }
  @objc private func tick() { setNeedsDisplay() }
}

//// harmless: superview goes
import UIKit

final class Gauge: UIView {
  private var timer: Timer?
  override func didMoveToSuperview() {
    super.didMoveToSuperview()
    timer?.invalidate()
    guard superview != nil else { return }
    timer = Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(step), userInfo: nil, repeats: true)
  }
  @objc func step() {}
}
