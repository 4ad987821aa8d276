import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontServices

/// A reader of a cached product, in one of the two forms. Records what it receives.
final class CacheReader: Sendable {
  struct Log: Sendable {
    var readings: [CacheReading<CatalogProduct>] = []
    var end: Result<Void, any Error>?
    var endCount = 0
  }

  private let log = Monitor(Log())
  private let token: CancellationToken

  init(
    _ form: ServiceForm, _ cache: CachedDetailService<CatalogProduct>, _ id: CatalogProduct.ID = 1,
    revalidating revalidation: Revalidation = .ifStale
  ) {
    let log = log
    switch form {
    case .async:
      let readings = cache.details(of: id, revalidating: revalidation)
      let task = Task {
        let end: Result<Void, any Error>
        do {
          for try await reading in readings { log.update { $0.readings.append(reading) } }
          end = .success(())
        } catch {
          end = .failure(error)
        }
        log.update { ($0.end, $0.endCount) = (end, $0.endCount + 1) }
      }
      token = CancellationToken { task.cancel() }
    case .closure:
      let queue = DispatchQueue(label: "CacheReader")
      token = cache.details(of: id, revalidating: revalidation, on: queue) { reading in
        dispatchPrecondition(condition: .onQueue(queue))
        log.update { $0.readings.append(reading) }
      } completion: { end in
        dispatchPrecondition(condition: .onQueue(queue))
        log.update { ($0.end, $0.endCount) = (end, $0.endCount + 1) }
      }
    }
  }

  /// What the reader has received so far.
  var readings: [CacheReading<CatalogProduct>] { log.snapshot.readings }

  /// The number of times that the reader was told its end.
  var endCount: Int { log.snapshot.endCount }

  func cancel() { token.cancel() }

  /// Waits until the reader has received `count` values. Returns early only if the reader ends.
  func waitForReadings(_ count: Int) async -> [CacheReading<CatalogProduct>] {
    _ = await log.waitUnlessCancelled { $0.readings.count >= count || $0.end != nil }
    return readings
  }

  /// Waits until the reader ends, and returns all that it received.
  ///
  /// - Throws: The error with which the reader ends.
  @discardableResult
  func waitForEnd() async throws -> [CacheReading<CatalogProduct>] {
    guard await log.waitUnlessCancelled(until: { $0.end != nil }) else { throw CancellationError() }
    try log.snapshot.end?.get()
    return readings
  }
}

/// A cache of products whose requests a test answers, with a service of one of the two forms.
final class CacheFixture: Sendable {
  let calls: ScriptedCalls<CatalogProduct.ID, CatalogProduct>
  let clock = VirtualClock()
  let pressure = ScriptedMemoryPressure()
  let cache: CachedDetailService<CatalogProduct>
  private let form: ServiceForm

  /// Creates a cache of 3 products that are fresh for 10 seconds and stale for another 20 seconds.
  init(_ form: ServiceForm, ignoringCancellation: Bool = false) {
    self.form = form
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    let options = CacheOptions(
      maximumAge: .seconds(10), maximumStaleness: .seconds(20), costLimit: 3, clock: clock,
      memoryPressure: pressure)
    let service = ScriptedDetails(calls: calls)
    cache =
      switch form {
      case .async: CachedDetailService(service, options: options)
      case .closure: CachedDetailService(closures: service, options: options)
      }
  }

  /// Starts a reader of a product.
  func reader(
    of id: CatalogProduct.ID = 1, revalidating revalidation: Revalidation = .ifStale
  ) -> CacheReader {
    CacheReader(form, cache, id, revalidating: revalidation)
  }

  /// Requests a product in the form of the service.
  func detail(of id: CatalogProduct.ID = 1) async throws -> CatalogProduct {
    switch form {
    case .async: try await cache.detail(of: id)
    case .closure: try await PendingCall.result { cache.detail(of: id, completion: $0) }
    }
  }

  /// Reads a product that is not stored, so that it is stored.
  func store(_ product: CatalogProduct) async throws {
    let reader = reader(of: product.id, revalidating: .always)
    try await calls.next().succeed(product)
    try await reader.waitForEnd()
  }

  /// Waits until `count` readers wait for the request for a product of the current epoch.
  func waitForReaders(_ count: Int, of id: CatalogProduct.ID = 1) async throws {
    try await until { cache.readerCount(of: id) == count }
  }
}

/// A detail service, in both forms, that answers with the calls of a test.
private struct ScriptedDetails: DetailService, DetailClosureService {
  let calls: ScriptedCalls<CatalogProduct.ID, CatalogProduct>

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct { try await calls(id) }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    calls(id, completion: completion)
  }
}

/// A source of memory pressure that a test controls.
final class ScriptedMemoryPressure: MemoryPressureSource {
  private let handlers = Monitor<[Int: @Sendable () -> Void]>([:])
  private let lastHandler = Monitor(0)

  /// The number of registered handlers.
  var handlerCount: Int { handlers.snapshot.count }

  func register(_ handler: @escaping @Sendable () -> Void) -> CancellationToken {
    let number = lastHandler.update {
      $0 += 1
      return $0
    }
    handlers.update { $0[number] = handler }
    return CancellationToken { [handlers] in
      withExtendedLifetime(handlers.update { $0.removeValue(forKey: number) }) {}
    }
  }

  /// Reports that the system needs memory.
  func send() {
    for handler in handlers.snapshot.values { handler() }
  }
}
