public import Synchronization

extension AsyncStream {
  /// Combines the latest elements of several sequences into a stream of tuples.
  ///
  /// Use this initializer for a view model whose state depends on the states of several other view
  /// models:
  ///
  /// ```swift
  /// for await (cart, profile) in AsyncStream(combiningLatest: cart.states(), profile.states()) {
  ///   show(total: cart.total, currency: profile.currency)
  /// }
  /// ```
  ///
  /// | Topic | Guarantee |
  /// | --- | --- |
  /// | First tuple | Yielded when every input has yielded an element. |
  /// | Consistency | A tuple has the latest element of each input. No later tuple has an older element. |
  /// | Slow reader | Continues with the latest tuple. It delays no input. |
  /// | Last tuple | Never lost. It has the last element of each input. |
  /// | End | After the last tuple, when all inputs have ended. At once if an input ends without yielding. |
  /// | Cancellation | If the reading task is cancelled or the stream is released, the task that reads the inputs is cancelled at once, on the same thread. Streams among the inputs end, even if they are kept elsewhere. |
  ///
  /// Do not combine two projections of one state: they arrive one by one, so a tuple can mix two of
  /// its states. Use one projection to a struct, such as
  /// `states(of: { Pair($0.total, $0.count) })`.
  ///
  /// - Isolation: None. From this call on, a task of the stream reads the inputs, on no actor.
  /// - Ownership: The task retains the inputs, so the stream keeps alive only what its inputs keep
  ///   alive. An input that ignores the cancellation is released after its next element.
  /// - Complexity: One task, and a child task for each input. Each element resumes the child task
  ///   of its input and takes two locks. Building a tuple is O(number of inputs).
  @export(implementation)
  public init<each Input: Sendable>(
    combiningLatest input: repeat any AsyncSequence<each Input, Never> & Sendable
  ) where Element == (repeat each Input) {
    let tuples = EventStorage<Element>()
    let latest = LatestElements<repeat each Input>(tuples)
    self.init(observer: tuples.makeObserver(.latest), named: "combined streams") {
      await withTaskGroup(of: Bool.self) { group in
        func read<Value: Sendable>(
          _ input: any AsyncSequence<Value, Never> & Sendable, into place: LatestElement<Value>
        ) {
          group.addTask { await forward(input) { latest.receive($0, in: place) } }
        }
        repeat read(each input, into: each latest.places)
        for await hasYielded in group where !hasYielded {
          // No tuple can follow. The stream ends without waiting for inputs that ignore the
          // cancellation.
          Waiter.wakeAll(tuples.finish())
          group.cancelAll()
        }
      }
      Waiter.wakeAll(tuples.finish())
    }
  }
}

/// The latest elements of the inputs of `AsyncStream(combiningLatest:)`.
@usableFromInline
final class LatestElements<each Element: Sendable>: Sendable {
  @usableFromInline let places: (repeat LatestElement<each Element>)
  @usableFromInline let tuples: EventStorage<(repeat each Element)>
  /// Guards the elements of `places`. Tuples are posted while this lock is held, so that they keep
  /// their order.
  @usableFromInline let lock = Mutex(())

  @export(implementation)
  init(_ tuples: EventStorage<(repeat each Element)>) {
    self.tuples = tuples
    places = (repeat LatestElement<each Element>())
  }

  @export(implementation)
  func receive<Value>(_ element: Value, in place: LatestElement<Value>) {
    let (replaced, posted) = lock.withLock { _ in
      let replaced = exchange(&place.element, with: element)
      let tuple = try? (repeat (each places).get())
      return (replaced, tuple.flatMap { tuples.post($0) })
    }
    // The replaced element is released after the unlock: its `deinit` can run any code.
    withExtendedLifetime(replaced) { posted?.resume() }
  }
}

/// The latest element of one input.
///
/// `@unchecked Sendable`: the lock of ``LatestElements`` guards the element.
@usableFromInline
final class LatestElement<Element: Sendable>: @unchecked Sendable {
  @usableFromInline
  struct Missing: Error {
    @usableFromInline init() {}
  }

  @usableFromInline var element: Element?

  @usableFromInline init() {}

  @export(implementation)
  func get() throws(Missing) -> Element {
    guard let element else { throw Missing() }
    return element
  }
}

/// Calls `receive` for each element of `input` until the input ends or the task is cancelled.
///
/// Returns whether `receive` was called.
@export(implementation)
func forward<Input: AsyncSequence>(
  _ input: Input, to receive: (Input.Element) -> Void
) async -> Bool where Input.Failure == Never {
  var hasYielded = false
  var iterator = input.makeAsyncIterator()
  while let element = await iterator.next(isolation: #isolation) {
    if Task.isCancelled {
      await iterator.noticeCancellation()
      break
    }
    receive(element)
    hasYielded = true
  }
  return hasYielded
}

extension AsyncStream where Element: Sendable {
  /// Creates a stream that reads from `observer`, and a task that runs `send`. That task is
  /// cancelled when the stream is released, or when the task that reads the stream is cancelled.
  @export(implementation)
  init(
    observer: BufferedObserver<Element>, named name: String,
    from send: @escaping @Sendable () async -> Void
  ) {
    let liveObject = LiveObjectToken(.task, name)
    let task = Task {
      defer { liveObject.end() }
      await send()
    }
    let token = CancellationToken(onCancel: task.cancel)
    self.init(
      unfolding: {
        defer { withExtendedLifetime(token) {} }
        return await observer.next(isolation: nil)
      },
      onCancel: {
        observer.leave()
        token.cancel()
      })
  }
}
