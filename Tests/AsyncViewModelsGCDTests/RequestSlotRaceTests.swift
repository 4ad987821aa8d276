import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("RequestSlot: races", .timeLimit(.minutes(5)), .endsWaits)
struct RequestSlotRaceTests {
  @Test("only the newest request's result is received, and each caller's handler runs once, in caller order")
  func randomSteps() async throws {
    for seed in 1...150 {
      let run = Run()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var random = SplitMix64(seed: UInt64(seed * 4 + thread))
        for _ in 0..<15 { run.step(random.next(in: 0...11)) }
      }
      await run.end()
      let (told, expected) = (run.told.values, run.waiting.values)
      #expect(told == expected, "seed \(seed)")
      #expect(run.staleResults.count == 0, "seed \(seed)")
      #expect(run.results.count > 0)
    }
  }
}

/// Uses one slot in random steps, and records its results and the calls of its completion handlers.
///
/// `@unchecked Sendable`: `queue` guards the variables.
private final class Run: @unchecked Sendable {
  let told = DeliveryLog<Int>()
  let waiting = DeliveryLog<Int>()
  let (results, staleResults) = (Tally(), Tally())
  private let handlers = DeliveryLog<@Sendable (Result<Int, any Error>) -> Void>()
  private let queue = DispatchQueue(label: "requests")
  private let callbackQueue = DispatchQueue(label: "callbacks")
  private var slot: RequestSlot?
  private var (lastNumber, callers) = (0, 0)
  /// The number of the only request whose result may be received.
  private var current: Int?

  init() { slot = RequestSlot(queue: queue, callbackQueue: callbackQueue) }

  /// Starts or begins a request, adds a caller, cancels, or answers any request, depending on `kind`.
  ///
  /// Any thread may call this method.
  func step(_ kind: Int) {
    switch kind {
    case 0...2: queue.async { self.start() }
    case 3: queue.async { self.slot?.notify(self.caller()) }
    case 4: queue.async { self.cancel() }
    case 5: queue.async { self.begin() }
    case 6: slot?.cancel { current = nil }
    default: handlers.values.randomElement()?(.success(0))
    }
  }

  /// Answers every request and releases the slot.
  func end() async {
    await queue.drain()
    queue.async { self.start() }
    await queue.drain()
    for handler in handlers.values { handler(.success(0)) }
    await queue.drain()
    await queue.run {
      self.start()
      self.current = nil
      self.slot = nil
    }
    for handler in handlers.take() { handler(.success(0)) }
    await queue.drain()
    await callbackQueue.drain()
  }

  private func start() {
    lastNumber += 1
    current = lastNumber
    slot?.run(caller()) { handler in
      handlers.append(handler)
      if lastNumber % 5 == 0 { handler(.success(0)) }
      // The service answers a cancelled request with an error, on any thread.
      return CancellationToken { handler(.failure(CancellationError())) }
    } receive: { [weak self, number = lastNumber] _ in
      self?.receive(number)
    }
  }

  private func receive(_ number: Int) {
    results.increment()
    if current != number { staleResults.increment() }
    current = nil
    if number % 7 == 0 { start() }
  }

  private func begin() {
    current = nil
    slot?.begin(caller())
  }

  private func cancel() {
    current = nil
    slot?.cancel()?.cancelOnGlobalQueue()
  }

  /// Returns the completion handler of one more caller.
  private func caller() -> RequestSlot.Completion {
    callers += 1
    waiting.append(callers)
    return { [told, number = callers] in told.append(number) }
  }
}
