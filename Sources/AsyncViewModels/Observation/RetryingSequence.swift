/// A sequence that starts again after an error, with delays between the attempts.
///
/// Use this sequence to read from a connection that can break, such as a web socket:
///
/// ```swift
/// let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(30), jitter: 0.5)
/// connection = RetryingSequence(policy) { [socket] in
///   try await socket.connect()
/// }.observe(on: self) { chat, message in
///   chat.show(message)
/// } completion: { chat, result in
///   chat.close(result)
/// }
/// ```
///
/// A sequence that has thrown an error cannot continue, so each attempt makes a new sequence. An attempt fails
/// if `makeSequence` or the sequence that it returns throws. If the ``RetryPolicy`` allows a retry, the next
/// attempt begins after the delay of the policy. Otherwise, the retrying sequence throws the error of the
/// failed attempt. An attempt that yields an element, and fails later than the ``RetryPolicy/stableTime`` of the policy after
/// its sequence was made, resets the number of consecutive retries. So a connection that greets and dies reaches the limit.
///
/// The retrying sequence ends when an attempt ends without an error. If a server closes a feed that has no end, pass an
/// `endError`: the end of an attempt then counts as a failure with this error. The retrying sequence delivers each element of an attempt
/// once. If the sequence of a new attempt begins with earlier elements, they are delivered again.
///
/// - Isolation: The attempts run in the reading task, on the reader's actor. There is no other task, so no
///   element is read before the reader requests it.
/// - Cancellation: If the reading task is cancelled, the sequence ends without an error. A wait for a retry
///   then ends at once. If an attempt throws an error that reports a cancellation although the reading task is
///   not cancelled, the sequence throws that error and does not retry.
/// - Ownership: The sequence retains `makeSequence` and its captures. If a view model stores the token of
///   `observe`, `makeSequence` must not capture that view model. Capture the properties that it needs instead,
///   as in `[socket]`.
/// - Complexity: Adds O(1) to each element.
public struct RetryingSequence<Base: AsyncSequence>: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = Base.Element
  /// The type of the errors.
  public typealias Failure = any Error

  private let policy: RetryPolicy
  private let clock: any Clock<Duration>
  private let endError: (any Error)?
  private let generator: any RandomNumberGenerator & Sendable
  private let makeSequence: @Sendable () async throws -> Base

  /// Creates a sequence that reads the sequences of `makeSequence`, one for each attempt.
  ///
  /// - Parameters:
  ///   - policy: How often to retry, and how long to wait.
  ///   - clock: Measures the waits and the attempts.
  ///   - endError: The error of an attempt whose sequence ends without one, or `nil` if the end of an attempt also ends this
  ///     sequence.
  ///   - generator: The source of the jitter. Each iterator uses a copy of it.
  ///   - makeSequence: Makes the sequence of one attempt, for example by connecting. It runs on the reader's
  ///     actor.
  public init(
    _ policy: RetryPolicy, clock: any Clock<Duration> = ContinuousClock(), endError: (any Error)? = nil,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    _ makeSequence: @escaping @Sendable () async throws -> Base
  ) {
    self.policy = policy
    self.clock = clock
    self.endError = endError
    self.generator = generator
    self.makeSequence = makeSequence
  }

  /// Creates an iterator, which begins its first attempt when the first element is requested.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads the elements of a ``RetryingSequence``. Only one task can use an iterator.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: RetryingSequence
    private var isFinished = false
    private var attempt: Base.AsyncIterator?
    private var retries = 0
    /// When the sequence of the attempt was made.
    private var began = Duration.zero
    private var hasYielded = false
    private var generator: any RandomNumberGenerator & Sendable
    private let stopwatch: Stopwatch

    fileprivate init(_ sequence: RetryingSequence) {
      self.sequence = sequence
      generator = sequence.generator
      stopwatch = Stopwatch(sequence.clock)
    }

    /// Returns the next element, or `nil` at the end or if the task is cancelled. Stays on the caller's
    /// actor.
    ///
    /// - Throws: The error of the last attempt. After the error, the iterator returns `nil`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      while !isFinished, !Task.isCancelled {
        do {
          if attempt == nil {
            attempt = try await sequence.makeSequence().makeAsyncIterator()
            began = stopwatch.elapsed()
          }
          if let element = try await attempt?.next(isolation: actor) {
            hasYielded = true
            return element
          }
          guard let endError = sequence.endError else { break }
          throw endError
        } catch {
          attempt = nil
          if Task.isCancelled { break }
          let wasStable = hasYielded && stopwatch.elapsed() - began >= sequence.policy.stableTime
          hasYielded = false
          retries = wasStable ? 1 : retries + 1
          let wait = sequence.policy.delay(beforeRetry: retries, using: &generator)
          guard let wait, !error.isCancellation else {
            isFinished = true
            throw error
          }
          if wait > .zero {
            // The sleep throws only if the task is cancelled. The cancellation ends the loop.
            try? await sequence.clock.sleep(for: Swift.min(wait, .longestDelay))
          } else {
            // Attempts that fail at once must not occupy a thread that other tasks need.
            await Task.yield()
          }
        }
      }
      isFinished = true
      if Task.isCancelled { await attempt?.noticeCancellation(isolation: actor) }
      attempt = nil
      return nil
    }

    /// Returns the next element, or `nil` at the end or if the task is cancelled.
    public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }
  }
}

@available(*, unavailable, message: "an iterator can be used by one task only")
extension RetryingSequence.Iterator: Sendable {}
