/// The calls, intents and events of both view models that have no counterpart yet, and the trace.
///
/// A pure state machine: ``ShadowCalls`` locks, changes it, unlocks, and then acts.
struct ShadowLedger: Sendable {
  typealias Answer = Result<any Sendable, any Error>
  typealias Receive = @Sendable (Answer) -> Void

  /// An answer, and the call of the new view model that receives it.
  struct Delivery: Sendable {
    let receive: Receive
    let answer: Answer
  }

  /// The calls with equal requests. The n-th call of the old view model answers the n-th call of
  /// the new one.
  private struct Lane {
    var old: [(id: Int, answer: Answer?)] = []
    /// The calls of the new view model. A cancelled call receives nothing.
    var new: [(id: Int, receive: Receive?)] = []
    /// The cancelled calls of the old view model whose counterpart was not cancelled yet.
    var cancelledOld = 0

    var unclaimed: Int { old.count { $0.answer != nil } }
    var isInFlight: Bool { old.contains { $0.answer == nil } }
    /// The calls of the new view model that wait, and that the old view model has not made.
    var unmatched: Int { new.dropFirst(old.count).count { $0.receive != nil } }

    var isEmpty: Bool { old.isEmpty && new.isEmpty && cancelledOld == 0 }
    var size: Int { old.count + new.count + cancelledOld }

    /// Removes what only says that a call was cancelled.
    mutating func forgetCancelledCalls() {
      cancelledOld = 0
      new = new.prefix(old.count) + new.dropFirst(old.count).filter { $0.receive != nil }
    }

    /// Removes the answered pairs, and returns what to deliver.
    mutating func match() -> [Delivery] {
      var deliveries: [Delivery] = []
      for index in (0..<min(old.count, new.count)).reversed() {
        guard let answer = old[index].answer else { continue }
        old.remove(at: index)
        if let receive = new.remove(at: index).receive {
          deliveries.append(Delivery(receive: receive, answer: answer))
        }
      }
      return deliveries.reversed()
    }
  }

  let limit: Int
  private(set) var isActive: Bool
  /// Grows with each change.
  private(set) var version = 0
  private(set) var comparedCount = 0
  /// A difference that does not need the states to be found.
  private(set) var finding: ShadowFinding?
  private var lanes: [ShadowRequest: Lane] = [:]
  private var openIntents = (old: 0, new: 0)
  private var events: (old: [any Equatable & Sendable], new: [any Equatable & Sendable]) = ([], [])
  private var trace: [ShadowStep] = []
  /// Values to release after the unlock: their `deinit` can run any code.
  private var released: [any Sendable] = []

  init(limit: Int, isActive: Bool) { (self.limit, self.isActive) = (limit, isActive) }

  mutating func takeReleased() -> [any Sendable] { exchange(&released, with: []) }

  // MARK: Calls

  mutating func beginOld(_ request: ShadowRequest) -> Int? {
    guard isActive else { return nil }
    note(.call(.old, request))
    lanes[request, default: Lane()].old.append((version, nil))
    return version
  }

  mutating func endOld(_ id: Int, _ request: ShadowRequest, _ answer: Answer) -> [Delivery] {
    guard let index = lanes[request]?.old.firstIndex(where: { $0.id == id && $0.answer == nil }) else {
      return []
    }
    note(.answer(request, answer))
    lanes[request]?.old[index].answer = answer
    return match(request)
  }

  /// Removes a call that the old view model cancelled. Its counterpart, if any, waits for the next
  /// equal call until the new view model cancels it, too.
  mutating func cancelOld(_ id: Int, _ request: ShadowRequest) -> [Delivery] {
    guard let index = lanes[request]?.old.firstIndex(where: { $0.id == id && $0.answer == nil }) else {
      return []
    }
    note(.cancel(.old, request))
    lanes[request]?.old.remove(at: index)
    if let counterpart = lanes[request]?.new.firstIndex(where: { $0.receive == nil }) {
      lanes[request]?.new.remove(at: counterpart)
    } else {
      lanes[request]?.cancelledOld += 1
    }
    return match(request)
  }

  mutating func beginNew(_ request: ShadowRequest, _ receive: @escaping Receive) -> (Int, [Delivery])? {
    guard isActive else { return nil }
    note(.call(.new, request))
    let id = version
    lanes[request, default: Lane()].new.append((id, receive))
    return (id, match(request))
  }

  /// Returns the call's receiver, if it was waiting.
  mutating func cancelNew(_ id: Int, _ request: ShadowRequest) -> (Receive?, [Delivery]) {
    guard let index = lanes[request]?.new.firstIndex(where: { $0.id == id && $0.receive != nil }) else {
      return (nil, [])
    }
    note(.cancel(.new, request))
    let receive = lanes[request]?.new[index].receive.take()
    if let cancelledOld = lanes[request]?.cancelledOld, cancelledOld > 0 {
      lanes[request]?.cancelledOld -= 1
      lanes[request]?.new.remove(at: index)
    }
    return (receive, match(request))
  }

  private mutating func match(_ request: ShadowRequest) -> [Delivery] {
    let deliveries = lanes[request]?.match() ?? []
    if lanes[request]?.isEmpty == true { lanes[request] = nil }
    if lanes.values.reduce(0, { $0 + $1.size }) > limit { forgetCancelledCalls() }
    if lanes.values.reduce(0, { $0 + $1.unclaimed + $1.unmatched }) > limit, let oneSidedRequests {
      stop(for: oneSidedRequests)
    }
    return deliveries
  }

  private mutating func forgetCancelledCalls() {
    for request in lanes.keys { lanes[request]?.forgetCancelledCalls() }
    released += lanes.filter(\.value.isEmpty).map { $0.key as any Sendable }
    lanes = lanes.filter { !$0.value.isEmpty }
  }

  // MARK: Intents and events

  mutating func begin(_ intent: String, old: any Sendable, new: any Sendable) {
    guard isActive else { return }
    note(.states(old: old, new: new))
    note(.intent(intent))
    openIntents.new += 1
    if openIntents.new > limit { stop(for: .unendedIntents(openIntents.new)) }
  }

  mutating func changeOpenIntents(of side: ShadowSide, by difference: Int) {
    version += 1
    switch side {
    case .old: openIntents.old += difference
    case .new: openIntents.new += difference
    }
  }

  mutating func add(_ event: any Equatable & Sendable, from side: ShadowSide) {
    guard isActive else { return }
    note(.event(side, event))
    switch side {
    case .old: events.old.append(event)
    case .new: events.new.append(event)
    }
    if max(events.old.count, events.new.count) > limit { stop(for: eventFinding) }
  }

  // MARK: Comparing

  /// Whether both view models are quiet, and nothing has happened since a version.
  func isQuiet(at version: Int) -> Bool {
    isActive && version == self.version && openIntents.old == 0
      && !lanes.values.contains(where: \.isInFlight)
      && (openIntents.new == 0 || lanes.values.contains { $0.unmatched > 0 })
  }

  /// Compares calls, events and states, and stops at a difference.
  mutating func compare(old: any Sendable, new: any Sendable, areEqual: Bool) {
    if let finding = oneSidedRequests {
      stop(for: finding)
    } else if !events.old.elementsEqual(events.new, by: { isEqual($0, $1) }) {
      stop(for: eventFinding)
    } else if !areEqual {
      stop(for: .states(old: old, new: new))
    } else {
      comparedCount += 1
      clear()
    }
  }

  /// Ends the comparison.
  mutating func stop() { isActive = false }

  /// Removes everything but a finding and its trace, and returns the receivers of the waiting
  /// calls.
  mutating func drain() -> [Receive] {
    let waiting = lanes.values.flatMap { $0.new.compactMap(\.receive) }
    clear()
    if finding == nil { released += exchange(&trace, with: []).map { $0 as any Sendable } }
    return waiting
  }

  /// The difference with its trace, once.
  mutating func takeFinding() -> (ShadowFinding, [ShadowStep])? {
    finding.take().map { ($0, exchange(&trace, with: [])) }
  }

  private mutating func note(_ step: ShadowStep) {
    version += 1
    trace.append(step)
    if trace.count > limit { released.append(trace.removeFirst()) }
  }

  private mutating func stop(for finding: ShadowFinding) {
    guard isActive else { return }
    isActive = false
    self.finding = finding
  }

  private mutating func clear() {
    released += lanes.values.map { $0.old.compactMap(\.answer) as any Sendable }
    released += lanes.keys.map { $0 as any Sendable }
    released += [events.old, events.new] as [any Sendable]
    (lanes, events) = ([:], ([], []))
  }

  private var eventFinding: ShadowFinding { .events(old: events.old, new: events.new) }

  private var oneSidedRequests: ShadowFinding? {
    let onlyOld = lanes.flatMap { Array(repeating: $0.key, count: $0.value.unclaimed) }
    let onlyNew = lanes.flatMap { Array(repeating: $0.key, count: $0.value.unmatched) }
    return onlyOld.isEmpty && onlyNew.isEmpty ? nil : .requests(onlyOld: onlyOld, onlyNew: onlyNew)
  }
}

private func isEqual<Event: Equatable>(_ one: Event, _ other: any Equatable) -> Bool {
  one == other as? Event
}
