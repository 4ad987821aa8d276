import AsyncViewModels
import Synchronization

extension StressProgram {
  static var throwingCallbackStreams: [StressProgram] {
    [
      StressProgram(
        name: "throwing-callback-stream",
        summary:
          "a stream yields all values in order, then ends or throws; a reader that leaves is unregistered",
        run: failing)
    ]
  }

  private struct Broken: Error {}

  private static func failing(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...200 {
        let service = LockedService()
        let completion = Mutex<(@Sendable (Result<Void, any Error>) -> Void)?>(nil)
        let stream = AsyncThrowingStream(buffering: .unbounded) { receive, complete in
          completion.withLock { $0 = complete }
          return service.register(receive)
        }
        let reader = Task {
          var numbers: [Int] = []
          do {
            for try await number in stream {
              numbers.append(number)
              if round % 5 == 4 { break }
            }
            return (numbers, false)
          } catch {
            return (numbers, error is Broken)
          }
        }
        if round % 2 == 0 { await Task.yield() }
        let complete = completion.withLock { $0.take() }
        await atOnce(
          {
            for number in 1...5 { service.send(number) }
            complete?(round % 2 == 0 ? .success(()) : .failure(Broken()))
          }, { if round % 5 == 3 { reader.cancel() } })
        let (numbers, isBroken) = await reader.value
        if round % 5 < 3 {
          try expectEqual(numbers, Array(1...5), "the numbers")
          try expectEqual(isBroken, round % 2 == 1, "whether the stream has thrown")
        }
        // Keeps the stream alive after its reader has left the loop. `call` then releases the remaining
        // callback.
        withExtendedLifetime(stream) {}
        service.call(0)
        await until { service.count == 0 }
      }
    }
  }
}
