import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Foundation
import Testing

/// Legacy code that shows the hazards of the page `Hazards`, if no other test shows them.
@MainActor
@Suite("Page: hazards of legacy code", .timeLimit(.minutes(5)))
struct HazardsTests {
  final class Screen: HostedScreen {
    private(set) var rendered: [Int] = []
    private(set) var task: Task<Void, Never>?
    private(set) var label: String?

    init() {}

    func render(_ value: Int) { rendered.append(value) }

    func didLoad(in host: ScreenHost) { label = "loaded" }

    func followWithGuard(_ values: AsyncStream<Int>) {
      task = Task { [weak self] in
        guard let self else { return }
        for await value in values { render(value) }
      }
    }
  }

  @Test("`guard let self` before a loop keeps the screen alive until the stream ends")
  func guardBeforeLoop() async throws {
    let state = StateStore(1)
    let tracker = LeakTracker()
    do {
      let screen = tracker.track(Screen())
      screen.followWithGuard(state.states())
      try await until { screen.rendered == [1] }
    }
    #expect(tracker.survivors == ["Screen"])
    state.finish()
    try await tracker.assertAllReleased()
  }

  @Test("a screen that registers each time it appears receives a notification twice")
  func doubledRegistration() throws {
    final class Listener {
      private var tokens: [any NSObjectProtocol] = []
      let received = Tally()

      func willAppear(_ center: NotificationCenter, _ name: Notification.Name) {
        let token = center.addObserver(forName: name, object: nil, queue: nil) { [received] _ in
          received.increment()
        }
        tokens.append(token)
      }
    }
    let center = NotificationCenter()
    let listener = Listener()
    for _ in 1...2 { listener.willAppear(center, .cartChanged) }
    center.post(name: .cartChanged, object: nil)
    #expect(listener.received.count == 2)
  }

  @Test("a callback of a service does not arrive on the queue that the screen assumes")
  func assumedQueue() async throws {
    let key = DispatchSpecificKey<String>()
    let (main, service) = (DispatchQueue(label: "main"), DispatchQueue(label: "service"))
    main.setSpecific(key: key, value: "main")
    let answered = await withCheckedContinuation { answer in
      main.async {
        // The service answers on its own queue. Nothing but a comment could tell the caller.
        service.async { answer.resume(returning: DispatchQueue.getSpecific(key: key)) }
      }
    }
    #expect(answered == nil)
  }

  @Test("64 requests that wait with a semaphore occupy 64 threads")
  func threadExplosion() async throws {
    let done = DispatchSemaphore(value: 0)
    let waiting = Tally()
    for number in 1...64 {
      DispatchQueue(label: "request \(number)").async {
        waiting.increment()
        done.wait()
      }
    }
    // No block has ended, so each one has a thread of its own.
    try await until { waiting.count == 64 }
    for _ in 1...64 { done.signal() }
  }

  @Test("a subscriber that is called in `willSet` reads the old value")
  func willSet() {
    final class SearchModel {
      var observer: (() -> Void)?
      var query = "" { willSet { observer?() } }
    }
    let model = SearchModel()
    var read: [String] = []
    model.observer = { [unowned model] in read.append(model.query) }
    model.query = "swift"
    #expect(read == [""])
  }

  @Test("a view model that is made in a body is made again for each evaluation")
  func modelInBody() {
    struct DetailLink {
      let made: Tally
      var destination: StateStore<Int> {
        made.increment()
        return StateStore(0)
      }
    }
    let link = DetailLink(made: Tally())
    let first = link.destination
    first.send(7)
    #expect(link.destination.value == 0, "the second evaluation has lost the state")
    #expect(link.made.count == 2)
  }

  @Test("a screen that binds in its initializer receives a value before it has loaded")
  func bindingInInit() async throws {
    let state = StateStore(1)
    let screen = Screen()
    let host = ScreenHost(screen)
    let binding = state.states().observe(on: screen) { screen, value in screen.render(value) }
    try await until { screen.rendered == [1] }
    #expect(screen.label == nil && host.phase == .unloaded)
    binding.cancel()
  }

  @Test("a screen whose view model is assigned later ignores a tap before the assignment")
  func optionalModel() {
    final class CartScreen {
      var model: StateStore<Int>?

      func tap() { model?.update { $0 += 1 } }
    }
    let (screen, model) = (CartScreen(), StateStore(0))
    screen.tap()
    screen.model = model
    screen.tap()
    #expect(model.value == 1, "one of two taps is lost")
  }

  @Test("a view model that observes the keyboard reacts while its screen is hidden")
  func keyboardInModel() throws {
    final class LoginModel {
      let insets = Tally()
      private var token: (any NSObjectProtocol)?

      init(_ center: NotificationCenter) {
        token = center.addObserver(forName: .keyboardWillShow, object: nil, queue: nil) { [insets] _ in
          insets.increment()
        }
      }
    }
    let center = NotificationCenter()
    let model = LoginModel(center)
    let host = ScreenHost(Screen())
    try host.show()
    try host.hide()
    center.post(name: .keyboardWillShow, object: nil)
    #expect(model.insets.count == 1 && host.phase != .visible)
  }
}

extension Notification.Name {
  fileprivate static let cartChanged = Notification.Name("cartChanged")
  fileprivate static let keyboardWillShow = Notification.Name("keyboardWillShow")
}
