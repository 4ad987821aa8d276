package import Dispatch
@unsafe @preconcurrency import OpenCombine
import StorefrontViewModels

/// The state of a view model, published with Combine, and the serial queue that guards the view model.
///
/// A publisher of states publishes the current state and every later one, on the queue. A slow subscriber delays the
/// view model.
///
/// `@unchecked Sendable`: the subject has its own lock, and changes only on the queue.
package final class StateSubject<Value: Sendable>: UpdatableStore, @unchecked Sendable {
  package let queue: DispatchQueue
  private let subject: CurrentValueSubject<Value, Never>
  private let isOnQueue = DispatchSpecificKey<Bool>()

  init(_ value: Value, label: String) {
    queue = DispatchQueue(label: label)
    subject = CurrentValueSubject(value)
    queue.setSpecific(key: isOnQueue, value: true)
  }

  package var value: Value { subject.value }

  var states: AnyPublisher<Value, Never> { AnyPublisher(States(store: self)) }

  /// Subscribes on the queue: a subscription during a change could deliver the states in the wrong order. `subscribe(on:)`
  /// would miss what happens before its turn.
  private struct States: Publisher {
    typealias Output = Value
    typealias Failure = Never

    let store: StateSubject

    func receive<Observer: Subscriber>(subscriber: Observer)
    where Observer.Input == Value, Observer.Failure == Never {
      store.sync { store.subject.subscribe(subscriber) }
    }
  }

  /// Finishes the publishers of states.
  func finish() { subject.send(completion: .finished) }

  /// Runs `body` on the queue, at once if the caller is on it: a subscriber, or a service that starts a request.
  func sync<Output, Failure: Error>(_ body: () throws(Failure) -> Output) throws(Failure) -> Output {
    if DispatchQueue.getSpecific(key: isOnQueue) == true { return try body() }
    return try queue.sync { () -> Result<Output, Failure> in Result(catching: body) }.get()
  }

  /// Changes a copy of the state, and publishes it.
  @discardableResult
  package func update<Output: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try sync { () throws(Failure) -> Output in
      var value = subject.value
      let output = try body(&value)
      subject.send(value)
      return output
    }
  }
}
