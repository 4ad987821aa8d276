import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Synchronization

/// What a view model of one stage sees of the world: services, a storage and a feed.
final class Surroundings: Sendable {
  typealias Completion<Value: Sendable> = @Sendable (Result<Value, any Error>) -> Void

  /// A call, and its possible answers. The contents of an answer depend on the number of the call.
  struct Request<Value: Sendable>: Sendable {
    let text: String
    /// Whether the call is made for a certain account. Most reads are made for the newest one.
    var hasAccount = false
    let answers: @Sendable (_ number: Int) -> [Result<Value, any Error>]
  }

  let stage: MigrationStage
  /// Which services a view model has. Each feature has its own variants.
  let variant: Int
  /// Whether a view model reads for a certain account.
  let readsHaveAccounts: Bool
  let recording: Recording
  let feed = InMemoryProductFeed()
  let center = CountingNotificationCenter()
  let outside: Outside

  init(_ variant: Int, readsHaveAccounts: Bool, _ recording: Recording) {
    guard let stage = MigrationStage(rawValue: recording.stage) else {
      preconditionFailure("no stage \(recording.stage)")
    }
    self.stage = stage
    self.variant = variant
    self.readsHaveAccounts = readsHaveAccounts
    self.recording = recording
    outside = recording.kept(acrossRestarts: true) { Outside() }
    recording.watch("stored cart") { [unowned self] in line(of: outside.savedCart) }
    recording.watch("stored draft") { [outside] in outside.savedDraft.map { "\($0)" } ?? "none" }
    recording.watch("readers of the feed") { [feed] in feed.readerCount }
  }

  var world: SimulatedWorld { recording.world }
  var account: AccountVersion { outside.account }

  func publish(_ product: Int) {
    feed.publish(ProductUpdate(product: .init(rawValue: product), stock: outside.nextStock()))
  }

  func ask<Value>(_ request: Request<Value>) async throws -> Value {
    try await recording.request(text(of: request), answers: request.answers)
  }

  func ask<Value>(_ request: Request<Value>, _ completion: @escaping Completion<Value>) -> CancellationToken {
    CancellationToken(
      onCancel:
        recording.request(text(of: request), answers: request.answers, completion: completion))
  }

  private func text<Value>(of request: Request<Value>) -> String {
    request.text + (request.hasAccount ? " for \(outside.name(of: .current))" : "")
  }
}

/// What survives the end of the app: the storage, and the accounts of the script.
final class Outside: Sendable {
  private struct State {
    var account = 0
    var stock = 20
    var keys: [IdempotencyKey: Int] = [:]
    var savedCart = SavedCart()
    var savedDraft: SavedProfileDraft?
  }

  private let accounts = (0..<3).map { _ in AccountVersion.advance() }
  private let state = Mutex(State())

  /// No account of a script is the newest one.
  init() { AccountVersion.advance() }

  var account: AccountVersion { accounts[state.withLock { $0.account }] }
  func changeAccount() { state.withLock { $0.account = min($0.account + 1, accounts.count - 1) } }
  func name(of account: AccountVersion) -> String {
    accounts.firstIndex(of: account).map { "account \($0)" } ?? "an unknown account"
  }

  func nextStock() -> Int {
    state.withLock { state in
      state.stock += 1
      return state.stock
    }
  }

  /// A number instead of a random key, which differs between the stages.
  func number(of key: IdempotencyKey) -> Int {
    state.withLock { state in
      let number = state.keys[key] ?? state.keys.count
      state.keys[key] = number
      return number
    }
  }

  var savedCart: SavedCart { state.withLock { $0.savedCart } }
  var savedDraft: SavedProfileDraft? { state.withLock { $0.savedDraft } }
  func store(_ cart: SavedCart) { state.withLock { $0.savedCart = cart } }
  func store(_ draft: SavedProfileDraft?) { state.withLock { $0.savedDraft = draft } }
}
