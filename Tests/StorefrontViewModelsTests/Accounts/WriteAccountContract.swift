import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// The account for which the profile, the posts and the page of a product send a write.
@Suite("Accounts of writes", .timeLimit(.minutes(5)), .endsWaits)
struct WriteAccountContract {
  @Test(
    "a save that waits for its queue is sent for the account of the intent",
    arguments: [MigrationStage.closure, .stream])
  func save(stage: MigrationStage) async throws {
    let service = RecordingProfileService()
    try await LeakTracker.check { tracker in
      let model = stage.makeProfile(service: service, closures: service)
      tracker.track(model.subject)
      await model.load()
      service.unblock.signal()
      try await service.base.loads.next().succeed(.ada)
      await model.settle()
      try model.edit(.name, to: "Ada King")
      // The service blocks the queue of the view model while another user signs in.
      await model.refresh()
      let before = AccountVersion.current.number
      let saved = model.save()
      let accounts = before..<AccountVersion.advance().number
      service.unblock.signal()
      try await service.base.loads.next().succeed(.ada)
      try await service.base.saves.next().succeed(.ada)
      try await saved.value
      #expect(accounts.contains(try #require(service.accounts.first).number))
    }
  }

  @Test(
    "a restoration that waits for the deletion is sent for the account of the intent",
    arguments: MigrationStage.allCases)
  func restoration(stage: MigrationStage) async throws {
    let service = RecordingPostService()
    try await LeakTracker.check { tracker in
      let model = stage.makePosts(service: service, pageSize: 10)
      tracker.track(model.subject)
      await model.load()
      try await service.base.loads.next().succeed(.numbered(1...3))
      await model.settle()
      let states = StateRecorder(model.states())
      let deleted = model.delete(2)
      let deletion = try await service.base.deletions.next()
      let before = AccountVersion.current.number
      let restored = model.restore(2)
      try await states.first { $0.restorationCount == 1 }
      let accounts = before..<AccountVersion.advance().number
      deletion.succeed()
      try await deleted.value
      try await service.base.restorations.next().succeed()
      try await restored.value
      #expect(accounts.contains(try #require(service.accounts.first).number))
    }
  }

  @Test("a save in the async stage is sent for the account of the intent")
  func asyncSave() async throws {
    let service = RecordingProfileService()
    try await LeakTracker.check { tracker in
      let model = MigrationStage.async.makeProfile(service: service, closures: service)
      tracker.track(model.subject)
      await model.load()
      try await service.base.loads.next().succeed(.ada)
      await model.settle()
      for number in 0..<20 {
        try model.edit(.name, to: "Ada \(number)")
        let before = AccountVersion.current.number
        let saved = model.save()
        let accounts = before..<AccountVersion.advance().number
        try await service.base.saves.next().succeed(
          Profile(id: 1, name: "Ada \(number)", email: Profile.ada.email, version: number + 2))
        try await saved.value
        #expect(accounts.contains(service.accounts[number].number))
      }
    }
  }

  @Test(
    "units that a page adds while its queue is busy are sent for the account of the intent",
    arguments: [MigrationStage.closure, .stream])
  func productPage(stage: MigrationStage) async throws {
    let (cart, details) = (BlockingCart(), ScriptedDetailService<CatalogProduct>())
    let model = CartViewModel()
    let shared = SharedCartDriver(model, cart: model, closures: cart) {
      model.states(.unbounded)
    } removal: {
      try await model.remove($0)
    }
    let page = stage.makeProductPage(itemID: CatalogProduct.apple.id, service: details, cart: shared)
    await page.load()
    try await details.calls.next().succeed(.apple)
    await page.settle()
    let first = page.add()
    await cart.isBlocked.wait()
    let before = AccountVersion.current.number
    let second = page.add()
    let accounts = before..<AccountVersion.advance().number
    cart.unblock.signal()
    try await first.value
    try await second.value
    #expect(accounts.contains(cart.accounts[1].number))
  }

  @Test("a change of a cart of the async stage in its other form is sent for the account of the intent")
  func sharedCart() async throws {
    let service = ScriptedCartService()
    try await LeakTracker.check { tracker in
      let cart = MigrationStage.async.makeSharedCart(service: service)
      tracker.track(cart.subject)
      for number in 0..<20 {
        let (added, before) = (Gate(), AccountVersion.current.number)
        cart.closures.add(.nail, quantity: 1) { _ in added.open() }
        let accounts = before..<AccountVersion.advance().number
        try await service.calls.next().succeed()
        await added.wait()
        #expect(accounts.contains(service.accounts[number].number))
      }
    }
  }
}

/// A cart that records the accounts of the changes, and blocks the first one until `unblock` is signaled.
private final class BlockingCart: SharedClosureCart {
  let isBlocked = Gate()
  let unblock = DispatchSemaphore(value: 0)
  let state = CartState(hasService: false)
  private let recorded = Mutex<[AccountVersion]>([])

  var accounts: [AccountVersion] { recorded.withLock { $0 } }

  func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (CartState) -> Void
  ) -> CancellationToken { .finished }

  func add(
    _ product: CatalogProduct, quantity: Int,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let count = recorded.withLock { accounts in
      accounts.append(.current)
      return accounts.count
    }
    if count == 1 {
      isBlocked.open()
      unblock.wait()
    }
    completion(.success(()))
  }
}

/// A profile service that records the accounts of the saves. With completion handlers, it blocks each load until `unblock` is
/// signaled.
private final class RecordingProfileService: ProfileEditingService, ProfileEditingClosureService {
  let base = ScriptedProfileEditingService()
  let unblock = DispatchSemaphore(value: 0)
  private let recorded = Mutex<[AccountVersion]>([])

  var accounts: [AccountVersion] { recorded.withLock { $0 } }

  func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> CancellationToken {
    unblock.wait()
    return base.profile(completion: completion)
  }

  func profile() async throws -> Profile { try await base.profile() }

  func save(_ draft: Profile.Draft, basedOn version: Int) async throws -> Profile {
    recorded.withLock { $0.append(.current) }
    return try await base.save(draft, basedOn: version)
  }

  func save(
    _ draft: Profile.Draft, basedOn version: Int,
    completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
  ) -> CancellationToken {
    recorded.withLock { $0.append(.current) }
    return base.save(draft, basedOn: version, completion: completion)
  }
}

/// A post service that records the accounts of the restorations.
private final class RecordingPostService: PostService, PostClosureService {
  let base = ScriptedPostService()
  private let recorded = Mutex<[AccountVersion]>([])

  var accounts: [AccountVersion] { recorded.withLock { $0 } }

  func posts(_ page: PageRequest) async throws -> Page<Post> { try await base.posts(page) }

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    base.posts(page, completion: completion)
  }

  func delete(_ id: Post.ID) async throws { try await base.delete(id) }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    base.delete(id, completion: completion)
  }

  func restore(_ id: Post.ID) async throws {
    recorded.withLock { $0.append(.current) }
    try await base.restore(id)
  }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    recorded.withLock { $0.append(.current) }
    return base.restore(id, completion: completion)
  }
}
