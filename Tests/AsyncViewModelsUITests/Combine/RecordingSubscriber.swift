#if canImport(Combine)
  import AsyncViewModelsTesting
  import Combine
  import Synchronization

  /// Requests as many values as a test says, and records what it receives.
  ///
  /// `@unchecked Sendable`: the lock guards the recorded values and the subscription.
  final class RecordingSubscriber<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
    private struct Guarded {
      var values: [Input] = []
      var completions = 0
      var running = 0
      var overlaps = 0
      var subscription: UncheckedSubscription?
    }

    private let guarded = Mutex(Guarded())
    private let first: Subscribers.Demand
    private let onValue: @Sendable (Input, any Combine.Subscription) -> Subscribers.Demand

    /// - Parameters:
    ///   - first: The demand at the subscription.
    ///   - onValue: Receives each value and the subscription. Returns the additional demand.
    init(
      requesting first: Subscribers.Demand = .none,
      onValue: @escaping @Sendable (Input, any Combine.Subscription) -> Subscribers.Demand = { _, _ in .none }
    ) {
      self.first = first
      self.onValue = onValue
    }

    var values: [Input] { guarded.withLock { $0.values } }
    var completions: Int { guarded.withLock { $0.completions } }
    /// How many calls began while another call was running.
    var overlaps: Int { guarded.withLock { $0.overlaps } }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
    func cancel() { subscription?.cancel() }

    private var subscription: (any Combine.Subscription)? {
      guarded.withLock { $0.subscription }?.subscription
    }

    func receive(subscription: any Combine.Subscription) {
      let unchecked = UncheckedSubscription(subscription: subscription)
      guarded.withLock { $0.subscription = unchecked }
      if first > .none { subscription.request(first) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      begin { $0.values.append(input) }
      defer { end() }
      return subscription.map { onValue(input, $0) } ?? .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      begin { $0.completions += 1 }
      end()
    }

    private func begin(_ record: (inout Guarded) -> Void) {
      guarded.withLock {
        if $0.running > 0 { $0.overlaps += 1 }
        $0.running += 1
        record(&$0)
      }
    }

    private func end() { guarded.withLock { $0.running -= 1 } }
  }

  /// `@unchecked Sendable`: a subscription may be used on any thread.
  private struct UncheckedSubscription: @unchecked Sendable {
    let subscription: any Combine.Subscription
  }
#endif
