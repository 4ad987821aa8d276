import AsyncViewModelsGCD
import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import StorefrontDomain
import StorefrontViewModels

#if canImport(Combine)
  import Combine
#endif

/// The way in which a screen receives the states of a view model.
enum Consumer: String, CaseIterable, Sendable {
  case callback = "callback on a queue"
  case forAwait = "`for await`"
  case mirror = "`@Observable` mirror"
  #if canImport(Combine)
    case publisher = "Combine publisher"
  #endif
}

/// What a screen has received from a view model.
@MainActor
final class Consumption {
  struct Received: Sendable {
    var values: [[Shown]] = []
    /// Whether the consumer has been told that there will be no more values.
    var hasEnded = false
  }

  private let received = Monitor(Received())
  private let queue = DispatchQueue(label: "consumer")
  private var token: CancellationToken?
  /// The mirror, which a screen stores.
  private var mirror: AnyObject?

  /// Begins to consume the states of a view model, as `shown` shows them.
  init<State: Sendable>(
    of subject: AnyObject?, by consumer: Consumer, _ shown: @escaping @Sendable (State) -> [Shown]
  ) {
    let receive: @Sendable (State) -> Void = { [received] state in
      received.update { $0.values.append(shown(state)) }
    }
    switch subject {
    case let model as any StateSource<State>: token = consume(model, by: consumer, receive)
    case let model as any CallbackSource<State>: token = consume(model, by: consumer, receive)
    default: fatalError("\(String(describing: subject)) is not a view model with the state \(State.self)")
    }
  }

  /// All values so far.
  var values: [[Shown]] { received.snapshot.values }

  /// Whether the consumer has been told that there will be no more values.
  var hasEnded: Bool { received.snapshot.hasEnded }

  /// Whether the view model still has this consumer as an observer. A view model of the closure stage does not tell.
  private(set) var isObserver: @MainActor () -> Bool = { false }

  /// Stops consuming.
  func leave() { (token, mirror) = (nil, nil) }

  private var end: @Sendable () -> Void { { [received] in received.update { $0.hasEnded = true } } }

  /// A view model of the stream or async stage.
  private func consume<State: Sendable>(
    _ model: some StateSource<State>, by consumer: Consumer, _ receive: @escaping @Sendable (State) -> Void
  ) -> CancellationToken {
    isObserver = { [weak model] in (model?.store.observerCount ?? 0) > 0 }
    return switch consumer {
    case .callback: model.states().observe(on: queue, receive) { [end] _ in end() }
    case .forAwait: read(model.states(), receive)
    case .mirror: bind(StateMirror(model), receive)
    #if canImport(Combine)
      case .publisher: subscribe(model.store.publisher(), receive)
    #endif
    }
  }

  /// A view model of the closure stage.
  private func consume<State: Sendable>(
    _ model: some CallbackSource<State>, by consumer: Consumer, _ receive: @escaping @Sendable (State) -> Void
  ) -> CancellationToken {
    let stream = { AsyncStream(buffering: .latest) { model.bind($0) } }
    switch consumer {
    case .callback: return model.bind(receive)
    case .forAwait: return read(stream(), receive)
    case .mirror: return bind(StateMirror(model.state, stream()), receive)
    #if canImport(Combine)
      case .publisher:
        let states = StateStore(model.state)
        let source = model.bind { states.send($0) }
        let subscription = subscribe(states.publisher(), receive)
        return CancellationToken {
          source.cancel()
          subscription.cancel()
        }
    #endif
    }
  }

  private func read<State: Sendable>(
    _ states: AsyncStream<State>, _ receive: @escaping @Sendable (State) -> Void
  ) -> CancellationToken {
    let task = Task { [end] in
      for await state in states { receive(state) }
      if !Task.isCancelled { end() }
    }
    return CancellationToken(onCancel: task.cancel)
  }

  private func bind<State: Sendable>(
    _ mirror: StateMirror<State>, _ receive: @escaping @Sendable (State) -> Void
  ) -> CancellationToken {
    self.mirror = mirror
    return mirror.bind(on: self) { _, state in receive(state) }
  }

  #if canImport(Combine)
    private func subscribe<State: Sendable>(
      _ publisher: ObserverPublisher<State>, _ receive: @escaping @Sendable (State) -> Void
    ) -> CancellationToken {
      // Sendable closures, because the publisher does not call them on the main actor.
      let complete: @Sendable (Subscribers.Completion<Never>) -> Void = { [end] _ in end() }
      return CancellationToken(publisher.sink(receiveCompletion: complete, receiveValue: receive))
    }
  #endif
}

/// A view model of the closure stage.
protocol CallbackSource<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  var state: State { get }
  func bind(_ observer: @escaping @Sendable (State) -> Void) -> CancellationToken
}

extension CartClosureViewModel: CallbackSource {}
extension CatalogClosureViewModel: CallbackSource {}
extension DashboardClosureViewModel: CallbackSource {}
extension ProductDetailClosureViewModel: CallbackSource {}
extension ProductListClosureViewModel: CallbackSource {}
extension PostsClosureViewModel: CallbackSource {}
extension ProductPageClosureViewModel: CallbackSource {}
extension ProfileClosureViewModel: CallbackSource {}
extension SearchClosureViewModel: CallbackSource {}
