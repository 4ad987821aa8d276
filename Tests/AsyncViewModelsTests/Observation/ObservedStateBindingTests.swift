import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// The guarantees of a binding for a view that does not track observable objects.
@Suite("ObservedState: bindings", .timeLimit(.minutes(1)))
@MainActor
struct ObservedStateBindingTests {
  private let state = ObservableState(Badge(title: "Cart", count: 0))

  @Test("a bound property receives the current value at once, then each later one")
  func property() async {
    let (observed, label) = (makeObserved(), Label())
    let tokens = [
      observed.bind(\.title, to: \.text, on: label), observed.bind(\.count, to: \.number, on: label),
    ]
    #expect(label.text == "Cart")
    #expect(label.number == 0)
    state.send(Badge(title: "Basket", count: 3))
    await observed.wait { $0.count == 3 }
    #expect(label.text == "Basket")
    #expect(label.number == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("a bound property is not set to an equal value again")
  func duplicates() async {
    let (observed, label) = (makeObserved(), Label())
    let token = observed.bind(\.title, to: \.text, on: label)
    for count in 1...10 {
      state.send(Badge(title: count < 6 ? "Cart" : "Basket", count: count))
      await observed.wait { $0.count == count }
    }
    #expect(label.assignments == ["Cart", "Basket"])
    token.cancel()
  }

  @Test("after its token is cancelled or dropped, a binding sets nothing")
  func cancellation() async {
    let (observed, label, dropped) = (makeObserved(), Label(), Label())
    let token = observed.bind(\.title, to: \.text, on: label)
    _ = observed.bind(\.title, to: \.text, on: dropped)
    token.cancel()
    state.send(Badge(title: "Basket", count: 1))
    await observed.wait { $0.count == 1 }
    #expect(label.assignments == ["Cart"])
    #expect(dropped.assignments == ["Cart"])
  }

  @Test("a binding that an earlier one cancels during a delivery does not run")
  func cancelledByAnother() async {
    let (observed, label) = (makeObserved(), Label())
    var second: CancellationToken?
    let first = observed.bind(on: label) { _, badge in if badge.count == 1 { second?.cancel() } }
    second = observed.bind(\.title, to: \.text, on: label)
    state.send(Badge(title: "Basket", count: 1))
    await observed.wait { $0.count == 1 }
    #expect(label.assignments == ["Cart"])
    first.cancel()
  }

  @Test("all bindings see a value in the order of binding before any of them sees the next")
  func order() async {
    let (observed, seen) = (makeObserved(), SeenValues<String>())
    let tokens = ["a", "b", "c"].map { name in
      observed.bind(on: seen) { seen, badge in seen.values.append("\(name)\(badge.count)") }
    }
    seen.values = []
    state.send(Badge(title: "", count: 1))
    await observed.wait { $0.count == 1 }
    let last = seen.values.suffix(3)
    #expect(Array(last) == ["a1", "b1", "c1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a binding keeps neither its target nor its source alive and ends with its target")
  func lifetime() async throws {
    let observed = makeObserved()
    var runs = 0
    let token = try await LeakTracker.check { tracker in
      let label = tracker.track(Label())
      return observed.bind(on: label) { _, _ in runs += 1 }
    }
    #expect(runs == 1)
    state.send(Badge(title: "", count: 1))
    await observed.wait { $0.count == 1 }
    #expect(runs == 1)

    let orphan = try await LeakTracker.check { tracker in
      tracker.track(makeObserved()).bind(on: observed) { _, _ in }
    }
    orphan.cancel()
    token.cancel()
  }

  @Test("a token can be cancelled on any thread while values are delivered")
  func cancellationElsewhere() async {
    let (observed, seen) = (makeObserved(), SeenValues<Int>())
    for round in 1...200 {
      let token = observed.bind(on: seen) { seen, badge in seen.values.append(badge.count) }
      let elsewhere = Task.detached { token.cancel() }
      state.send(Badge(title: "", count: round))
      await observed.wait { $0.count == round }
      await elsewhere.value
      let before = seen.values.count
      state.send(Badge(title: "", count: -round))
      await observed.wait { $0.count == -round }
      #expect(seen.values.count == before)
    }
  }

  private func makeObserved() -> ObservedState<Badge> { ObservedState(state.value, state.stream()) }
}

private struct Badge: Equatable {
  var title: String
  var count: Int
}

/// A replacement for `UILabel`, whose text is optional.
@MainActor
private final class Label {
  private(set) var assignments: [String?] = []
  var text: String? { didSet { assignments.append(text) } }
  var number = 0
}
