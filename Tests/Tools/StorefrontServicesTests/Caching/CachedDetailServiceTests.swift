import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Testing

/// What readers of a cache receive: the rules are the same for both forms.
@Suite("Cached detail service", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct CachedDetailServiceTests {
  private typealias Reading = CacheReading<CatalogProduct>

  private func product(_ id: CatalogProduct.ID, stock: Int = 1) -> CatalogProduct {
    CatalogProduct(id: id, name: "Bowl", price: Money(minorUnits: 900, currency: .usd), stock: stock)
  }

  @Test("a reader without a stored value receives the loaded value", arguments: ServiceForm.allCases)
  func empty(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    let reader = fixture.reader()
    let call = try await fixture.calls.next()
    #expect(reader.readings.isEmpty)
    call.succeed(product(1))
    #expect(try await reader.waitForEnd() == [.fresh(product(1))])
    #expect(reader.endCount == 1)
  }

  @Test("a fresh value needs no request, unless the reader asks for one", arguments: ServiceForm.allCases)
  func fresh(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    try await fixture.store(product(1))
    let age = Duration.seconds(10) - .nanoseconds(1)
    fixture.clock.advance(by: age)
    #expect(try await fixture.reader().waitForEnd() == [.cached(product(1), age: age)])
    #expect(try await fixture.detail() == product(1))
    #expect(fixture.calls.requests == [1])
    let reader = fixture.reader(revalidating: .always)
    #expect(await reader.waitForReadings(1) == [.cached(product(1), age: age)])
    try await fixture.calls.next().succeed(product(1, stock: 2))
    #expect(try await reader.waitForEnd().last == .fresh(product(1, stock: 2)))
    #expect(try await fixture.detail() == product(1, stock: 2))
  }

  @Test("a stale value arrives before the loaded one, until it expires", arguments: ServiceForm.allCases)
  func stale(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    for (age, isStale) in [(10, true), (29, true), (30, false)] {
      try await fixture.store(product(1))
      fixture.clock.advance(by: .seconds(age))
      let reader = fixture.reader()
      let call = try await fixture.calls.next()
      let cached = isStale ? [Reading.cached(product(1), age: .seconds(age))] : []
      #expect(await reader.waitForReadings(cached.count) == cached)
      call.succeed(product(1, stock: age))
      #expect(try await reader.waitForEnd() == cached + [.fresh(product(1, stock: age))])
      fixture.cache.removeAll()
    }
  }

  @Test("a caller that receives one value never receives a stale one", arguments: ServiceForm.allCases)
  func oneValue(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    try await fixture.store(product(1))
    fixture.clock.advance(by: .seconds(10))
    async let detail = fixture.detail()
    try await fixture.calls.next().succeed(product(1, stock: 2))
    let loaded = try await detail
    #expect(loaded == product(1, stock: 2))
    #expect(try await fixture.detail() == product(1, stock: 2))
    #expect(fixture.calls.requests.count == 2)
  }

  @Test("the age counts from the start of the request", arguments: ServiceForm.allCases)
  func slowRequest(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    let reader = fixture.reader()
    let call = try await fixture.calls.next()
    fixture.clock.advance(by: .seconds(9))
    call.succeed(product(1))
    try await reader.waitForEnd()
    #expect(try await fixture.reader().waitForEnd() == [.cached(product(1), age: .seconds(9))])
  }

  @Test("an error follows the stored value, which stays with its age", arguments: ServiceForm.allCases)
  func failure(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    try await fixture.store(product(1))
    fixture.clock.advance(by: .seconds(20))
    for _ in 1...2 {
      let reader = fixture.reader()
      try await fixture.calls.next().fail(ServiceError.offline)
      await #expect(throws: ServiceError.offline) { try await reader.waitForEnd() }
      #expect(reader.readings == [.cached(product(1), age: .seconds(20))])
      #expect(reader.endCount == 1)
    }
    let detail = Task { try await fixture.detail() }
    try await fixture.calls.next().fail(ServiceError.offline)
    await #expect(throws: ServiceError.offline) { try await detail.value }
  }

  @Test("an item that the service no longer has is removed", arguments: ServiceForm.allCases)
  func notFound(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    try await fixture.store(product(1))
    let reader = fixture.reader(revalidating: .always)
    try await fixture.calls.next().fail(ServiceError.notFound("product 1"))
    await #expect(throws: ServiceError.notFound("product 1")) { try await reader.waitForEnd() }
    #expect(reader.readings.count == 1)
    let next = fixture.reader()
    try await fixture.calls.next().succeed(product(1))
    #expect(try await next.waitForEnd() == [.fresh(product(1))])
  }

  @Test("concurrent readers of one item share one request", arguments: ServiceForm.allCases)
  func sharing(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    let readers = (1...3).map { _ in fixture.reader() }
    let other = fixture.reader(of: 2)
    let calls = try await [fixture.calls.next(), fixture.calls.next()]
    try await fixture.waitForReaders(3)
    for call in calls { call.succeed(product(call.request)) }
    for reader in readers { #expect(try await reader.waitForEnd() == [.fresh(product(1))]) }
    #expect(try await other.waitForEnd() == [.fresh(product(2))])
    #expect(Set(fixture.calls.requests) == [1, 2] && fixture.calls.requests.count == 2)
  }

  @Test("the request is cancelled when its last reader leaves", arguments: ServiceForm.allCases)
  func leaving(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    let (first, second) = (fixture.reader(), fixture.reader())
    let call = try await fixture.calls.next()
    try await fixture.waitForReaders(2)
    first.cancel()
    try await fixture.waitForReaders(1)
    #expect(!call.isCancelled)
    second.cancel()
    await call.waitForCancellation()
    #expect(first.readings.isEmpty && second.readings.isEmpty)
    // A stream ends, and a callback is not called any more.
    if form == .async {
      try await first.waitForEnd()
      try await second.waitForEnd()
    }
    let third = fixture.reader()
    try await fixture.calls.next().succeed(product(1))
    #expect(try await third.waitForEnd() == [.fresh(product(1))])
  }

  @Test("a value that was requested before a removal is not stored", arguments: ServiceForm.allCases)
  func removal(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    let removals = [
      { fixture.cache.removeAll() }, { fixture.cache.removeDetail(of: 1) }, { fixture.pressure.send() },
    ]
    for remove in removals {
      let before = fixture.reader()
      let old = try await fixture.calls.next()
      remove()
      let after = fixture.reader()
      let new = try await fixture.calls.next()
      new.succeed(product(1, stock: 2))
      #expect(try await after.waitForEnd() == [.fresh(product(1, stock: 2))])
      old.succeed(product(1, stock: 1))
      #expect(try await before.waitForEnd() == [.fresh(product(1, stock: 1))])
      #expect(try await fixture.detail() == product(1, stock: 2))
      remove()
      let last = fixture.reader()
      let call = try await fixture.calls.next()
      remove()
      call.succeed(product(1, stock: 3))
      try await last.waitForEnd()
      #expect(fixture.cache.count == 0, "the request was older than the removal")
    }
  }

  @Test(
    "an abandoned request that ends late does not replace a newer value", arguments: ServiceForm.allCases)
  func abandoned(form: ServiceForm) async throws {
    let fixture = CacheFixture(form, ignoringCancellation: true)
    let first = fixture.reader()
    let old = try await fixture.calls.next()
    first.cancel()
    await old.waitForCancellation()
    try await fixture.store(product(1, stock: 2))
    old.succeed(product(1, stock: 1))
    #expect(try await fixture.detail() == product(1, stock: 2))
  }

  @Test(
    "the least recently used items leave, and a memory warning removes all", arguments: ServiceForm.allCases)
  func memory(form: ServiceForm) async throws {
    let fixture = CacheFixture(form)
    for id in 1...4 { try await fixture.store(product(CatalogProduct.ID(rawValue: id))) }
    #expect(fixture.cache.count == 3)
    #expect(try await fixture.detail(of: 2) == product(2))
    fixture.pressure.send()
    #expect(fixture.cache.count == 0)
    let reader = fixture.reader(of: 2)
    try await fixture.calls.next().succeed(product(2))
    #expect(try await reader.waitForEnd() == [.fresh(product(2))])
  }

  @Test(
    "a released cache ends its registration and is not kept by its readers", arguments: ServiceForm.allCases)
  func lifetime(form: ServiceForm) async throws {
    let pressure = try await LeakTracker.check { tracker in
      let fixture = tracker.track(CacheFixture(form))
      tracker.track(fixture.cache)
      try await fixture.store(product(1))
      #expect(fixture.pressure.handlerCount == 1)
      let reader = tracker.track(fixture.reader(of: 2))
      let call = try await fixture.calls.next()
      reader.cancel()
      await call.waitForCancellation()
      return fixture.pressure
    }
    #expect(pressure.handlerCount == 0)
    pressure.send()
  }

  @Test("leaving the loop ends the reader, and so does a stream that is never read")
  func leavingTheLoop() async throws {
    typealias Call = ScriptedCall<CatalogProduct.ID, CatalogProduct>
    let fixture = CacheFixture(.async)
    try await fixture.store(product(1))
    // The readers leave after the call: a request that is cancelled before it begins makes no call.
    func readOne() async throws -> (reading: Reading, call: Call)? {
      for try await reading in fixture.cache.details(of: 1, revalidating: .always) {
        let call = try await fixture.calls.next()
        return (reading, call)
      }
      return nil
    }
    let first = try #require(try await readOne())
    #expect(first.reading == .cached(product(1), age: .zero))
    await first.call.waitForCancellation()
    let unread: Call
    do {
      let readings = fixture.cache.details(of: 2)
      unread = try await fixture.calls.next()
      withExtendedLifetime(readings) {}
    }
    await unread.waitForCancellation()
    #expect(fixture.cache.count == 1)
  }
}
