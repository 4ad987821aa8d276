//// hazard: nil response never resumes
func fetchAvatar(_ client: AvatarClient, id: Int) async throws -> Data {
  try await withCheckedThrowingContinuation { continuation in
    client.avatar(id: id) { data, error in
      if let error {
        continuation.resume(throwing: error)
      } else if let data {
        continuation.resume(returning: data)
      }  // ← here
    }
  }
}

//// hazard: error is thrown and then the value returned
final class Geocoder {
  private let geocoder = CLGeocoder()

  func place(_ address: String) async throws -> CLPlacemark? {
    try await withCheckedThrowingContinuation { (c: CheckedContinuation<CLPlacemark?, Error>) in
      geocoder.geocodeAddressString(address) { marks, error in
        if let error = error {
          c.resume(throwing: error)
        }
        c.resume(returning: marks?.first)  // ← here
      }
    }
  }
}

//// hazard: weak self drops the continuation
final class BluetoothScanner {
  private let central: CentralDevice
  private var names: [String] = []
  init(central: CentralDevice) { self.central = central }

  func scan() async -> [String] {
    await withCheckedContinuation { continuation in
      central.scan { [weak self] found in
        guard let self else { return }  // ← here
        self.names = found
        continuation.resume(returning: found)
      }
    }
  }
}

//// hazard: a switch case forgets to resume
func purchaseState(of transaction: LegacyTransaction) async throws -> String {
  try await withUnsafeThrowingContinuation { continuation in
    transaction.observe { state in
      switch state {  // ← here
      case .purchased:
        continuation.resume(returning: "purchased")
      case .failed(let error):
        continuation.resume(throwing: error)
      case .deferred:
        print("waiting for a parent")
      }
    }
  }
}

//// hazard: a handler that comes for each value resumes each time
func firstReachablePath() async -> Bool {
  let monitor = NWPathMonitor()
  return await withCheckedContinuation { continuation in
    monitor.pathUpdateHandler = { path in
      continuation.resume(returning: path.status == .satisfied)  // ← here
    }
    monitor.start(queue: .global())
  }
}

//// hazard: two delegate callbacks can both resume the stored continuation
final class LocationFetcher: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private var continuation: CheckedContinuation<CLLocation, Error>?

  func current() async throws -> CLLocation {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      manager.requestLocation()
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last else { return }
    continuation?.resume(returning: location)  // ← here
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    continuation?.resume(throwing: error)
    continuation = nil
  }
}

//// hazard: observation change waits forever after cancellation
@MainActor
final class CartBadgeUpdater {
  let cart: CartModel
  let badge: Badge
  init(cart: CartModel, badge: Badge) { self.cart = cart; self.badge = badge }

  func run() async {
    while !Task.isCancelled {
      badge.count = cart.items.count
      await withCheckedContinuation { next in  // ← here
        withObservationTracking {
          _ = cart.items
        } onChange: {
          next.resume()
        }
      }
    }
  }
}

//// hazard: the early return leaves the caller waiting
extension ImageDecoderQueue {
  func decode(_ data: Data) async -> DecodedImage? {
    await withCheckedContinuation { continuation in
      guard !data.isEmpty else { return }  // ← here
      enqueue(data) { image in
        continuation.resume(returning: image)
      }
    }
  }
}

//// harmless: each branch resumes once
func fetchAvatar(_ client: AvatarClient, id: Int) async throws -> Data {
  try await withCheckedThrowingContinuation { continuation in
    client.avatar(id: id) { data, error in
      if let error {
        continuation.resume(throwing: error)
      } else if let data {
        continuation.resume(returning: data)
      } else {
        continuation.resume(throwing: URLError(.badServerResponse))
      }
    }
  }
}

//// harmless: resume with a result
extension LegacyClient {
  func user(id: Int) async throws -> User {
    try await withCheckedThrowingContinuation { continuation in
      user(id: id) { continuation.resume(with: $0) }
    }
  }
}

//// harmless: stored continuation is taken before it is resumed
@MainActor
final class LocationFetcher: NSObject, @MainActor CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private var continuation: CheckedContinuation<CLLocation, Error>?

  func current() async throws -> CLLocation {
    guard continuation == nil else { throw LocationError.busy }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        self.continuation = continuation
        manager.requestLocation()
      }
    } onCancel: {
      Task { @MainActor in self.finish(.failure(CancellationError())) }
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last else { return }
    finish(.success(location))
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    finish(.failure(error))
  }

  private func finish(_ result: Result<CLLocation, Error>) {
    let waiting = continuation
    continuation = nil
    waiting?.resume(with: result)
  }
}

//// harmless: guard resumes before it returns
final class Geocoder {
  private let geocoder = CLGeocoder()

  func place(_ address: String) async throws -> CLPlacemark {
    try await withCheckedThrowingContinuation { c in
      geocoder.geocodeAddressString(address) { marks, error in
        guard let mark = marks?.first else {
          c.resume(throwing: error ?? GeocodingError.noResult)
          return
        }
        c.resume(returning: mark)
      }
    }
  }
}

//// harmless: the monitor stops after its first value
import Synchronization

func firstPathStatus() async -> Bool {
  let monitor = NWPathMonitor()
  let waiting = Mutex<CheckedContinuation<Bool, Never>?>(nil)
  return await withCheckedContinuation { continuation in
    waiting.withLock { $0 = continuation }
    monitor.pathUpdateHandler = { path in
      let first = waiting.withLock { stored in
        defer { stored = nil }
        return stored
      }
      first?.resume(returning: path.status == .satisfied)
    }
    monitor.start(queue: .global())
  }
}

//// harmless: stream continuation may yield often
func ticks(_ source: TickSource) -> AsyncStream<Int> {
  AsyncStream { continuation in
    source.onTick = { value in
      continuation.yield(value)
    }
    source.onEnd = { continuation.finish() }
    continuation.onTermination = { _ in source.stop() }
  }
}

//// harmless: a local function lets the first answer resume
func token(from source: TokenSource) async throws -> Token {
  try await withCheckedThrowingContinuation { continuation in
    let lock = NSLock()
    var isSettled = false
    func settleOnce(_ body: () -> Void) {
      lock.lock()
      let runs = !isSettled
      isSettled = true
      lock.unlock()
      if runs { body() }
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) {
      settleOnce { continuation.resume(throwing: TimeoutError()) }
    }
    source.token { token in settleOnce { continuation.resume(returning: token) } }
  }
}

//// harmless: a local closure resumes, and tasks call it
func state() async -> NetworkState? {
  await withCheckedContinuation { continuation in
    let lock = NSLock()
    var didResume = false
    let resume: (NetworkState?) -> Void = { value in
      lock.lock()
      defer { lock.unlock() }
      guard !didResume else { return }
      didResume = true
      continuation.resume(returning: value)
    }
    Task { await resume(fetch()) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 3) { resume(nil) }
  }
}

//// harmless: stored on one path, and resumed after the unlock on the other
import Synchronization

final class HandOff: Sendable {
  private struct State {
    var value: Int?
    var waiting: CheckedContinuation<Int, Never>?
  }
  private let state = Mutex(State())

  func take() async -> Int {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Int? in
        if let value = state.value.take() { return value }
        state.waiting = continuation
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }

  func wait() async -> Int {
    await withCheckedContinuation { continuation in
      let isStored = state.withLock { state in
        guard state.value == nil else { return false }
        state.waiting = continuation
        return true
      }
      guard !isStored else { return }
      continuation.resume(returning: 0)
    }
  }

  func put(_ value: Int) {
    let waiting = state.withLock { state in
      state.value = value
      return state.waiting.take()
    }
    waiting?.resume(returning: value)
  }
}

//// harmless: an atomic exchange lets one call resume
import Synchronization

final class Promise: @unchecked Sendable {
  private let phase = Atomic(0)
  private var reader: CheckedContinuation<Int, Never>?

  func publish(_ value: Int) {
    if !leave(0, for: 1) { reader?.resume(returning: value) }
  }

  private func leave(_ old: Int, for new: Int) -> Bool {
    phase.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
  }
}

//// hazard: an actor forgets its waiter
actor Mailbox {
  private var waiters: [Int: CheckedContinuation<Mail, Error>] = [:]
  private var next = 0
  func receive() async throws -> Mail {
    let id = next
    next += 1
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiters[id] = $0 }
    } onCancel: {
      Task { await self.drop(id) }
    }
  }
  private func drop(_ id: Int) { waiters[id] = nil }  // ← here
}

//// harmless: cancellation resumes
actor Mailbox {
  private var waiters: [Int: CheckedContinuation<Mail, Error>] = [:]
  private var next = 0
  func receive() async throws -> Mail {
    let id = next
    next += 1
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiters[id] = $0 }
    } onCancel: {
      Task { await self.drop(id) }
    }
  }
  private func drop(_ id: Int) { waiters.removeValue(forKey: id)?.resume(throwing: CancellationError()) }
}

//// harmless: let self in a closure that runs in place
final class StoreViewController {
  func closeAccount() async throws {
    try await withCheckedThrowingContinuation { [weak self] continuation in
      guard let self else { return }
      stores.close { continuation.resume(with: $0) }
    }
  }
}

//// harmless: a local flag lets the first answer resume
func image(_ loader: Loader) async -> Image {
  await withCheckedContinuation { continuation in
    var hasReceived = false, isOpen = true
    loader.load { image in
      guard hasReceived == false else { return }
      continuation.resume(returning: image)
      hasReceived = true
    }
    loader.onFailure = {
      if isOpen {
        isOpen = false
        continuation.resume(returning: .empty)
      }
    }
  }
}

//// hazard: the task around does not keep the owner
final class AccountModel {
  func close() {
    Task { [weak self] in
      await withCheckedContinuation { continuation in
        guard let self else { return }  // ← here
        self.stores.close { continuation.resume() }
      }
    }
  }
}
