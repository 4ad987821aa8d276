#if canImport(Combine)
  public import Combine
  import Synchronization

  extension ObservableState {
    /// A publisher of the current value and of later values, as `buffering` specifies.
    ///
    /// Each subscriber is an observer with all guarantees of ``stream(_:)``. See ``ObserverPublisher``.
    public func publisher(_ buffering: BufferingPolicy = .latest) -> ObserverPublisher<Value> {
      // The publisher keeps the storage, which the deallocation of this state finishes.
      let storage = storage
      return switch buffering {
      case .latest: ObserverPublisher(readsAhead: true) { LatestValueSubscription(of: storage) }
      case .bounded, .unbounded:
        ObserverPublisher(readsAhead: false) { storage.makeBufferingObserver(buffering) }
      }
    }
  }

  extension StateSource {
    /// A publisher of the current state and of later states, as `buffering` specifies.
    ///
    /// ```swift
    /// cart.publisher().map(\.total).removeDuplicates().receive(on: DispatchQueue.main)
    ///   .sink { [weak self] in self?.show(total: $0) }
    ///   .store(in: &cancellables)
    /// ```
    ///
    /// Each subscriber is an observer with all guarantees of ``states(_:)``. See ``ObserverPublisher``.
    public nonisolated func publisher(_ buffering: BufferingPolicy = .latest) -> ObserverPublisher<State> {
      store.publisher(buffering)
    }
  }

  extension EventChannel {
    /// A publisher of the events that are sent while a subscriber exists, and of the kept events, as
    /// `buffering` specifies.
    ///
    /// Each subscriber is an observer with all guarantees of ``stream(_:)``. If a subscriber cancels and has not
    /// received a kept event, the event returns to the channel. See ``ObserverPublisher``.
    public func publisher(_ buffering: BufferingPolicy = .unbounded) -> ObserverPublisher<Event> {
      let storage = storage
      return ObserverPublisher(readsAhead: false) { storage.makeObserver(buffering) }
    }
  }

  /// Publishes the values of an ``ObservableState`` or the events of an ``EventChannel``.
  ///
  /// Each subscriber has its own observer, which exists from the subscription on. No subscriber delays the
  /// sender or another subscriber.
  ///
  /// | Topic | Guarantee |
  /// | --- | --- |
  /// | Demand | A subscriber receives only what it requests. Its ``BufferingPolicy`` keeps the rest. |
  /// | First value | An element that is available at a request is delivered before `request` returns. |
  /// | Latest value | With ``BufferingPolicy/latest``, a request is answered with the value that is current then. |
  /// | Completion | Follows the last element, and needs no demand. The publisher never fails. |
  /// | Deallocation | Subscribers complete when the state or channel is deallocated. They do not keep it alive. |
  /// | Cancellation | After `cancel()` has returned, no call of the subscriber begins. One may still be running. |
  ///
  /// - Isolation: The calls of a subscriber never overlap. They run on the thread that requests, or on the
  ///   cooperative thread pool, under no lock. Use `receive(on:)` for code that needs the main thread.
  /// - Ownership: A subscriber and its subscription keep each other alive until the completion or a
  ///   cancellation, as with Combine's own subjects.
  /// - Complexity: A wait for an element costs one task while the subscriber is idle, and no thread.
  public struct ObserverPublisher<Output: Sendable>: Publisher, Sendable {
    /// The error type: the publisher never fails.
    public typealias Failure = Never

    private let readsAhead: Bool
    private let makeObserver: @Sendable () -> any Subscription<Output>

    /// - Parameter readsAhead: Whether an unrequested element is replaced by a later one.
    init(readsAhead: Bool, makeObserver: @escaping @Sendable () -> any Subscription<Output>) {
      self.readsAhead = readsAhead
      self.makeObserver = makeObserver
    }

    /// Creates an observer for a subscriber.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      let recipient = Recipient(receive: subscriber.receive) { subscriber.receive(completion: .finished) }
      let subscription = DemandSubscription(recipient, to: makeObserver(), readsAhead: readsAhead)
      subscriber.receive(subscription: subscription)
      // Without a request, too, the subscription waits for the completion.
      subscription.request(.none)
    }
  }

  /// A subscriber.
  ///
  /// `@unchecked Sendable`: a publisher may call its subscriber on any thread, one call at a time.
  private struct Recipient<Element>: @unchecked Sendable {
    let receive: (Element) -> Subscribers.Demand
    let complete: () -> Void
  }

  /// Passes the elements of an observer to a subscriber, as many as the subscriber requests.
  ///
  /// One thread or task at a time *drives* the subscription: it reads an element, calls the subscriber, and repeats
  /// this until it has to wait. A request drives on its own thread and leaves the first wait to a task. If an unread
  /// element waits for a request, nobody drives.
  private final class DemandSubscription<Element: Sendable>: Combine.Subscription, Sendable {
    /// An element that was read, with the object that can return a kept event to its channel.
    private struct Unread: Sendable {
      let element: Element
      let handover: EventHandover?
    }

    private struct Guarded: Sendable {
      /// `nil` after the completion or a cancellation.
      var recipient: Recipient<Element>?
      var demand = Subscribers.Demand.none
      var isDriven = false
      var unread: Unread?
      var hasEnded = false
    }

    private enum Step: Sendable {
      case deliver(Unread, Recipient<Element>)
      case complete(Recipient<Element>)
      case wait
      case rest(discarding: Unread?)
    }

    private let observer: any Subscription<Element>
    private let readsAhead: Bool
    private let guarded: Mutex<Guarded>

    init(_ recipient: Recipient<Element>, to observer: any Subscription<Element>, readsAhead: Bool) {
      self.observer = observer
      self.readsAhead = readsAhead
      guarded = Mutex(Guarded(recipient: recipient))
    }

    func request(_ demand: Subscribers.Demand) {
      let drives = guarded.withLock { guarded in
        guard guarded.recipient != nil else { return false }
        guarded.demand += demand
        // A subscriber that requests within a call is already driven.
        return !exchange(&guarded.isDriven, with: true)
      }
      guard drives, drive() else { return }
      let liveObject = LiveObjectToken(.task, "ObserverPublisher<\(Element.self)>")
      Task {
        defer { liveObject.end() }
        repeat { await wait() } while drive()
      }
    }

    func cancel() {
      let (recipient, unread) = guarded.withLock { ($0.recipient.take(), $0.unread.take()) }
      observer.leave()
      // After the observer has left, so that it does not read the event again.
      unread?.handover?.giveBack()
      // Released after the unlock: the `deinit` of the subscriber can run any code.
      withExtendedLifetime(recipient) {}
    }

    /// Reads and delivers elements. Returns whether the caller has to wait for the next element and to call again.
    private func drive() -> Bool {
      while true {
        read()
        switch guarded.withLock({ nextStep(&$0) }) {
        case .deliver(let unread, let recipient):
          let demand = recipient.receive(unread.element)
          guarded.withLock { $0.demand += demand }
        case .complete(let recipient):
          recipient.complete()
          return false
        case .wait: return true
        case .rest(let discarded):
          discarded?.handover?.giveBack()
          return false
        }
      }
    }

    private func nextStep(_ guarded: inout Guarded) -> Step {
      guard let recipient = guarded.recipient else { return .rest(discarding: guarded.unread.take()) }
      guard let unread = guarded.unread else {
        guard guarded.hasEnded else { return .wait }
        guarded.recipient = nil
        return .complete(recipient)
      }
      guard guarded.demand > .none else {
        guarded.isDriven = false
        return .rest(discarding: nil)
      }
      guarded.demand -= 1
      guarded.unread = nil
      return .deliver(unread, recipient)
    }

    /// Reads an element if one is available now. Before a delivery, reads ahead to the latest value.
    private func read() {
      guard guarded.withLock({ !$0.hasEnded && ($0.unread == nil || readsAhead) }) else { return }
      let handover = makeHandover()
      switch EventHandover.$current.withValue(handover, operation: { observer.poll(after: .none) }) {
      case .element(let element): keep(element, handover)
      case .ended: guarded.withLock { $0.hasEnded = true }
      case .nothing: break
      }
    }

    /// Waits for an element or for the end.
    private func wait() async {
      let handover = makeHandover()
      let next = await EventHandover.$current.withValue(handover) { await observer.next(isolation: nil) }
      if let next { keep(next, handover) } else { guarded.withLock { $0.hasEnded = true } }
    }

    /// Returns the object that notes a kept event. Only a channel has such events.
    private func makeHandover() -> EventHandover? { readsAhead ? nil : EventHandover() }

    private func keep(_ element: Element, _ handover: EventHandover?) {
      let replaced = guarded.withLock { guarded in
        exchange(&guarded.unread, with: Unread(element: element, handover: handover))
      }
      withExtendedLifetime(replaced) {}
    }
  }
#endif
