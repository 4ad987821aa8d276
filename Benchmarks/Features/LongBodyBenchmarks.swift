import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A list of 15 MB over HTTP: the memory to receive and decode it, and how long a caller waits who gives it up.
///
/// The server runs in this process, so its memory counts, too, for all variants.
enum LongBodyBenchmarks {
  static let memoryTitle = "a list of 15 MB"
  static let promptnessTitle = "calls that end early, while 15 MB arrive or are decoded"
  /// The metrics of the second group: each is the longest time of a batch.
  static let cancelReturns = "cancel() returns"
  static let cancelEnds = "a cancelled call ends"
  static let deadlineOverrun = "a deadline is exceeded by"

  static let groups = [memory, promptness]

  static let list: String = {
    let order = #"{"id":1,"total":{"minorUnits":1250,"currency":"EUR"},"itemCount":2,"status":"shipped"}"#
    return "[\(Array(repeating: order, count: 175_000).joined(separator: ","))]"
  }()

  private static func startServer() throws -> (LoopbackHTTPServer, URL) {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 1))
    let url = try server.start()
    server.fail(next: .max, with: .body(list))
    return (server, url)
  }

  // MARK: - Memory

  private typealias Request = @Sendable () async throws -> [Order]

  private static var memory: BenchmarkGroup {
    BenchmarkGroup(
      section: "Services", title: memoryTitle, unit: "request", reference: ServiceBenchmarks.bare,
      benchmarks: [
        request(ServiceBenchmarks.bare) { url in
          let session = URLSession(configuration: .ephemeral)
          return {
            let body: Data = try await withCheckedThrowingContinuation { continuation in
              session.dataTask(with: url.appending(path: "orders")) { body, _, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(body ?? Data()))
              }.resume()
            }
            return try JSONDecoder().decode([Order].self, from: body)
          }
        },
        request(ServiceBenchmarks.asyncForm) { url in
          let storefront = try HTTPStorefront(baseURL: url)
          return { try await storefront.orders() }
        },
        request(ServiceBenchmarks.closureForm) { url in
          let storefront = try HTTPClosureStorefront(baseURL: url)
          return { try await withCompletionHandler { storefront.orders(completion: $0) } }
        },
      ])
  }

  private static func request(
    _ variant: String, _ makeRequest: @escaping @Sendable (URL) throws -> Request
  ) -> Benchmark {
    Benchmark(variant) {
      let (server, url) = try startServer()
      let request = try makeRequest(url)
      return Workload(
        run: { iterations in
          for _ in 0..<iterations { blackHole(try await request()) }
          return iterations
        }, tearDown: { server.stop() })
    }
  }

  // MARK: - Calls that end early

  /// A call that has begun.
  private struct Call: Sendable {
    let cancel: @Sendable () -> Void
    let end: @Sendable () async -> Void
  }

  private typealias Start = @Sendable () -> Call

  private static var promptness: BenchmarkGroup {
    BenchmarkGroup(
      section: "Services", title: promptnessTitle, unit: "call", reference: ServiceBenchmarks.asyncForm,
      benchmarks: [
        endings(ServiceBenchmarks.asyncForm) { url, options in
          let storefront = try HTTPStorefront(baseURL: url, options: options)
          return {
            let call = Task { try await storefront.orders() }
            return Call(cancel: { call.cancel() }, end: { _ = await call.result })
          }
        },
        endings(ServiceBenchmarks.closureForm) { url, options in
          let storefront = try HTTPClosureStorefront(baseURL: url, options: options)
          return {
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let token = storefront.orders { _ in end.finish() }
            return Call(cancel: { token.cancel() }, end: { for await _ in ends {} })
          }
        },
      ])
  }

  private static let deadline = Duration.milliseconds(100)

  private static func endings(
    _ variant: String, _ makeStart: @escaping @Sendable (URL, HTTPOptions) throws -> Start
  ) -> Benchmark {
    Benchmark(variant) {
      let (server, url) = try startServer()
      let start = try makeStart(url, HTTPOptions(retry: .none))
      let startWithDeadline = try makeStart(
        url, HTTPOptions(limits: HTTPLimits(deadline: deadline), retry: .none))
      let latest = Mutex<[String: Duration]>([:])
      return Workload(
        run: { iterations in
          var longest: [String: Duration] = [:]
          func note(_ name: String, _ time: Duration) { longest[name] = max(longest[name] ?? .zero, time) }
          let clock = ContinuousClock()
          for _ in 0..<iterations {
            // Before the first byte, while the body arrives, and while it is decoded.
            for delay in [0, 15, 120] {
              let call = start()
              try await Task.sleep(for: .milliseconds(delay))
              let begin = clock.now
              call.cancel()
              note(cancelReturns, clock.now - begin)
              await call.end()
              note(cancelEnds, clock.now - begin)
            }
            let begin = clock.now
            await startWithDeadline().end()
            note(deadlineOverrun, clock.now - begin - deadline)
          }
          latest.withLock { [longest] in $0 = longest }
          return iterations * 4
        },
        metrics: {
          latest.withLock { $0 }.sorted { $0.key < $1.key }.map {
            Metric($0.key, unit: "ms", $0.value / .milliseconds(1))
          }
        }, tearDown: { server.stop() })
    }
  }
}
