import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch

/// The state of a view model that changes all the time: a number, and the last tap that the view model has handled.
struct FrameState: Sendable {
  var number = 0
  var tap = 0
}

/// A screen with a cheap render, which counts its renders and measures the time from a tap to the render that shows it.
@MainActor
final class FrameScreen {
  private(set) var renders = 0
  private(set) var latencies: [Duration] = []
  private var waiting: [(tap: Int, time: ContinuousClock.Instant)] = []
  private var lastTap = 0

  /// Renders a state. The render makes 200 additions.
  func render(_ state: FrameState) {
    renders += 1
    var sum = state.number
    for number in 0..<200 {
      sum &+= number
      blackHole(sum)
    }
    guard let first = waiting.first, first.tap <= state.tap else { return }
    let now = ContinuousClock.now
    latencies += waiting.prefix { $0.tap <= state.tap }.map { $0.time.duration(to: now) }
    waiting.removeAll { $0.tap <= state.tap }
  }

  /// Notes the time of a tap, and returns its number.
  func tap() -> Int {
    lastTap += 1
    waiting.append((lastTap, .now))
    return lastTap
  }

  /// Forgets the results so far.
  func reset() { (renders, latencies) = (0, []) }
}

/// A view model and the way in which a screen observes it.
struct FrameStage: Sendable {
  /// A running observation.
  struct Observation: Sendable {
    /// Changes the state, on any thread.
    let change: @Sendable (@Sendable (inout FrameState) -> Void) -> Void
    let token: CancellationToken
  }

  let name: String
  let observe: @MainActor @Sendable (FrameScreen) -> Observation

  private final class Model: StateSource {
    let store = ObservableState(FrameState())
  }

  /// The loop without an observer. Its cost is not that of a stage.
  static let baseline = FrameStage(name: "no observer") { _ in
    let model = Model()
    return Observation(change: { model.store.update($0) }, token: CancellationToken {})
  }

  static func all(perSecond rate: Int) -> [FrameStage] {
    [
      FrameStage(name: "floor: one block on main in each frame") { screen in
        let model = Model()
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "frames"))
        timer.schedule(
          deadline: .now(), repeating: .nanoseconds(1_000_000_000 / rate), leeway: .nanoseconds(0))
        timer.setEventHandler { @Sendable in
          DispatchQueue.main.async { MainActor.assumeIsolated { screen.render(model.state) } }
        }
        timer.resume()
        // `cancel` can be called on any thread.
        nonisolated(unsafe) let cancellable = timer
        return Observation(
          change: { model.store.update($0) }, token: CancellationToken { unsafe cancellable.cancel() })
      },
      FrameStage(name: "closure stage, callback on main") { screen in
        let state = CallbackState(FrameState())
        let token = state.bind(on: .main) { value in MainActor.assumeIsolated { screen.render(value) } }
        return Observation(change: { state.update($0) }, token: token)
      },
      FrameStage(name: "observe(on:) from main") { screen in
        let model = Model()
        let token = model.states().observe(on: screen) { $0.render($1) }
        return Observation(change: { model.store.update($0) }, token: token)
      },
      FrameStage(name: "ObservedState") { screen in
        let model = Model()
        return Observation(change: { model.store.update($0) }, token: bind(ObservedState(model), to: screen))
      },
      FrameStage(name: "frame-paced observe(on:)") { screen in
        let model = Model()
        let states = model.states(pacing: .frames(perSecond: rate))
        return Observation(
          change: { model.store.update($0) }, token: states.observe(on: screen) { $0.render($1) })
      },
      FrameStage(name: "frame-paced ObservedState") { screen in
        let model = Model()
        let observed = ObservedState(model, pacing: .frames(perSecond: rate))
        return Observation(change: { model.store.update($0) }, token: bind(observed, to: screen))
      },
    ]
  }

  @MainActor
  private static func bind(_ observed: ObservedState<FrameState>, to screen: FrameScreen) -> CancellationToken
  {
    let token = observed.bind(on: screen) { $0.render($1) }
    // The token keeps the observed state.
    return CancellationToken {
      token.cancel()
      withExtendedLifetime(observed) {}
    }
  }
}
