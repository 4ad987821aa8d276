#if canImport(Combine)
  public import Combine
  import Synchronization

  extension StateStore {
    /// A publisher of the current value and of later values, as `buffering` specifies.
    ///
    /// Each subscriber is an observer, like a ``states(_:)``. See ``ObserverPublisher``.
    public func publisher(_ buffering: BufferingPolicy = .latest) -> ObserverPublisher<Value> {
      // The publisher keeps the storage, which the deallocation of this state finishes.
      let storage = storage
      return ObserverPublisher { storage.peekableObserver(buffering) }
    }
  }

  extension StateSource {
    /// A publisher of the current state and of later states, as `buffering` specifies.
    ///
    /// Each subscriber is an observer, like a stream of ``states(_:)``. It is called on the
    /// cooperative thread pool. For a screen, use ``publisher(on:)``. See ``ObserverPublisher``.
    public nonisolated func publisher(_ buffering: BufferingPolicy = .latest) -> ObserverPublisher<State> {
      store.publisher(buffering)
    }

    /// A publisher of the current state and of later states, which calls its subscribers on the
    /// main actor.
    ///
    /// ```swift
    /// cart.publisher(on: MainActor.shared).map(\.total).removeDuplicates()
    ///   .sink { [weak self] in self?.show(total: $0) }
    ///   .store(in: &cancellables)
    /// ```
    ///
    /// A subscriber receives at most one state in each turn of the main actor, read in that turn,
    /// so a busy main actor skips states. Combine's `receive(on:)` would request every state, and
    /// keep all of them in its queue.
    ///
    /// - Isolation: The subscriber and its operators run on the main actor. A subscription on the
    ///   main actor receives the current state before it returns. A subscription that is cancelled
    ///   on the main actor is not called again.
    public nonisolated func publisher(on actor: MainActor) -> ObserverPublisher<State> {
      // The publisher keeps the storage, which the deallocation of the state finishes.
      let storage = store.storage
      return ObserverPublisher(isOnMainActor: true) { storage.peekableObserver(.latest) }
    }
  }

  extension EventChannel {
    /// A publisher of the events that are sent while a subscriber exists, and of the kept events,
    /// as `buffering` specifies.
    ///
    /// Each subscriber is an observer, like a ``stream(_:)``. It takes a kept event when it has
    /// requested an event. If it cancels before this event is passed to it, the event returns to
    /// the channel. An operator such as `receive(on:)` requests events for itself, and does not
    /// return them.
    ///
    /// See ``ObserverPublisher``.
    public func publisher(_ buffering: BufferingPolicy = .unbounded) -> ObserverPublisher<Event> {
      let makeObserver = makePeekableObserver
      return ObserverPublisher { makeObserver(buffering) }
    }
  }

  /// Publishes the values of a ``StateStore`` or the events of an ``EventChannel``.
  ///
  /// Each subscriber has its own observer, which exists from the subscription on. No subscriber
  /// delays the sender or another subscriber.
  ///
  /// | Topic | Guarantee |
  /// | --- | --- |
  /// | Demand | A subscriber receives only what it requests. Its ``BufferingPolicy`` keeps the rest. |
  /// | First value | If a value is available and requested, the subscriber has it when `subscribe` or `sink` returns. |
  /// | Latest value | With ``BufferingPolicy/latest``, a request is answered with the value that is current then. |
  /// | Completion | Follows the last element, and needs no demand. The publisher never fails. |
  /// | Deallocation | Subscribers complete when the state or channel is deallocated. They do not keep it alive. |
  /// | Cancellation | After `cancel()` has returned, at most one call is still running or about to begin. |
  ///
  /// - Important: If the pipeline of a state is written in code on the main actor, use
  ///   ``StateSource/publisher(on:)``, and for events, put `receive(on: DispatchQueue.main)` first.
  ///   The closures of its operators belong to the main actor, and Swift stops the process if they
  ///   run on another thread.
  /// - Isolation: The calls of a subscriber never overlap. They run on the cooperative thread pool,
  ///   or for one element on the thread that subscribes or requests, under no lock. The calls of
  ///   ``StateSource/publisher(on:)`` run on the main actor.
  /// - Ownership: A subscriber and its subscription keep each other alive until the completion or a
  ///   cancellation, as with Combine's own subjects.
  /// - Complexity: A subscriber that waits for an element has a suspended task, and no thread.
  public struct ObserverPublisher<Output: Sendable>: Publisher, Sendable {
    /// The error type: the publisher never fails.
    public typealias Failure = Never

    private let isOnMainActor: Bool
    private let makeObserver: @Sendable () -> PeekableObserver<Output>

    init(
      isOnMainActor: Bool = false, makeObserver: @escaping @Sendable () -> PeekableObserver<Output>
    ) {
      self.isOnMainActor = isOnMainActor
      self.makeObserver = makeObserver
    }

    /// Creates an observer for a subscriber.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      let downstream = ErasedSubscriber(receive: subscriber.receive) {
        subscriber.receive(completion: .finished)
      }
      let subscription = DemandSubscription(downstream, to: makeObserver(), isOnMainActor: isOnMainActor)
      subscriber.receive(subscription: subscription)
      subscription.drive()
    }
  }

  /// A subscriber.
  ///
  /// `@unchecked Sendable`: a publisher may call its subscriber on any thread, one call at a time.
  private struct ErasedSubscriber<Element>: @unchecked Sendable {
    let receive: (Element) -> Subscribers.Demand
    let complete: () -> Void
  }

  /// Passes the elements of an observer to a subscriber, as many as the subscriber requests.
  ///
  /// One thread or task at a time *drives* the subscription: it reads an element and calls the
  /// subscriber. A thread that subscribes or requests drives for at most one element, and then
  /// leaves the driving to a task. Without demand, there is no driver, and nothing is read. A
  /// second task then waits for the end.
  private final class DemandSubscription<Element: Sendable>: Combine.Subscription, Sendable {
    private struct Guarded: Sendable {
      /// `nil` after the completion or a cancellation.
      var subscriber: ErasedSubscriber<Element>?
      var demand = Subscribers.Demand.none
      /// True at first, so that no element overtakes the call of `receive(subscription:)`.
      var isDriven = true
      var isWaitingForEnd = false
    }

    /// What the driver does next.
    private enum Step: Sendable {
      /// One element has been delivered, or none is available.
      case delivered, nothing
      /// There is no driver any more.
      case noDemand, over
    }

    private let observer: PeekableObserver<Element>
    private let isOnMainActor: Bool
    private let guarded: Mutex<Guarded>

    init(
      _ subscriber: ErasedSubscriber<Element>, to observer: PeekableObserver<Element>, isOnMainActor: Bool
    ) {
      self.observer = observer
      self.isOnMainActor = isOnMainActor
      guarded = Mutex(Guarded(subscriber: subscriber))
    }

    func request(_ demand: Subscribers.Demand) {
      let drives = guarded.withLock { guarded in
        guard guarded.subscriber != nil else { return false }
        guarded.demand += demand
        return guarded.demand > .none && !exchange(&guarded.isDriven, with: true)
      }
      if drives { drive() }
    }

    func cancel() {
      let subscriber = guarded.withLock { $0.subscriber.take() }
      observer.leave()
      // Released after the unlock: the `deinit` of the subscriber can run any code.
      withExtendedLifetime(subscriber) {}
    }

    /// Delivers at most one element on this thread, and leaves the rest to a task. Only the driver
    /// calls this method.
    func drive() {
      if isOnMainActor, !MainQueue.isCurrent { return driveInTask() }
      var step = stop() ?? deliverAvailable()
      if step == .delivered, case .ended = observer.peek() { return complete() }
      if step == .delivered, let stop = stop() { step = stop }
      switch step {
      case .noDemand: waitForEnd()
      case .over: break
      case .delivered, .nothing: driveInTask()
      }
    }

    private func driveInTask() {
      startTask {
        var step = Step.delivered
        while step == .delivered || step == .nothing { step = await self.deliverNext() }
        if step == .noDemand { self.waitForEnd() }
      }
    }

    /// Ends the driving if there is no subscriber or no demand. Otherwise, returns `nil`.
    private func stop() -> Step? {
      guarded.withLock { guarded in
        if guarded.subscriber == nil { return .over }
        if guarded.demand > .none { return nil }
        guarded.isDriven = false
        return .noDemand
      }
    }

    private func deliverAvailable() -> Step {
      let handover = EventHandover()
      return pass(observer.poll(handover), handover)
    }

    /// Waits for an element if there is demand, and delivers it.
    private func deliverNext() async -> Step {
      if let stop = stop() { return stop }
      if isOnMainActor {
        await observer.waitForSomething()
        return await deliverOnMainActor()
      }
      let handover = EventHandover()
      let next = await observer.next(handover)
      return pass(next.map(Poll.element) ?? .ended, handover)
    }

    /// Reads and delivers in one turn, so that no state waits for the main actor.
    @MainActor
    private func deliverOnMainActor() -> Step { stop() ?? deliverAvailable() }

    /// Passes what was read to the subscriber.
    private func pass(_ found: Poll<Element>, _ handover: EventHandover) -> Step {
      switch found {
      case .nothing: return .nothing
      case .ended:
        complete()
        return .over
      case .element(let element):
        let subscriber = guarded.withLock { guarded in
          if guarded.subscriber != nil { guarded.demand -= 1 }
          return guarded.subscriber
        }
        guard let subscriber else {
          // The subscriber has cancelled after the read. A kept event returns to its channel.
          handover.giveBack()
          return .over
        }
        let demand = subscriber.receive(element)
        guarded.withLock { $0.demand += demand }
        return .delivered
      }
    }

    private func complete() { guarded.withLock { $0.subscriber.take() }?.complete() }

    /// Waits for the end in a task, unless a task already does. Reads nothing.
    private func waitForEnd() {
      guard guarded.withLock({ $0.subscriber != nil && !exchange(&$0.isWaitingForEnd, with: true) }) else {
        return
      }
      startTask {
        var found = Peek.nothing
        while case .nothing = found {
          await self.observer.waitForSomething()
          found = self.guarded.withLock { self.endOrStop(&$0) }
        }
        guard case .ended = found else { return }
        if self.isOnMainActor { await MainActor.run { self.complete() } } else { self.complete() }
      }
    }

    /// Decides whether the task that waits for the end completes, stops or waits again (`nothing`).
    /// It stops if there is an element, which a request will read, and if there is a driver, which
    /// calls ``waitForEnd()`` when it stops.
    private func endOrStop(_ guarded: inout Guarded) -> Peek {
      let found = guarded.subscriber == nil || guarded.isDriven ? .element : observer.peek()
      if case .nothing = found { return found }
      guarded.isWaitingForEnd = false
      if case .ended = found { guarded.isDriven = true }
      return found
    }

    private func startTask(_ work: @escaping @Sendable () async -> Void) {
      let liveObject = LiveObjectToken(.task, "ObserverPublisher<\(Element.self)>")
      Task {
        defer { liveObject.end() }
        await work()
      }
    }
  }
#endif
