/// A change that a view model shows before its service has confirmed it.
public protocol OptimisticChange: Sendable {
  /// The value that the change modifies, such as a cart or a list.
  associatedtype Value: Sendable
  /// Identifies the changes that must reach the service one after another.
  associatedtype Lane: Hashable & Sendable
  /// The request that asks the service to make the change.
  associatedtype Request: Sendable
  /// The reason why a rule refuses the change.
  associatedtype Failure: Error

  /// Changes with equal lanes are sent one after another, in the order in which they began. Changes in
  /// different lanes are sent at the same time, so their order must not matter.
  var lane: Lane { get }

  /// Makes the change, and returns the request for the service.
  ///
  /// It is called again, on another value, if another change is rolled back or the confirmed value is
  /// replaced before this change is due. Then it may return another request.
  ///
  /// - Throws: The reason why a rule refuses the change. In that case, `value` must be unchanged.
  func apply(to value: inout Value) throws(Failure) -> Request

  /// Makes a change from its request, on another value, as far as possible.
  ///
  /// The earlier changes on which the request was based may have been refused.
  static func reapply(_ request: Request, to value: inout Value)
}

/// A value with changes that are shown at once and that a service confirms or refuses later.
///
/// A refused change is rolled back, and the other pending changes stay, in whichever order the answers
/// arrive. The changes of one lane become due one after another. A change that waits behind a refused one is
/// made again without it. If a rule then refuses the waiting change, the service never receives it.
///
/// End each change exactly once, with ``confirm(_:as:)`` or ``rollBack(_:)``: after the answer of the
/// service, or after a rule has refused its turn.
///
/// ```swift
/// let id = try store.update { state in try state.changes.begin(.add(product)) }
/// try await runToCompletion { [store, service] in
///   do {
///     let request = try await store.first { $0.changes.turn(of: id)?.result }.get()
///     try await service.send(request)
///     store.update { _ = $0.changes.confirm(id) }
///   } catch {
///     store.update { _ = $0.changes.rollBack(id) }
///     throw error
///   }
/// }
/// ```
///
/// - Complexity: O(pending changes) for each call, plus the cost of the change. A rollback or a new confirmed
///   value makes every pending change again.
public struct OptimisticChanges<Change: OptimisticChange>: Sendable {
  /// Identifies a change of this value.
  public typealias ID = Int

  /// A change whose turn has come: it is due, or a rule has refused it meanwhile.
  public struct Turn: Identifiable, Sendable {
    /// The change.
    public let id: ID
    /// The request to send now, or the reason why a rule refuses the change.
    public let result: Result<Change.Request, Change.Failure>
  }

  private struct Entry: Sendable {
    let id: ID
    let change: Change
    var request: Change.Request
    var phase: Phase

    var isPending: Bool { if case .refused = phase { false } else { true } }

    var turn: Turn? {
      switch phase {
      case .waiting: nil
      case .due: Turn(id: id, result: .success(request))
      case .refused(let error): Turn(id: id, result: .failure(error))
      }
    }

    func isPending(in lane: Change.Lane) -> Bool { isPending && change.lane == lane }
  }

  private enum Phase: Sendable {
    case waiting, due
    case refused(Change.Failure)
  }

  /// The value with all pending changes.
  public private(set) var value: Change.Value

  /// The value without the pending changes. `nil` until the first change begins: until then it equals
  /// `value`.
  private var base: Change.Value?
  private var entries: [Entry] = []
  private var lastID = 0

  /// Creates a value without pending changes.
  public init(_ value: Change.Value) { self.value = value }

  /// The value as the service knows it: without the pending changes.
  public var confirmed: Change.Value { base ?? value }

  /// The number of changes that are shown but not confirmed.
  public var pendingCount: Int { entries.count(where: \.isPending) }

  /// Makes a change that needs no confirmation.
  ///
  /// - Throws: The reason why a rule refuses the change. Nothing has changed then.
  public mutating func apply(_ change: Change) throws(Change.Failure) {
    reapplyToBase(try change.apply(to: &value))
  }

  /// Makes a change that the service has to confirm.
  ///
  /// - Returns: The change's identifier. ``turn(of:)`` tells when to send the change's request.
  /// - Throws: The reason why a rule refuses the change. Nothing has changed then.
  public mutating func begin(_ change: Change) throws(Change.Failure) -> ID {
    let (before, lane) = (confirmed, change.lane)
    let request = try change.apply(to: &value)
    base = before
    lastID += 1
    let isDue = !entries.contains { $0.isPending(in: lane) }
    entries.append(Entry(id: lastID, change: change, request: request, phase: isDue ? .due : .waiting))
    return lastID
  }

  /// Returns the turn of a change, or `nil` while the change waits for an earlier one of its lane, and after
  /// it has ended.
  public func turn(of id: ID) -> Turn? { entries.first { $0.id == id }?.turn }

  /// Ends a change that the service has made. Ends a refused change without an effect.
  ///
  /// - Parameters:
  ///   - id: The change.
  ///   - newValue: The value that the service reports, or `nil` to make the change on the confirmed value.
  /// - Returns: The changes whose turn comes now.
  public mutating func confirm(_ id: ID, as newValue: Change.Value? = nil) -> [Turn] {
    guard let entry = remove(id), entry.isPending else { return [] }
    guard let newValue else {
      reapplyToBase(entry.request)
      return next(in: entry.change.lane)
    }
    return rebase(onto: newValue) + next(in: entry.change.lane)
  }

  /// Ends a change that the service or a rule has refused, and rolls it back.
  ///
  /// - Returns: The changes whose turn comes now.
  public mutating func rollBack(_ id: ID) -> [Turn] {
    guard let entry = remove(id), entry.isPending else { return [] }
    return redo() + next(in: entry.change.lane)
  }

  /// Replaces the confirmed value, for example after a refresh, and makes the pending changes again.
  ///
  /// - Returns: The changes whose turn comes now.
  public mutating func rebase(onto newValue: Change.Value) -> [Turn] {
    base = newValue
    return redo()
  }

  private mutating func remove(_ id: ID) -> Entry? {
    entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) }
  }

  private mutating func reapplyToBase(_ request: Change.Request) {
    // Taken out of the property, so that the change has the only reference to the value's storage.
    guard var base = base.take() else { return }
    Change.reapply(request, to: &base)
    self.base = base
  }

  /// Makes the next change of a lane due, if it still waits.
  private mutating func next(in lane: Change.Lane) -> [Turn] {
    guard let index = entries.firstIndex(where: { $0.isPending(in: lane) }),
      case .waiting = entries[index].phase
    else { return [] }
    entries[index].phase = .due
    return [Turn(id: entries[index].id, result: .success(entries[index].request))]
  }

  /// Makes every pending change again. A due change keeps its request, because the service may have received
  /// it. A waiting change can get another request, or be refused.
  private mutating func redo() -> [Turn] {
    value = confirmed
    var refused: [Turn] = []
    for index in entries.indices {
      switch entries[index].phase {
      case .due: Change.reapply(entries[index].request, to: &value)
      case .refused: continue
      case .waiting:
        do throws(Change.Failure) {
          entries[index].request = try entries[index].change.apply(to: &value)
        } catch {
          entries[index].phase = .refused(error)
          refused.append(Turn(id: entries[index].id, result: .failure(error)))
        }
      }
    }
    return refused
  }
}
