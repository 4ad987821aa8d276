import AsyncViewModels
import Dispatch
import Synchronization

extension StressProgram {
  static var callbackStreams: [StressProgram] {
    [
      StressProgram(
        name: "callback-stream-order",
        summary:
          "values arrive in call order; the last value is lost only if the policy drops the newest ones",
        run: callOrder),
      StressProgram(
        name: "callback-stream-leaving",
        summary:
          "a reader that leaves in any way during calls of the source unregisters once, without a deadlock",
        run: leaving),
      StressProgram(
        name: "callback-stream-reentrancy",
        summary: "elements whose deinit cancels the reader or sends again are released without a deadlock",
        run: reentrancy),
    ]
  }

  private static let bufferings: [BufferingPolicy] = [
    .unbounded, .latest, .bounded(2, dropping: .oldest), .bounded(2, dropping: .newest),
  ]

  private static func callOrder(load: Load) async throws {
    for round in 1...12 {
      let service = LockedService()
      let readers = (bufferings + bufferings).map { buffering in
        let stream = AsyncStream(buffering: buffering) { callback in
          // The stream also receives a value that the source sends during the registration.
          callback(0)
          return service.register(callback)
        }
        return Task { (buffering, try await readInOrder(stream)) }
      }
      let last = Mutex(0)
      try await load.inParallel { task in
        for call in 1...100 {
          last.withLock { last in
            last += 1
            service.send(last)
          }
          if call % 16 == 0 { await Task.yield() }
        }
      }
      let total = last.withLock { $0 } + 1
      // The source releases its callbacks, so the streams finish.
      service.call(total)
      for reader in readers {
        let (buffering, numbers) = try await reader.value
        if buffering == .unbounded {
          try expectEqual(numbers, Array(0...total), "the numbers read from an unbounded buffer")
        }
        if buffering != bufferings[3] {
          try expectEqual(numbers.last, total, "the last number under \(buffering)")
        }
        try expect(
          numbers.count > 1 || buffering != bufferings[3], "round \(round): numbers are missing")
      }
      await until { service.unregistrations.value == readers.count }
    }
  }

  private static func readInOrder(_ stream: AsyncStream<Int>) async throws -> [Int] {
    var numbers: [Int] = []
    for await number in stream {
      try expect(number > numbers.last ?? -1, "\(number) came after \(numbers)")
      numbers.append(number)
    }
    return numbers
  }

  private static func leaving(load: Load) async throws {
    let service = LockedService()
    let rounds = 200
    try await load.inParallel { task in
      for round in 1...rounds {
        let buffering = bufferings[(task + round) % bufferings.count]
        let stream = AsyncStream(buffering: buffering) { service.register($0) }
        let reader = Task {
          // A negative number of another task can replace the positive ones in the buffer.
          for await _ in stream where round % 3 == 0 { break }
        }
        if round % 2 == 0 { await Task.yield() }
        switch round % 3 {
        case 0: await atOnce({ service.send(round) }, { service.send(round) })
        case 1: await atOnce({ service.send(round) }, { reader.cancel() }, { reader.cancel() })
        default: await atOnce({ service.call(round) }, { reader.cancel() }, { service.send(round) })
        }
        await reader.value
        service.send(-round)
      }
    }
    await until { service.unregistrations.value == rounds * load.tasks && service.count == 0 }
  }

  private static func reentrancy(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...100 {
        let source = SingleSource()
        let reader = startReader(
          of: source, bufferings[round % bufferings.count], leavesEarly: round % 5 == 0)
        if round % 2 == 0 { await Task.yield() }
        await atOnce({ source.send() }, { if round % 3 == 0 { reader.cancel() } }, { source.send() })
        if round % 3 > 0 { source.end() }
        await reader.value
        await until { source.unregistrations.value == 1 }
        await until { source.freed.value == source.sent.value }
        source.removeReader()
      }
    }
  }

  /// Starts a reader of a new stream. Does not return the stream, so only the reader keeps it alive.
  private static func startReader(
    of source: SingleSource, _ buffering: BufferingPolicy, leavesEarly: Bool
  ) -> Task<Void, Never> {
    let stream = AsyncStream(buffering: buffering) { source.register($0) }
    for number in 1...8 { source.send(cancelsReader: number == 4, sendsAgain: true) }
    let reader = Task { for await _ in stream { if leavesEarly { break } } }
    source.setReader(reader)
    return reader
  }

  /// A source that calls one callback without a lock, with values whose `deinit` cancels the reader or sends
  /// again.
  private final class SingleSource: Sendable {
    let sent = Tally()
    let freed = Tally()
    let unregistrations = Tally()
    private let callback = Mutex<(@Sendable (DeinitAction) -> Void)?>(nil)
    private let reader = Mutex<Task<Void, Never>?>(nil)

    func register(_ callback: @escaping @Sendable (DeinitAction) -> Void) -> CancellationToken {
      self.callback.withLock { $0 = callback }
      return CancellationToken {
        self.unregistrations.add()
        self.end()
      }
    }

    func send(cancelsReader: Bool = false, sendsAgain: Bool = false) {
      guard let callback = callback.withLock({ $0 }) else { return }
      sent.add()
      callback(
        DeinitAction {
          if cancelsReader { self.reader.withLock { $0 }?.cancel() }
          if sendsAgain { self.send() }
          self.freed.add()
        })
    }

    func setReader(_ reader: Task<Void, Never>) { self.reader.withLock { $0 = reader } }

    func removeReader() { _ = reader.withLock { $0.take() } }

    func end() { _ = callback.withLock { $0.take() } }
  }
}
