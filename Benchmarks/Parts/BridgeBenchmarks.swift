import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch

/// Compares two ways to wait for a completion handler: the bridge and a bare continuation.
enum BridgeBenchmarks {
  static let bare = "withCheckedThrowingContinuation"
  static let bridge = "withCompletionHandler"
  static let titles = [
    "wait for a callback that comes at once", "wait for a callback that comes from a queue",
  ]

  static var groups: [BenchmarkGroup] {
    let queue = DispatchQueue(label: "service")
    return [
      waiting(titles[0]) { completion in
        completion(.success(1))
        return .finished
      },
      waiting(titles[1]) { completion in
        queue.async { completion(.success(1)) }
        return .finished
      },
    ]
  }

  private typealias Call =
    @Sendable (@escaping @Sendable (Result<Int, any Error>) -> Void) -> CancellationToken

  private static func waiting(_ title: String, _ call: @escaping Call) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Bridges", title: title, unit: "call", reference: bare,
      benchmarks: [
        Benchmark(bare) { iterations in
          for _ in 0..<iterations {
            blackHole(
              try await withCheckedThrowingContinuation { continuation in
                let token = call { continuation.resume(with: $0) }
                blackHole(token)
              })
          }
          return iterations
        },
        Benchmark(bridge) { iterations in
          for _ in 0..<iterations { blackHole(try await withCompletionHandler { call($0) }) }
          return iterations
        },
        Benchmark("\(bridge), with a deadline") { iterations in
          for _ in 0..<iterations {
            blackHole(try await withCompletionHandler(deadline: .seconds(60)) { call($0) })
          }
          return iterations
        },
      ])
  }
}
