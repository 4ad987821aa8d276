import Synchronization

/// What a view model under a ``RecordedContract`` shows and asks for, and the services that it
/// sees.
///
/// ```swift
/// { recording in
///   let model = Search { text in
///     try await recording.request("find \(text)") { _ in [.success([text]), .failure(Offline())] }
///   }
///   recording.follow(model.states()) { state in
///     recording.show(["places": state.places, "failed": state.hasFailed])
///   }
///   return { intent in await model.search(intent) }
/// }
/// ```
///
/// - Isolation: Any code of the world may call the members.
public final class Recording: Sendable {
  private struct Contents {
    var shown: [String: String] = [:]
    var watched: [String: @Sendable () -> Any] = [:]
    var events: [String] = []
    var callers: [(intent: String, outcome: String)] = []
    var tasks: [SimulatedTask] = []
    var kept: [ObjectIdentifier: any Sendable] = [:]
  }

  /// The world of the run.
  public let world: SimulatedWorld
  /// The name of the stage.
  public let stage: String
  let requests: RecordedRequests
  private let contents = Mutex(Contents())
  /// What survives a restart.
  private let disk: Disk

  private final class Disk: Sendable {
    let values = Mutex<[ObjectIdentifier: any Sendable]>([:])
  }

  convenience init(
    _ stage: String, in world: SimulatedWorld, hearsCancellation: Bool, error: any Error
  ) {
    self.init(stage, in: world, RecordedRequests(hearsCancellation: hearsCancellation, error: error), Disk())
  }

  private init(_ stage: String, in world: SimulatedWorld, _ requests: RecordedRequests, _ disk: Disk) {
    self.stage = stage
    self.world = world
    self.requests = requests
    self.disk = disk
  }

  /// Records what a screen shows, by name. A value stays until it is shown again under its name, or
  /// until the screen leaves. The descriptions of the values are compared.
  public func show(_ values: KeyValuePairs<String, Any>) {
    let texts = values.map { ($0, "\($1)") }
    contents.withLock { contents in for (name, text) in texts { contents.shown[name] = text } }
  }

  /// Records a value that is read at the end of each step.
  public func watch(_ name: String, _ value: @escaping @Sendable () -> Any) {
    let former = contents.withLock { $0.watched.updateValue(value, forKey: name) }
    withExtendedLifetime(former) {}
  }

  /// Records an event, such as an alert. All events are compared, in their order.
  public func event(_ event: Any) {
    let text = "\(event)"
    contents.withLock { $0.events.append(text) }
  }

  /// Records how an intent ends: waits, done, or its error.
  ///
  /// The wait does not keep the screen: it continues after ``RecordedContract/Step/leave``. The run
  /// fails if the wait never ends.
  public func wait(for intent: String, _ end: @escaping @Sendable () async throws -> Void) {
    let index = contents.withLock { contents in
      contents.callers.append((intent, "waits"))
      return contents.callers.count - 1
    }
    world.spawn("\(stage): \(intent)") { [self] in
      let outcome: String
      do {
        try await end()
        outcome = "done"
      } catch {
        outcome = "\(error)"
      }
      contents.withLock { $0.callers[index].outcome = outcome }
    }
  }

  /// Reads a stream of states or events until the screen leaves.
  public func follow<Element: Sendable>(
    _ stream: AsyncStream<Element>, _ receive: @escaping @Sendable (Element) -> Void
  ) {
    start("reads") { for await element in stream { receive(element) } }
  }

  /// Returns an object that several view models share: it survives
  /// ``RecordedContract/Step/leave``. The first call creates the object.
  ///
  /// - Parameters:
  ///   - acrossRestarts: Whether the object also survives ``RecordedContract/Step/restart``, as a
  ///     file does.
  ///   - make: Creates the object.
  public func kept<Value: Sendable>(acrossRestarts: Bool = false, _ make: () -> Value) -> Value {
    let key = ObjectIdentifier(Value.self)
    let old = acrossRestarts ? disk.values.withLock { $0[key] } : contents.withLock { $0.kept[key] }
    if let value = old as? Value { return value }
    let value = make()
    if acrossRestarts {
      disk.values.withLock { $0[key] = value }
    } else {
      contents.withLock { $0.kept[key] = value }
    }
    return value
  }

  // MARK: - The steps of a contract

  /// Starts a task that ends with the screen.
  func start(_ name: String, _ body: @escaping @Sendable () async -> Void) {
    let task = world.spawn("\(stage): \(name)", body)
    contents.withLock { $0.tasks.append(task) }
  }

  func leave() {
    let tasks = contents.withLock { contents in
      contents.shown = [:]
      return exchange(&contents.tasks, with: [])
    }
    for task in tasks { task.cancel() }
  }

  /// Releases what the run has kept, which may know this recording.
  func end() {
    let former = contents.withLock { (exchange(&$0.kept, with: [:]), exchange(&$0.watched, with: [:])) }
    withExtendedLifetime(former) {}
  }

  func restarted() -> Recording { Recording(stage, in: world, requests.restarted(), disk) }

  func answer(_ request: Int, with answer: Int) -> (request: Int, answer: Int)? {
    requests.answer(request, with: answer)
  }

  /// Fails all open requests. Returns whether there were any.
  func failAll() -> Bool { requests.failAll() }

  /// The lines of the values that are shown or watched.
  func values(without names: Set<String>) -> [String] {
    let watched = contents.withLock { $0.watched }.mapValues { "\($0())" }
    let values = contents.withLock { $0.shown }.merging(watched) { $1 }.filter { !names.contains($0.key) }
    return values.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
  }

  /// Ends a step. Returns the lines that the stages must have in common.
  func endStep(without names: Set<String>) -> [String] {
    let requestLines = requests.endStep()
    var lines = values(without: names)
    let (events, callers) = contents.withLock { ($0.events, $0.callers) }
    if !names.contains("requests") { lines += requestLines }
    if !names.contains("callers") {
      lines += callers.enumerated().map { "caller \($0) of \($1.intent): \($1.outcome)" }
    }
    if !names.contains("events") { lines += events.enumerated().map { "event \($0): \($1)" } }
    return lines
  }
}

/// Replaces a value, and returns the former one.
private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
  defer { value = new }
  return value
}
