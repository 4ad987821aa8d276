import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Foundation
import StorefrontDomain
import StorefrontServices
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The services over HTTP: the time of a request, from the call to the decoded page, and the requests per second.
///
/// The reference is a bare `URLSession` that decodes the same JSON, without limits, rules and deadlines.
enum ServiceBenchmarks {
  static let bare = "URLSession"
  static let asyncForm = "async form"
  static let closureForm = "closure form"
  static let widths = [1, 64]
  static let throughput = "throughput"
  static let latency = "latency, 99th percentile"

  static func groups(server: ServerProcess) -> [BenchmarkGroup] {
    widths.map { requests(atATime: $0, server) }
  }

  static func title(atATime count: Int) -> String {
    count == 1 ? "1 request at a time" : "\(count) requests at a time"
  }

  private typealias Request = @Sendable (PageRequest) async throws -> Page<CatalogProduct>

  private static func requests(atATime width: Int, _ server: ServerProcess) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Services", title: title(atATime: width), unit: "request", reference: bare,
      benchmarks: [
        benchmark(bare, width) { bareRequest(to: try server.url) },
        benchmark(asyncForm, width) {
          let storefront = try HTTPStorefront(baseURL: try server.url)
          return { try await storefront.page($0) }
        },
        benchmark(closureForm, width) {
          let storefront = try HTTPClosureStorefront(baseURL: try server.url)
          return { request in
            try await withCompletionHandler { storefront.page(request, completion: $0) }
          }
        },
      ]
    ).onServer
  }

  private static func benchmark(
    _ variant: String, _ width: Int, _ makeRequest: @escaping @Sendable () throws -> Request
  ) -> Benchmark {
    Benchmark(variant) {
      let request = try makeRequest()
      let latest = Mutex<(latencies: [Duration], duration: Duration)>(([], .zero))
      return Workload(
        run: { iterations in
          let start = ContinuousClock.now
          let measured = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for _ in 0..<width {
              group.addTask { try await Self.latencies(of: iterations, request) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
          }
          let duration = ContinuousClock.now - start
          latest.withLock { $0 = (measured, duration) }
          return iterations * width
        },
        metrics: {
          let (latencies, duration) = latest.withLock { $0 }
          let sorted = latencies.sorted()
          guard let value = sorted.dropFirst(sorted.count * 99 / 100).first else { return [] }
          return [
            Metric(throughput, unit: "requests/s", Double(sorted.count) / (duration / .seconds(1))),
            Metric(latency, unit: "µs", value / .microseconds(1)),
          ]
        })
    }
  }

  /// The time of each of `count` requests, one after the other.
  private static func latencies(of count: Int, _ request: Request) async throws -> [Duration] {
    var latencies: [Duration] = []
    for index in 0..<count {
      let start = ContinuousClock.now
      blackHole(try await request(PageRequest(index: index % 5, size: 20)))
      latencies.append(ContinuousClock.now - start)
    }
    return latencies
  }

  private static func bareRequest(to url: URL) -> Request {
    let session = URLSession(configuration: .ephemeral)
    return { request in
      let query = "products?page=\(request.index ?? 0)&size=\(request.size)"
      guard let address = URL(string: "\(url)/\(query)") else { throw URLError(.badURL) }
      let body: Data = try await withCheckedThrowingContinuation { continuation in
        session.dataTask(with: address) { body, _, error in
          continuation.resume(with: error.map { .failure($0) } ?? .success(body ?? Data()))
        }.resume()
      }
      return try JSONDecoder().decode(Page<CatalogProduct>.self, from: body)
    }
  }
}
