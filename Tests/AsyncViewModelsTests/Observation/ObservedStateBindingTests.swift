import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// What a binding promises to a view that has no observation of its own.
@Suite("ObservedState: bindings", .timeLimit(.minutes(1)))
@MainActor
struct ObservedStateBindingTests {
  private let state = ObservableState(Badge(title: "Cart", count: 0))

  @Test("a property has its value at once, then each later one")
  func property() async {
    let (mirror, label) = (makeMirror(), Label())
    let tokens = [
      mirror.bind(\.title, to: \.text, on: label), mirror.bind(\.count, to: \.number, on: label),
    ]
    #expect(label.text == "Cart")
    #expect(label.number == 0)
    state.send(Badge(title: "Basket", count: 3))
    await mirror.wait { $0.count == 3 }
    #expect(label.text == "Basket")
    #expect(label.number == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("a property is not set again to what it is")
  func duplicates() async {
    let (mirror, label) = (makeMirror(), Label())
    let token = mirror.bind(\.title, to: \.text, on: label)
    for count in 1...10 {
      state.send(Badge(title: count < 6 ? "Cart" : "Basket", count: count))
      await mirror.wait { $0.count == count }
    }
    #expect(label.assignments == ["Cart", "Basket"])
    token.cancel()
  }

  @Test("after a cancel nothing is set, whether the token is cancelled or dropped")
  func cancellation() async {
    let (mirror, label, dropped) = (makeMirror(), Label(), Label())
    let token = mirror.bind(\.title, to: \.text, on: label)
    _ = mirror.bind(\.title, to: \.text, on: dropped)
    token.cancel()
    state.send(Badge(title: "Basket", count: 1))
    await mirror.wait { $0.count == 1 }
    #expect(label.assignments == ["Cart"])
    #expect(dropped.assignments == ["Cart"])
  }

  @Test("a binding that one before it ends while a value is delivered is not run any more")
  func cancelledByAnother() async {
    let (mirror, label) = (makeMirror(), Label())
    var second: CancellationToken?
    let first = mirror.bind(on: label) { _, badge in if badge.count == 1 { second?.cancel() } }
    second = mirror.bind(\.title, to: \.text, on: label)
    state.send(Badge(title: "Basket", count: 1))
    await mirror.wait { $0.count == 1 }
    #expect(label.assignments == ["Cart"])
    first.cancel()
  }

  @Test("all bindings see a value, in their order, before any of them sees the next")
  func order() async {
    let (mirror, seen) = (makeMirror(), SeenValues<String>())
    let tokens = ["a", "b", "c"].map { name in
      mirror.bind(on: seen) { seen, badge in seen.values.append("\(name)\(badge.count)") }
    }
    seen.values = []
    state.send(Badge(title: "", count: 1))
    await mirror.wait { $0.count == 1 }
    let last = seen.values.suffix(3)
    #expect(Array(last) == ["a1", "b1", "c1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a binding keeps neither its target nor the mirror, and ends with its target")
  func lifetime() async throws {
    let mirror = makeMirror()
    var runs = 0
    let token = try await LeakTracker.check { tracker in
      let label = tracker.track(Label())
      return mirror.bind(on: label) { _, _ in runs += 1 }
    }
    #expect(runs == 1)
    state.send(Badge(title: "", count: 1))
    await mirror.wait { $0.count == 1 }
    #expect(runs == 1)

    let orphan = try await LeakTracker.check { tracker in
      tracker.track(makeMirror()).bind(on: mirror) { _, _ in }
    }
    orphan.cancel()
    token.cancel()
  }

  @Test("a token may be cancelled from anywhere, while values are delivered")
  func cancellationElsewhere() async {
    let (mirror, seen) = (makeMirror(), SeenValues<Int>())
    for round in 1...200 {
      let token = mirror.bind(on: seen) { seen, badge in seen.values.append(badge.count) }
      let elsewhere = Task.detached { token.cancel() }
      state.send(Badge(title: "", count: round))
      await mirror.wait { $0.count == round }
      await elsewhere.value
      let before = seen.values.count
      state.send(Badge(title: "", count: -round))
      await mirror.wait { $0.count == -round }
      #expect(seen.values.count == before)
    }
  }

  private func makeMirror() -> ObservedState<Badge> { ObservedState(state.value, state.stream()) }
}

private struct Badge: Equatable {
  var title: String
  var count: Int
}

/// Stands in for a label of UIKit, whose text is optional.
@MainActor
private final class Label {
  private(set) var assignments: [String?] = []
  var text: String? { didSet { assignments.append(text) } }
  var number = 0
}
