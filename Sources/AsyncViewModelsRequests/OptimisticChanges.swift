/// A change that a view model shows before the service has confirmed the change.
public protocol OptimisticChange: Sendable {
  /// The value that the change modifies, such as a cart or a list.
  associatedtype Value: Sendable
  /// Identifies the changes that must reach the service one after another.
  associatedtype OrderingKey: Hashable & Sendable
  /// The request that asks the service to make the change.
  associatedtype Request: Sendable
  /// Why a rule refuses the change. A *rule* is a check in ``apply(to:)``, such as a limit.
  associatedtype Failure: Error

  /// Changes with equal keys are sent one after another, in the order in which they began.
  ///
  /// Changes with different keys can be sent at the same time, so their order must not matter.
  var orderingKey: OrderingKey { get }

  /// Makes the change, and returns the request for the service.
  ///
  /// Called again, on another value, if another change is rolled back or the confirmed value is
  /// replaced before the request can be sent. It may then return another request.
  ///
  /// - Throws: Why a rule refuses the change. `value` must then be unchanged.
  func apply(to value: inout Value) throws(Failure) -> Request

  /// Makes the requested change on another value, as far as possible.
  ///
  /// Earlier changes, on which the request was based, may have been refused.
  static func reapply(_ request: Request, to value: inout Value)
}

/// A value with changes that are shown at once and that a service confirms or refuses later.
///
/// ```swift
/// let id = try store.update { state in try state.changes.begin(.add(product)) }
/// try await runToCompletion { [store, service] in
///   do {
///     let request = try await store.firstNonNil { $0.changes.turn(of: id)?.result }.get()
///     try await service.send(request)
///     store.update { _ = $0.changes.confirm(id) }
///   } catch {
///     store.update { _ = $0.changes.rollBack(id) }
///     throw error
///   }
/// }
/// ```
///
/// The changes with one ordering key become *due* one after another. Send the request of a change
/// when it is due, and end each change exactly once, with ``confirm(_:as:)`` or ``rollBack(_:)``.
///
/// | event | effect |
/// | --- | --- |
/// | a change is rolled back | the other pending changes stay, in any order of the responses; waiting ones are made again without it |
/// | a rule refuses a waiting change | ``turn(of:)`` reports it, and the service never receives the change; end it, too |
///
/// - Complexity: O(1) to begin, resume or apply a change, plus the cost of the change. O(log n) for
///   a confirmation without a new value. O(n) for all other calls, where n counts the changes since
///   the first pending one began: a change that never ends keeps all later ones in memory.
public struct OptimisticChanges<Change: OptimisticChange>: Sendable {
  /// Identifies a change of this value.
  public typealias ID = Int

  /// A change that is due, or that a rule refused while it waited.
  public struct Turn: Identifiable, Sendable {
    /// The identifier of the change.
    public let id: ID
    /// The change.
    public let change: Change
    /// The request to send now, or the reason why a rule refuses the change.
    public let result: Result<Change.Request, Change.Failure>
  }

  private struct Entry: Sendable {
    let id: ID
    let change: Change
    var request: Change.Request
    var phase: Phase

    var isPending: Bool {
      switch phase {
      case .waiting, .due: true
      case .refused, .confirmed, .applied, .ended: false
      }
    }

    /// Whether no further call ends the change.
    var hasEnded: Bool {
      switch phase {
      case .waiting, .due, .refused: false
      case .confirmed, .applied, .ended: true
      }
    }

    var isDue: Bool { if case .due = phase { true } else { false } }
    var isConfirmed: Bool { if case .confirmed = phase { true } else { false } }
    var isApplied: Bool { if case .applied = phase { true } else { false } }

    var turn: Turn? {
      switch phase {
      case .waiting, .confirmed, .applied, .ended: nil
      case .due: Turn(id: id, change: change, result: .success(request))
      case .refused(let error): Turn(id: id, change: change, result: .failure(error))
      }
    }

    func isPending(with key: Change.OrderingKey) -> Bool { isPending && change.orderingKey == key }
  }

  private enum Phase: Sendable {
    case waiting, due
    case refused(Change.Failure)
    /// The service has made the change, but an earlier change is pending.
    case confirmed
    /// The change needs no confirmation, but an earlier change is pending.
    case applied
    /// The change was rolled back or refused, and its caller has ended it.
    case ended
  }

  /// The value with all pending changes.
  @export(implementation) public var value: Change.Value { current }

  /// What ``value`` returns. Inlinable code cannot set a public property with a private setter.
  @usableFromInline var current: Change.Value
  /// The value without the changes in `entries`. `nil` until the first change begins.
  @usableFromInline var base: Change.Value?
  /// The changes from the first pending one on, and the refused changes that have not ended. The
  /// identifiers ascend.
  ///
  /// `current` is `base` with all these changes except the refused ones, made in this order: rules
  /// and the place of an item can depend on the order.
  private var entries: [Entry] = []
  /// The number of entries at the start that have ended and that `base` contains. They are removed
  /// together: the end of one change moves no later ones.
  private var absorbedCount = 0
  /// The number of pending changes with each ordering key.
  private var pendingCounts: [Change.OrderingKey: Int] = [:]
  private var lastID = 0

  /// Creates a value without pending changes.
  public init(_ value: Change.Value) { current = value }

  /// The value without the pending changes, and without changes of ``apply(_:)`` that follow a
  /// pending change with the same ordering key.
  ///
  /// - Complexity: O(n), plus the cost of the changes that have ended since the first pending
  ///   change began.
  public var confirmed: Change.Value {
    guard var confirmed = base else { return current }
    for entry in settled { Change.reapply(entry.request, to: &confirmed) }
    return confirmed
  }

  /// The number of changes that are shown but not confirmed.
  public var pendingCount: Int { entries.count { $0.isPending } }

  /// The changes that are shown but not confirmed, with their current requests, in order.
  public var pendingRequests: [(id: ID, request: Change.Request)] {
    // Not a key path: the type is generic, so each use of the key path would look up its types.
    entries.compactMap { $0.isPending ? ($0.id, $0.request) : nil }
  }

  /// Makes a change that needs no confirmation.
  ///
  /// The change becomes part of ``confirmed`` when no change with its ordering key is pending.
  ///
  /// - Throws: Why a rule refuses the change. Nothing has changed then.
  @export(implementation)
  public mutating func apply(_ change: Change) throws(Change.Failure) {
    let request = try change.apply(to: &current)
    // Until the first change begins, there is only `current`.
    if base != nil { recordApplied(change, request) }
  }

  /// Makes a change that the service has to confirm.
  ///
  /// - Returns: The change's identifier. ``turn(of:)`` tells when to send the request.
  /// - Throws: Why a rule refuses the change. Nothing has changed then.
  public mutating func begin(_ change: Change) throws(Change.Failure) -> ID {
    let (before, key) = (base ?? current, change.orderingKey)
    let request = try change.apply(to: &current)
    base = before
    return append(change, request, phase(ofNext: key))
  }

  /// Makes a change again that began before, for example before the app was restarted.
  ///
  /// The service may already have received the request. So the change is made as far as possible,
  /// and no rule refuses it. It is due with this request, or waits like any other change.
  ///
  /// - Returns: The change's identifier.
  public mutating func resume(_ change: Change, with request: Change.Request) -> ID {
    let key = change.orderingKey
    base = base ?? current
    Change.reapply(request, to: &current)
    return append(change, request, phase(ofNext: key))
  }

  /// Returns the turn of a change, or `nil` while the change waits for an earlier one with the same
  /// ordering key, and after its end.
  ///
  /// - Complexity: O(log n).
  public func turn(of id: ID) -> Turn? { index(of: id).flatMap { entries[$0].turn } }

  /// Ends a change that the service has made. The value stays as it is if a rule has refused the
  /// change.
  ///
  /// - Parameters:
  ///   - id: The identifier of the change.
  ///   - newValue: The confirmed value that the service reports, or `nil` to make the change on the
  ///     present confirmed value.
  /// - Returns: The changes that become due, and the changes that a rule refuses now.
  public mutating func confirm(_ id: ID, as newValue: Change.Value? = nil) -> [Turn] {
    guard let index = index(of: id), entries[index].isPending else {
      endRefused(id)
      return []
    }
    let key = entries[index].change.orderingKey
    if let newValue {
      // The new value lacks the applied changes that follow this one with the same ordering key.
      // While this change is pending, `dropSettled()` keeps them.
      dropSettled()
      end(id)
      base = newValue
      return redo() + next(with: key)
    }
    // The pending changes before a due one have other ordering keys.
    let start = entries[index].isDue ? index : 0
    setPhase(.confirmed, at: index)
    let turns = next(with: key, from: start)
    absorbEnded()
    return turns
  }

  /// Ends a change that the service or a rule has refused, and rolls it back.
  ///
  /// - Returns: The changes that become due, and the changes that a rule refuses now.
  public mutating func rollBack(_ id: ID) -> [Turn] {
    guard let index = index(of: id), entries[index].isPending else {
      endRefused(id)
      return []
    }
    let key = entries[index].change.orderingKey
    end(id)
    return redo() + next(with: key)
  }

  /// Replaces the confirmed value, for example after a refresh, and makes the pending changes
  /// again.
  ///
  /// - Returns: The changes that become due, and the changes that a rule refuses now.
  public mutating func rebase(onto newValue: Change.Value) -> [Turn] {
    dropSettled()
    base = newValue
    return redo()
  }

  /// Modifies the confirmed value and the shown value in the same way, for example to show a new
  /// price.
  ///
  /// The pending changes keep their requests. If a later call makes them again, they may replace
  /// what `body` has modified.
  public mutating func modify(_ body: (inout Change.Value) -> Void) {
    if base != nil { body(&base!) }
    body(&current)
  }

  @usableFromInline
  mutating func recordApplied(_ change: Change, _ request: Change.Request) {
    append(change, request, .applied)
    absorbEnded()
  }

  @discardableResult
  private mutating func append(_ change: Change, _ request: Change.Request, _ phase: Phase) -> ID {
    lastID += 1
    let entry = Entry(id: lastID, change: change, request: request, phase: phase)
    if entry.isPending { pendingCounts[change.orderingKey, default: 0] += 1 }
    entries.append(entry)
    return lastID
  }

  /// The phase of a new change with this ordering key.
  private func phase(ofNext key: Change.OrderingKey) -> Phase { pendingCounts[key] == nil ? .due : .waiting }

  private mutating func setPhase(_ phase: Phase, at index: Int) {
    let wasPending = entries[index].isPending
    entries[index].phase = phase
    guard wasPending, !entries[index].isPending else { return }
    let key = entries[index].change.orderingKey
    if pendingCounts[key] == 1 { pendingCounts[key] = nil } else { pendingCounts[key]? -= 1 }
  }

  /// The confirmed changes, and the applied changes that follow no pending change with the same
  /// ordering key.
  private var settled: [Entry] {
    var pending: Set<Change.OrderingKey> = []
    return entries[absorbedCount...].filter { entry in
      if entry.isPending { pending.insert(entry.change.orderingKey) }
      return entry.isConfirmed || entry.isApplied && !pending.contains(entry.change.orderingKey)
    }
  }

  private mutating func dropSettled() {
    removeAbsorbed()
    let ids = Set(settled.map { $0.id })
    entries.removeAll { ids.contains($0.id) }
  }

  /// The index of a change that has not ended.
  private func index(of id: ID) -> Int? {
    var range = absorbedCount..<entries.count
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if entries[middle].id == id { return entries[middle].hasEnded ? nil : middle }
      range = entries[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  private mutating func end(_ id: ID) {
    if let index = index(of: id) { setPhase(.ended, at: index) }
  }

  /// Ends a change that a rule has refused, and that the value therefore does not contain.
  private mutating func endRefused(_ id: ID) {
    end(id)
    absorbEnded()
  }

  /// Moves the changes that have ended from the entries to `base`, up to the first one that has
  /// not.
  private mutating func absorbEnded() {
    while absorbedCount < entries.count, entries[absorbedCount].hasEnded {
      let entry = entries[absorbedCount]
      if entry.isConfirmed || entry.isApplied { reapplyToBase(entry.request) }
      absorbedCount += 1
    }
    if absorbedCount * 2 >= entries.count { removeAbsorbed() }
  }

  private mutating func removeAbsorbed() {
    if absorbedCount > 0 { entries.removeFirst(absorbedCount) }
    absorbedCount = 0
  }

  private mutating func reapplyToBase(_ request: Change.Request) {
    // In place: the only reference to the value's storage makes no copy. Entries have a base.
    Change.reapply(request, to: &base!)
  }

  /// Marks the first pending change with this ordering key as due, if that change still waits.
  ///
  /// - Parameter start: An index that no earlier pending change with this key has.
  private mutating func next(with key: Change.OrderingKey, from start: Int = 0) -> [Turn] {
    guard pendingCounts[key] != nil,
      let index = entries[start...].firstIndex(where: { $0.isPending(with: key) }),
      case .waiting = entries[index].phase
    else { return [] }
    entries[index].phase = .due
    return [entries[index].turn].compactMap { $0 }
  }

  /// Makes every pending change again. A due change keeps its request: the service may have
  /// received it. A waiting change can get another request, or be refused.
  private mutating func redo() -> [Turn] {
    absorbEnded()
    removeAbsorbed()
    entries.removeAll { if case .ended = $0.phase { true } else { false } }
    if let base { current = base }
    var refused: [Turn] = []
    for index in entries.indices {
      switch entries[index].phase {
      case .due, .confirmed, .applied: Change.reapply(entries[index].request, to: &current)
      case .refused, .ended: continue
      case .waiting:
        do throws(Change.Failure) {
          entries[index].request = try entries[index].change.apply(to: &current)
        } catch {
          setPhase(.refused(error), at: index)
          refused.append(
            Turn(id: entries[index].id, change: entries[index].change, result: .failure(error)))
        }
      }
    }
    absorbEnded()
    return refused
  }
}
