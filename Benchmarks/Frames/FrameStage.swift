import AsyncViewModelsGCD
import AsyncViewModelsUI
import Dispatch

/// A view model, and the way in which a screen observes it.
struct FrameStage: Sendable {
  /// A screen that observes its view model. The tokens end the feed and the observation.
  struct Running {
    /// Passes a tap on the screen's button to the view model.
    let tap: @MainActor (Int) -> Void
    let tokens: [CancellationToken]
  }

  let name: String
  /// Lets the screen observe a view model that follows the feed.
  let start: @MainActor @Sendable (_ screen: FrameScreen, _ feed: PriceFeed) -> Running

  /// All stages, the lower bounds first.
  static let all = [
    noObserver, floor, closure, stream, async, observed, paced, pacedObserved, onMain, pacedOnMain,
  ]

  /// The loop and the feed without a screen.
  static let noObserver = FrameStage(name: "no observer") { _, feed in
    let model = PriceStreamViewModel()
    return Running(tap: model.tap, tokens: [model.follow(feed)])
  }

  /// The least that a screen costs that renders once in each frame: a timer, and a block on the main queue.
  static let floor = FrameStage(name: "one block on main in each frame") { screen, feed in
    let model = PriceStreamViewModel()
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "frames"))
    timer.schedule(
      deadline: .now(), repeating: .nanoseconds(1_000_000_000 / screen.framesPerSecond),
      leeway: .nanoseconds(0))
    timer.setEventHandler { @Sendable in
      DispatchQueue.main.async { MainActor.assumeIsolated { screen.render(model.state) } }
    }
    timer.resume()
    // `cancel` can be called on any thread.
    nonisolated(unsafe) let cancellable = timer
    return Running(
      tap: model.tap, tokens: [model.follow(feed), CancellationToken { unsafe cancellable.cancel() }])
  }

  static let closure = FrameStage(name: "closure stage, callback on main") { screen, feed in
    let model = PriceClosureViewModel()
    let binding = model.bind { state in MainActor.assumeIsolated { screen.render(state) } }
    return Running(tap: model.tap, tokens: [model.follow(feed), binding])
  }

  static let stream = FrameStage(name: "stream stage, observe") { screen, feed in
    let model = PriceStreamViewModel()
    let binding = model.observe(on: screen) { $0.render($1) }
    return Running(tap: model.tap, tokens: [model.follow(feed), binding])
  }

  static let async = asynchronous("async stage, observe", onMain: false) { model, screen in
    model.observe(on: screen) { $0.render($1) }
  }

  static let observed = asynchronous("async stage, StateMirror", onMain: false) { model, screen in
    bind(StateMirror(model), to: screen)
  }

  static let paced = asynchronous("async stage, frame-paced", onMain: false, binding: observePaced)

  static let pacedObserved = asynchronous("async stage, frame-paced StateMirror", onMain: false) {
    model, screen in bind(StateMirror(model, pacing: screen.makePacing()), to: screen)
  }

  static let onMain = asynchronous("async stage on main, observe", onMain: true) { model, screen in
    model.observe(on: screen) { $0.render($1) }
  }

  static let pacedOnMain = asynchronous(
    "async stage on main, frame-paced", onMain: true, binding: observePaced)

  /// An async stage, on its own isolation or on the main actor.
  private static func asynchronous(
    _ name: String, onMain isOnMain: Bool,
    binding: @escaping @MainActor @Sendable (PriceViewModel, FrameScreen) -> CancellationToken
  ) -> FrameStage {
    FrameStage(name: name) { screen, feed in
      let model = isOnMain ? PriceViewModel(isolation: MainActor.shared) : PriceViewModel()
      return Running(
        tap: { number in
          if isOnMain {
            model.assumeIsolated { $0.tap(number) }
          } else {
            Task { await model.tap(number) }
          }
        }, tokens: [model.follow(feed), binding(model, screen)])
    }
  }

  @MainActor
  private static func observePaced(_ model: PriceViewModel, by screen: FrameScreen) -> CancellationToken {
    model.observe(on: screen, pacing: screen.makePacing()) { $0.render($1) }
  }

  @MainActor
  private static func bind(_ observed: StateMirror<PriceState>, to screen: FrameScreen) -> CancellationToken {
    let token = observed.bind(on: screen) { $0.render($1) }
    // The token keeps the observed state.
    return CancellationToken {
      token.cancel()
      withExtendedLifetime(observed) {}
    }
  }
}
