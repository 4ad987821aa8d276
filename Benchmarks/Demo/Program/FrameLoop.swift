import Dispatch
import Synchronization

/// Where frames are shown: the terminal, or a script.
@MainActor
protocol FrameSink: AnyObject {
  /// Shows a frame, and calls `completion` once, on any thread, with the time at which it was
  /// shown. Does not block.
  func show(_ frame: ScreenGrid, completion: @escaping @Sendable (ContinuousClock.Instant) -> Void)
}

/// Shows a frame of the demo on each tick of the frame clock after which something has changed.
///
/// The clock ticks on its own queue, so that a busy main actor makes a frame late instead of
/// delaying the tick. Call ``stop()`` to end the loop.
@MainActor
final class FrameLoop {
  private let app: DemoApp
  private let sink: any FrameSink
  private let timer: any DispatchSourceTimer
  /// The first tick whose frame is not shown yet, because the frame before it is still being shown.
  private var waitingTick: ContinuousClock.Instant?
  private var isShowing = false
  private var isStopped = false

  init(_ app: DemoApp, sink: any FrameSink) {
    self.app = app
    self.sink = sink
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "FrameLoop", qos: .userInteractive))
    timer.schedule(
      deadline: .now(), repeating: .nanoseconds(Int(FrameStatistics.interval / .nanoseconds(1))),
      leeway: .nanoseconds(0))
    let ticks = FrameTicks { [weak self] tick in self?.draw(at: tick) }
    timer.setEventHandler { @Sendable in ticks.fire() }
    timer.resume()
  }

  /// Ends the loop. No frame is drawn after this call.
  func stop() {
    timer.cancel()
    isStopped = true
  }

  private func draw(at tick: ContinuousClock.Instant) {
    guard !isStopped, app.needsFrame else { return }
    let tick = waitingTick ?? tick
    guard !isShowing else {
      waitingTick = tick
      return
    }
    (waitingTick, isShowing) = (nil, true)
    sink.show(app.frame()) { [weak self] end in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.end(tick: tick, end: end) }
      }
    }
  }

  private func end(tick: ContinuousClock.Instant, end: ContinuousClock.Instant) {
    isShowing = false
    app.statistics.record(tick: tick, end: end)
  }
}

/// Passes the ticks of a timer to the main actor. While the main actor has not begun to handle a
/// tick, later ticks are dropped.
private final class FrameTicks: Sendable {
  private let isWaiting = Atomic(false)
  private let body: @MainActor (ContinuousClock.Instant) -> Void

  init(_ body: @escaping @MainActor (ContinuousClock.Instant) -> Void) { self.body = body }

  func fire() {
    guard !isWaiting.exchange(true, ordering: .relaxed) else { return }
    let tick = ContinuousClock.now
    DispatchQueue.main.async {
      self.isWaiting.store(false, ordering: .relaxed)
      MainActor.assumeIsolated { self.body(tick) }
    }
  }
}
