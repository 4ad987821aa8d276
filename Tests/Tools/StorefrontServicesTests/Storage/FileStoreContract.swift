import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Testing

/// What a file store guarantees in both forms.
@Suite("File store", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct FileStoreContract {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "a saved value is loaded by the next store, and only the file is left", arguments: ServiceForm.allCases)
  func roundTrip(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let first = StoreClient(form, try folder.store(tracker, of: String.self))
      #expect(try await first.load() == StoredValue(nil))
      try await first.save("apples")
      try await first.save("pears")
      #expect(try await first.load() == StoredValue("pears"))
      try await first.close()
      #expect(try folder.names == ["note.json"])
      let second = StoreClient(form, try folder.store(tracker, of: String.self))
      #expect(try await second.load() == StoredValue("pears"))
      try await second.close()
    }
  }

  @Test("a cleared store is empty in the next process, too", arguments: ServiceForm.allCases)
  func clear(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let first = StoreClient(form, try folder.store(tracker, of: String.self))
      try await first.save("apples")
      try await first.clear()
      #expect(try await first.load() == StoredValue(nil))
      try await first.close()
      let second = StoreClient(form, try folder.store(tracker, of: String.self))
      #expect(try await second.load() == StoredValue(nil))
      try await second.close()
    }
  }

  @Test("a value that cannot be encoded is named, and the old value stays", arguments: ServiceForm.allCases)
  func unencodable(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let client = StoreClient(form, try folder.store(tracker, of: [String: Double].self))
      try await client.save(["price": 1])
      let before = try folder.bytes()
      let error = await #expect(throws: StorageError.self) { try await client.save(["price": .nan]) }
      guard case .unencodable("note.json", let reason) = error else {
        Issue.record("unexpected: \(String(describing: error))")
        return
      }
      #expect(reason.hasPrefix("price: "))
      #expect(try folder.bytes() == before)
      try await client.save(["price": 2])
      try await client.close()
    }
  }

  @Test("a closed store refuses every call except close", arguments: ServiceForm.allCases)
  func closed(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let client = StoreClient(form, try folder.store(tracker, of: String.self))
      try await client.save("apples")
      try await client.close()
      let error = StorageError.closed(file: "note.json")
      await #expect(throws: error) { _ = try await client.load() }
      await #expect(throws: error) { try await client.save("pears") }
      await #expect(throws: error) { try await client.flush() }
      try await client.close()
      #expect(try folder.bytes() == StoredFile(schema: 1, payload: Array(#""apples""#.utf8)).bytes)
    }
  }

  @Test("a call on the main actor does not wait for the file work", arguments: ServiceForm.allCases)
  @MainActor
  func isolation(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let script = StepScript()
      script.block(.read)
      let client = StoreClient(
        form, try folder.store(tracker, of: String.self, fileSystem: script.fileSystem))
      let calls = (0..<8).map { _ in Task { try await client.load() } }
      await script.waitUntilBlocked()
      // The file work blocks its thread. The main actor and the threads of the concurrency pool are free.
      for _ in 0..<8 { await Task.detached {}.value }
      script.unblock()
      for call in calls { #expect(try await call.value == StoredValue(nil)) }
      try await client.close()
    }
  }

  @Test(
    "a URL that is not the URL of a file is refused",
    arguments: ["https://example.com/note", "file:///tmp/", "file:///"])
  func invalidLocation(url: String) throws {
    let url = try #require(URL(string: url))
    #expect(throws: StorageError.invalidLocation(url.absoluteString)) { try FileStore<String>(at: url) }
  }

  @Test("both forms serve both ports", arguments: ServiceForm.allCases)
  func ports(form: ServiceForm) async throws {
    try await LeakTracker.check { tracker in
      let carts = try folder.store(tracker, of: SavedCart.self)
      let cart: any CartStorage = form == .async ? carts.asClosure.asAsync : carts.asAsync
      var filled = Cart()
      try filled.add(
        CatalogProduct(id: 1, name: "Mug", price: Money(minorUnits: 900, currency: .usd), stock: 5),
        quantity: 2)
      let change = CartChange(product: filled.items[0].product, delta: 1)
      let saved = SavedCart(filled, unanswered: [UnansweredChange(key: IdempotencyKey(), change: change)])
      try await cart.save(saved)
      #expect(try await cart.load() == StoredValue(saved))
      try await carts.close()

      let drafts = tracker.track(
        try FileStore<SavedProfileDraft>(at: folder.url.appending(path: "draft.json")))
      let draft: any ProfileDraftStorage = form == .async ? drafts.asClosure.asAsync : drafts.asAsync
      let form = SavedProfileDraft(
        Profile.Draft(name: "Ad", email: ""), basedOn: Profile(id: 1, name: "Ada", email: "ada@example.com"))
      try await draft.save(form)
      #expect(try await draft.load() == StoredValue(form))
      try await draft.clear()
      #expect(try await draft.load() == StoredValue(nil))
      try await drafts.close()
    }
  }
}
