import Synchronization

/// Fails a test of a view model for everything that the test did not mention.
///
/// A test starts intents, answers requests, advances the time, and names each new state and event.
/// The same test checks a class on GCD and the actor that replaces it.
///
/// ```swift
/// try await ViewModelProbe.check { probe in
///   let service = probe.watch(ScriptedCalls<Void, [String]>())
///   let model = probe.track(NewsViewModel { try await service(()) })
///   let states = try await probe.states(model.states(.unbounded))
///   probe.send { await model.load() }
///   try await states.expect { $0.isLoading = true }
///   try await service.next().succeed(["Swift 7"])
///   try await states.expect {
///     $0.isLoading = false
///     $0.headlines = ["Swift 7"]
///   }
/// }
/// ```
///
/// | left over at the end | fails if |
/// | --- | --- |
/// | a state or an event | it was delivered and not mentioned with `expect` or `next` |
/// | a request | the test did not take or did not answer it: ``watch(_:)`` its ``ScriptedCalls`` |
/// | a timer | a task sleeps, or a block is scheduled: `watch` the ``VirtualClock`` |
/// | a running intent | what ``send(fileID:line:_:)`` started has not returned |
/// | a failed intent | what `send` started threw an error other than `CancellationError` |
/// | an observer | it is still registered: `watch` the ``CountingNotificationCenter`` |
/// | a live object | ``track(_:_:)`` it, or `watch` the `LiveObjects` of a scope |
///
/// Create the view model in the closure: objects and observers are checked when the closure has
/// returned and the probe has stopped observing.
///
/// - Isolation: Runs on the caller's actor.
/// - Ordering: A check that passes does not depend on timing. States are compared one by one, so
///   pass a source that delivers every state, such as `states(.unbounded)`. For a source that keeps
///   only the newest state, pass `conflating: true`.
/// - Important: A value that is delivered long after the test ends can be missed. Work that should
///   end is given at least three seconds.
public final class ViewModelProbe {
  private let isExhaustive: Bool
  private let settle: (() async -> Void)?
  private let tracker = LeakTracker()
  private var watched: [any LeftoverReporting] = []
  private var intents: [ProbedIntent] = []
  private var unmentioned: [() -> [String]] = []
  private var stops: [() -> Void] = []
  private var tokens: [Any] = []

  private init(exhaustive: Bool, settling settle: (() async -> Void)?) {
    isExhaustive = exhaustive
    self.settle = settle
  }

  /// Runs `body`, then checks that it mentioned everything.
  ///
  /// - Parameters:
  ///   - exhaustive: Pass `false` to check only what `body` expects.
  ///   - settle: Returns when nothing can happen without the test. A check then waits no longer, so
  ///     it also fails at once. In a simulation, pass `{ await world.settle(movingTime: false) }`.
  ///   - body: The test.
  /// - Throws: ``ProbeError/leftovers(_:)``, or the error of `body`.
  public static func check<Result>(
    exhaustive: Bool = true, settling settle: (() async -> Void)? = nil,
    _ body: (ViewModelProbe) async throws -> Result
  ) async throws -> Result {
    let probe = ViewModelProbe(exhaustive: exhaustive, settling: settle)
    defer { probe.stop() }
    let result = try await body(probe)
    if exhaustive { try await probe.checkLeftovers() }
    return result
  }

  /// Observes the states of an asynchronous sequence, and waits for the first one.
  ///
  /// An `@Observable` class has a sequence of states: `Observations { model.state }`, which
  /// conflates.
  ///
  /// - Parameters:
  ///   - source: The states. The first one is the state before the first intent.
  ///   - conflating: Whether the source may skip states between two steps of the test.
  /// - Throws: ``ProbeError/missing(_:at:)`` if the sequence delivers no state.
  public func states<Source: AsyncSequence & Sendable>(
    _ source: Source, conflating: Bool = false
  ) async throws -> ProbedStream<Source.Element> where Source.Element: Equatable & Sendable {
    let states = stream(of: read(source), named: "state", startingWith: nil, conflating: conflating)
    try await states.next()
    return states
  }

  /// Observes the states that a view model passes to a closure.
  ///
  /// ```swift
  /// let states = try await probe.states(startingWith: nil) { model.bind($0) }
  /// let prices = try await probe.states(startingWith: model.price) {
  ///   model.$price.dropFirst().sink(receiveValue: $0)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The state before the first intent. Pass `nil` if `observe` delivers it.
  ///   - observe: Registers a closure, and returns a token that cancels when the probe releases it.
  public func states<Value: Equatable & Sendable, Token>(
    startingWith initial: Value?, observe: (@escaping @Sendable (Value) -> Void) -> Token
  ) async throws -> ProbedStream<Value> {
    let source = ProbedSource<Value>()
    tokens.append(observe { source.receive($0) })
    let states = stream(of: source, named: "state", startingWith: initial)
    if initial == nil { try await states.next() }
    return states
  }

  /// Observes the events of an asynchronous sequence.
  public func events<Source: AsyncSequence & Sendable>(
    _ source: Source
  ) -> ProbedStream<Source.Element> where Source.Element: Equatable & Sendable {
    stream(of: read(source), named: "event", startingWith: nil)
  }

  /// Observes the events that a view model passes to a closure or a delegate.
  public func events<Value: Equatable & Sendable, Token>(
    observe: (@escaping @Sendable (Value) -> Void) -> Token
  ) -> ProbedStream<Value> {
    let source = ProbedSource<Value>()
    tokens.append(observe { source.receive($0) })
    return stream(of: source, named: "event", startingWith: nil)
  }

  /// Fails the test if this part reports something left over at the end. Returns the part.
  @discardableResult
  public func watch<Part: LeftoverReporting>(_ part: Part) -> Part {
    watched.append(part)
    return part
  }

  /// Fails the test if this object is alive at the end. Returns the object.
  @discardableResult
  public func track<Object: AnyObject & Sendable>(_ object: Object, _ name: String? = nil) -> Object {
    tracker.track(object, name)
  }

  /// Starts an intent, which has to return before the end of the test.
  ///
  /// An intent that should fail checks its error in the closure, for example with
  /// `#expect(throws:)`. Call a synchronous intent without `send`.
  @discardableResult
  public func send(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ intent: @escaping @Sendable () async throws -> Void
  ) -> Task<Void, any Error> {
    let intent = ProbedIntent(place: "\(fileID):\(line)", intent)
    intents.append(intent)
    return intent.task
  }

  private func read<Source: AsyncSequence & Sendable>(
    _ sequence: Source
  ) -> ProbedSource<Source.Element> where Source.Element: Sendable {
    let source = ProbedSource<Source.Element>()
    let task = Task {
      defer { source.end() }
      for try await value in sequence { source.receive(value) }
    }
    stops.append { task.cancel() }
    return source
  }

  private func stream<Value: Equatable & Sendable>(
    of source: ProbedSource<Value>, named name: String, startingWith initial: Value?,
    conflating: Bool = false
  ) -> ProbedStream<Value> {
    let stream = ProbedStream(
      source, startingWith: initial, conflating: conflating, exhaustive: isExhaustive, settling: settle)
    unmentioned.append { stream.leftovers(named: name) }
    return stream
  }

  private var isWorking: Bool {
    intents.contains { $0.isRunning } || watched.contains { !$0.leftovers.isEmpty }
  }

  private func checkLeftovers() async throws {
    let start = ContinuousClock.now
    await wait(since: start) { !isWorking }
    let values = unmentioned.flatMap { $0() }
    stopObserving()
    await wait(since: start) { !isWorking && tracker.survivors.isEmpty }
    let leftovers =
      values + intents.flatMap(\.leftovers) + watched.flatMap(\.leftovers) + tracker.leftovers
    guard leftovers.isEmpty else { throw ProbeError.leftovers(leftovers) }
  }

  /// Waits until a condition holds, for a limited time that both waits share, and then until values
  /// in transit have arrived.
  private func wait(since start: ContinuousClock.Instant, until condition: () -> Bool) async {
    if let settle { return await settle() }
    await BoundedWait.wait(since: start, until: condition)
    var rounds = 0
    await BoundedWait.wait {
      rounds += 1
      return rounds > 20
    }
  }

  private func stopObserving() {
    for stop in stops { stop() }
    (stops, tokens) = ([], [])
  }

  private func stop() {
    stopObserving()
    for intent in intents { intent.task.cancel() }
  }
}

/// An intent that a test started.
private final class ProbedIntent {
  private enum State {
    case running
    case ended(failure: String?)
  }

  private final class Progress: Sendable {
    let state = Mutex(State.running)
  }

  let task: Task<Void, any Error>
  private let place: String
  private let progress: Progress

  init(place: String, _ intent: @escaping @Sendable () async throws -> Void) {
    let progress = Progress()
    (self.place, self.progress) = (place, progress)
    task = Task {
      do {
        try await intent()
        progress.state.withLock { $0 = .ended(failure: nil) }
      } catch {
        let failure = error is CancellationError ? nil : "\(error)"
        progress.state.withLock { $0 = .ended(failure: failure) }
        throw error
      }
    }
  }

  var isRunning: Bool { if case .running = progress.state.withLock({ $0 }) { true } else { false } }

  var leftovers: [String] {
    switch progress.state.withLock({ $0 }) {
    case .running: ["a running intent, started at \(place)"]
    case .ended(let failure?): ["a failed intent, started at \(place): \(failure)"]
    case .ended(nil): []
    }
  }
}
