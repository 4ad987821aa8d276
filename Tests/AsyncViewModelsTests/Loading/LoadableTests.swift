import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("Loadable", .timeLimit(.minutes(5)), .endsWaits)
struct LoadableTests {
  /// What a screen shows.
  private static func look<Value>(_ content: ViewState<Value>) -> String {
    switch content {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded(let value): "loaded \(value)"
    case .failed(let error): "failed \(error)"
    case .empty: "empty"
    }
  }

  private static func look(_ load: Loadable<Int>) -> String {
    var look = look(load.content)
    if load.isReloading { look += ", reloading" }
    if let failure = load.reloadFailure { look += ", failed \(failure)" }
    return look
  }

  @Test("the first load shows that it is running, and then its value or its error")
  func firstLoad() {
    var load = Loadable<Int>()
    #expect(Self.look(load) == "idle")
    load.begin()
    #expect(Self.look(load) == "loading")
    load.receive(.failure(Refused()))
    #expect(Self.look(load) == "failed \(Refused())")
    #expect(load.failure is Refused)
    load.begin()
    #expect(Self.look(load) == "loading")
    #expect(load.failure == nil)
    #expect(load.lastFailure is Refused, "a retry can join the load of a failed value")
    load.receive(.success(1))
    #expect(load.lastFailure == nil)
    #expect(Self.look(load) == "loaded 1")
    #expect(load.value == 1 && load.failure == nil && !load.isLoading)
  }

  @Test("a reload keeps the value, a failed one adds the failure, and a success removes the failure")
  func reload() {
    var load = Loadable(1)
    load.begin()
    #expect(Self.look(load) == "loaded 1, reloading")
    load.receive(.failure(Refused()))
    #expect(Self.look(load) == "loaded 1, failed \(Refused())")
    load.begin()
    #expect(Self.look(load) == "loaded 1, reloading")
    load.receive(.success(2))
    #expect(Self.look(load) == "loaded 2")
  }

  @Test("a cancelled load shows again what was shown before", arguments: [true, false])
  func cancelled(byOutcome: Bool) {
    var failed = Loadable<Int>()
    failed.begin()
    failed.receive(.failure(Refused()))
    var failedAgain = Loadable(1)
    failedAgain.begin()
    failedAgain.receive(.failure(Refused()))
    for before in [Loadable(), Loadable(1), failed, failedAgain] {
      var load = before
      load.begin()
      #expect(load != before)
      if byOutcome { load.receive(.cancelled) } else { load.cancel() }
      #expect(load == before)
      #expect(Self.look(load) == Self.look(before))
    }
  }

  @Test("an outcome is ignored unless a load is in progress, also after the load was cancelled")
  func late() {
    var load = Loadable(1)
    load.receive(.success(2))
    load.receive(.failure(Refused()))
    load.begin()
    load.cancel()
    load.receive(.success(3))
    #expect(Self.look(load) == "loaded 1")
  }

  @Test("a collection without elements is empty, also while it is loaded again")
  func empty() {
    var load = Loadable([1])
    #expect(Self.look(load.content) == "loaded [1]")
    load.begin()
    load.receive(.success([]))
    #expect(Self.look(load.content) == "empty")
    load.begin()
    #expect(Self.look(load.content) == "empty")
    #expect(Self.look(Loadable<[Int]>().content) == "idle")
  }

  @Test("an update changes the value in place, and throws what its body throws")
  func update() throws {
    var load = Loadable([1])
    #expect(load.update { $0.append(2) } != nil)
    #expect(load.value == [1, 2])
    #expect(throws: Refused.self) { try load.update { _ in throw Refused() } }
    var missing = Loadable<[Int]>()
    #expect(missing.update { $0.append(2) } == nil)
    #expect(missing.value == nil)
  }

  @Test("without its value, a value that is loaded again is loading, and a failed one has failed")
  func removedValue() {
    var load = Loadable(1)
    load.begin()
    load.receive(.failure(Refused()))
    load.removeValue()
    #expect(Self.look(load) == "failed \(Refused())")
    load.begin()
    load.receive(.success(1))
    load.begin()
    load.removeValue()
    #expect(Self.look(load) == "loading")
  }

  @Test("a mapped value has the same load and the same failure")
  func mapped() {
    var load = Loadable(1)
    #expect(load.compactMap { $0 + 1 } == Loadable(2))
    load.begin()
    load.receive(.failure(Refused()))
    #expect(Self.look(load.compactMap { $0 + 1 }) == "loaded 2, failed \(Refused())")
    load.begin()
    #expect(Self.look(load.compactMap { $0 + 1 }) == "loaded 2, reloading")
    #expect(Self.look(load.compactMap { $0 > 1 ? $0 : nil }) == "loading")
  }

  @Test("equal values look the same: value, load and the description of the failure")
  func equality() {
    #expect(Loadable(1) == Loadable(1))
    #expect(Loadable(1) != Loadable(2))
    let states = [nil, Refused(), CancellationError()].map { (error: (any Error)?) in
      var load = Loadable(1)
      if let error {
        load.begin()
        load.receive(.failure(error))
      }
      return load
    }
    for (index, state) in states.enumerated() {
      #expect(states.map { $0 == state } == states.indices.map { $0 == index })
    }
  }
}
