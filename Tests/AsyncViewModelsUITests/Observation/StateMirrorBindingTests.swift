import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Testing
import ToolkitTestSupport

/// The guarantees of a binding for a view that does not track observable objects.
@Suite("StateMirror: bindings", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct StateMirrorBindingTests {
  private let model = StateModel(Badge(title: "Cart", count: 0))

  @Test("a bound property is set to the current value at once, and to a new value after a change")
  func property() async throws {
    let (observed, label) = (StateMirror(model), Label())
    let tokens = [
      observed.bind(\.title, to: \.text, on: label), observed.bind(\.count, to: \.number, on: label),
    ]
    let seen = SeenValues(of: observed)
    #expect(label.text == "Cart")
    #expect(label.number == 0)
    model.send(Badge(title: "Basket", count: 3))
    try await seen.wait { $0.count == 3 }
    #expect(label.text == "Basket")
    #expect(label.number == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("a bound property is not set to an equal value again")
  func duplicates() async throws {
    let (observed, label) = (StateMirror(model), Label())
    let token = observed.bind(\.title, to: \.text, on: label)
    let seen = SeenValues(of: observed)
    for count in 1...10 {
      model.send(Badge(title: count < 6 ? "Cart" : "Basket", count: count))
      try await seen.wait { $0.count == count }
    }
    #expect(label.assignments == ["Cart", "Basket"])
    token.cancel()
  }

  @Test("a bound property keeps a value that other code has set, until the projection changes")
  func assignedElsewhere() async throws {
    let (observed, label) = (StateMirror(model), Label())
    let token = observed.bind(\.title, to: \.text, on: label)
    let seen = SeenValues(of: observed)
    label.text = "typed"
    model.send(Badge(title: "Cart", count: 1))
    try await seen.wait { $0.count == 1 }
    #expect(label.text == "typed")
    model.send(Badge(title: "Basket", count: 2))
    try await seen.wait { $0.count == 2 }
    #expect(label.text == "Basket")
    token.cancel()
  }

  @Test("after its token is cancelled or dropped, a binding sets nothing")
  func cancellation() async throws {
    let (observed, label, dropped) = (StateMirror(model), Label(), Label())
    let token = observed.bind(\.title, to: \.text, on: label)
    _ = observed.bind(\.title, to: \.text, on: dropped)
    let seen = SeenValues(of: observed)
    token.cancel()
    model.send(Badge(title: "Basket", count: 1))
    try await seen.wait { $0.count == 1 }
    #expect(label.assignments == ["Cart"])
    #expect(dropped.assignments == ["Cart"])
  }

  @Test("a binding that an earlier binding cancels during a delivery does not run")
  func cancelledByAnother() async throws {
    let (observed, label) = (StateMirror(model), Label())
    var second: CancellationToken?
    let first = observed.bind(on: label) { _, badge in if badge.count == 1 { second?.cancel() } }
    second = observed.bind(\.title, to: \.text, on: label)
    let seen = SeenValues(of: observed)
    model.send(Badge(title: "Basket", count: 1))
    try await seen.wait { $0.count == 1 }
    #expect(label.assignments == ["Cart"])
    first.cancel()
  }

  @Test("bindings see each value in the order of their creation, before any binding sees the next value")
  func order() async throws {
    let (observed, log) = (StateMirror(model), SeenValues<String>())
    let tokens = ["a", "b", "c"].map { name in
      observed.bind(on: log) { log, badge in log.values.append("\(name)\(badge.count)") }
    }
    let seen = SeenValues(of: observed)
    log.values = []
    model.send(Badge(title: "", count: 1))
    try await seen.wait { $0.count == 1 }
    let last = log.values.suffix(3)
    #expect(Array(last) == ["a1", "b1", "c1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a binding that reads the object finds the element that the binding has received")
  func readWithinABinding() async throws {
    let (elements, input) = AsyncStream<Int>.makeStream()
    let (observed, log) = (StateMirror(0, elements), SeenValues<Int>())
    let token = observed.bind(on: log) { [weak observed] log, _ in
      if let observed { log.values.append(observed.value) }
    }
    let seen = SeenValues(of: observed)
    for element in 1...3 {
      input.yield(element)
      try await seen.wait { $0 == element }
    }
    #expect(log.values == [0, 1, 2, 3])
    withExtendedLifetime(token) {}
  }

  @Test("a delayed delivery passes on the current value, not the value that caused the delivery")
  func delayedDelivery() async throws {
    let (whole, part) = (StateMirror(model), StateMirror(model, of: \.count))
    let (wholes, parts) = (SeenValues(of: whole), SeenValues(of: part))
    for count in 1...100 {
      model.send(Badge(title: "", count: -count))
      // The readers take this value on other threads, and then wait for the main actor.
      waitForReaders()
      model.send(Badge(title: "", count: count))
      try await wholes.wait { $0.count == count }
      try await parts.wait { $0 == count }
    }
    #expect(wholes.values.allSatisfy { $0.count >= 0 })
    #expect(parts.values == Array(0...100))
  }

  @Test("a text field that sends its text to the model never gets back older text than the model has")
  func textField() async throws {
    let query = StateModel("")
    let observed = StateMirror(query)
    let field = TextField { query.send($0) }
    var older: [String] = []
    let token = observed.bind(on: field) { field, text in
      if text != query.state { older.append(text) }
      field.text = text
    }
    for length in 1...200 {
      field.type("a")
      waitForReaders()
      if length % 2 == 0 { await Task.yield() }
      #expect(field.text.count == length)
      #expect(observed.value == field.text)
    }
    #expect(older.isEmpty)
    token.cancel()
  }

  @Test("a binding that changes the model is called again with the changed value")
  func bindingChangesTheModel() async throws {
    let number = StateModel(1)
    let observed = StateMirror(number, of: \.self)
    let log = SeenValues<Int>()
    let token = observed.bind(on: log) { log, value in
      log.values.append(value)
      if value < 4 { number.send(value + 1) }
    }
    try await log.wait { $0 == 4 }
    #expect(log.values == [1, 2, 3, 4])
    token.cancel()
  }

  @Test("a binding keeps neither its target nor its source alive and ends with its target")
  func lifetime() async throws {
    let observed = StateMirror(model)
    let seen = SeenValues(of: observed)
    var runs = 0
    let token = try await LeakTracker.check { tracker in
      let label = tracker.track(Label())
      return observed.bind(on: label) { _, _ in runs += 1 }
    }
    let before = runs
    model.send(Badge(title: "", count: 1))
    try await seen.wait { $0.count == 1 }
    #expect(runs == before)

    let orphan = try await LeakTracker.check { tracker in
      tracker.track(StateMirror(model)).bind(on: observed) { _, _ in }
    }
    orphan.cancel()
    token.cancel()
  }

  @Test("a token can be cancelled on any thread while values are delivered")
  func cancellationElsewhere() async throws {
    let (observed, log) = (StateMirror(model), SeenValues<Int>())
    let seen = SeenValues(of: observed)
    for round in 1...200 {
      let token = observed.bind(on: log) { log, badge in log.values.append(badge.count) }
      let elsewhere = Task.detached { token.cancel() }
      model.send(Badge(title: "", count: round))
      try await seen.wait { $0.count == round }
      await elsewhere.value
      let before = log.values.count
      model.send(Badge(title: "", count: -round))
      try await seen.wait { $0.count == -round }
      #expect(log.values.count == before)
    }
  }
}

/// Gives the tasks that read streams time to run, and keeps the main actor busy meanwhile.
@MainActor
private func waitForReaders() {
  for _ in 1...4 {
    let hasRun = DispatchSemaphore(value: 0)
    Task.detached { hasRun.signal() }
    // The wait is bounded: other tests may occupy the threads of tasks while they wait for the main actor.
    _ = hasRun.wait(timeout: .now() + .milliseconds(100))
  }
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

/// A replacement for `UITextField` that reports each change of its text to the model.
@MainActor
private final class TextField {
  var text = ""
  private let onChange: @MainActor (String) -> Void

  init(onChange: @escaping @MainActor (String) -> Void) { self.onChange = onChange }

  func type(_ character: Character) {
    text.append(character)
    onChange(text)
  }
}
