import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Synchronization
import Testing

/// What the closure stage cannot do, and the later stages can.
@Suite("Dashboard: limitations of the closure stage", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardClosureLimitations {
  private let script = DashboardScript()
  private let queue = DispatchQueue(label: "callbacks")

  @Test("a second observer silently replaces the first one")
  func oneObserver() async throws {
    let model = makeModel()
    let (first, second) = (Gate(), Gate())
    let bindings = [
      model.bind { if $0.isLoading { first.open() } }, model.bind { if $0.isLoading { second.open() } },
    ]
    model.load()
    await second.wait()
    queue.sync {}
    #expect(!first.isOpen)
    withExtendedLifetime(bindings) {}
  }

  @Test(
    "after a cancel, the closure stage's callback delivers earlier states; the async stage's stream does not")
  func deliveryAfterCancel() async throws {
    let model = makeModel()
    let seen = Seen()
    queue.suspend()
    let binding = model.bind { seen.note($0.isLoading) }
    model.load()
    _ = try await script.nextOfEach()
    model.cancel()
    #expect(seen.all == [])
    queue.resume()
    queue.sync {}
    #expect(seen.all == [false, true, false])
    withExtendedLifetime(binding) {}

    let destination = DashboardViewModel(
      profile: script.profile, orders: script.orders, recommendations: script.recommendations)
    var states = destination.states().makeAsyncIterator()
    async let load: Void = destination.load()
    _ = try await script.nextOfEach()
    await destination.cancel()
    await load
    #expect(await states.next()?.isLoading == false)
  }

  @Test("a slow observer receives every state and does not skip to the latest")
  func noConflation() async throws {
    let model = makeModel()
    let seen = Seen()
    queue.suspend()
    let binding = model.bind { seen.note($0.isLoading) }
    // Other tests change the account of the process.
    try await AccountVersion.current.run {
      model.load()
      for call in try await script.nextOfEach() { call.succeed(1) }
      queue.resume()
      await loaded(model)
    }
    #expect(seen.all == [false, true, true, true, false])
    withExtendedLifetime(binding) {}
  }

  #if os(macOS) || os(Linux)
    @Test("a service that calls `cancel()` on the view model during a request ends the process")
    func reentrance() async {
      await #expect(processExitsWith: .failure) {
        let script = DashboardScript()
        let profile = ReentrantProfileService()
        let model = DashboardClosureViewModel(
          profile: profile, orders: script.orders, recommendations: script.recommendations,
          callbackQueue: DispatchQueue(label: "callbacks"))
        let survived = Gate()
        profile.onRequest.withLock {
          $0 = { [weak model] in
            model?.cancel()
            survived.open()
          }
        }
        model.load()
        await survived.wait()
      }
    }
  #endif

  private func makeModel() -> DashboardClosureViewModel {
    DashboardClosureViewModel(
      profile: script.profile, orders: script.orders, recommendations: script.recommendations,
      callbackQueue: queue)
  }

  private func loaded(_ model: DashboardClosureViewModel) async {
    let done = Gate()
    model.load { done.open() }
    await done.wait()
  }
}

/// The values that an observer has received.
private final class Seen: Sendable {
  private let values = Mutex<[Bool]>([])

  var all: [Bool] { values.withLock { $0 } }

  func note(_ value: Bool) { values.withLock { $0.append(value) } }
}

/// A service that calls a handler during each request.
private final class ReentrantProfileService: ProfileClosureService {
  let onRequest = Mutex<@Sendable () -> Void>({})

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    onRequest.withLock { $0 }()
    return .finished
  }
}
