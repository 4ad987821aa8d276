//// hazard: box with one listener
import Foundation

final class Box<T> {
  typealias Listener = (T) -> Void
  private var listener: Listener?  // ← here

  var value: T {
    didSet { listener?(value) }
  }

  init(_ value: T) { self.value = value }

  func bind(_ listener: @escaping Listener) {
    self.listener = listener
    listener(value)
  }
}

//// hazard: observers of dead owners are kept
import Foundation

public final class Observable<Value> {
  private struct Observer {
    weak var owner: AnyObject?
    let block: (Value) -> Void
  }
  private var observers: [Observer] = []  // ← here

  public var value: Value { didSet { notify() } }

  public init(_ value: Value) { self.value = value }

  public func observe(on owner: AnyObject, block: @escaping (Value) -> Void) {
    observers.append(Observer(owner: owner, block: block))
    block(value)
  }

  private func notify() {
    for observer in observers where observer.owner != nil { observer.block(value) }
  }
}

//// hazard: list of closures without removal
import Foundation

class Bindable<Element> {
  private var handlers: [(Element) -> Void] = []  // ← here
  private(set) var current: Element

  init(_ initial: Element) { current = initial }

  func addHandler(_ handler: @escaping (Element) -> Void) { handlers.append(handler) }

  func send(_ element: Element) {
    current = element
    handlers.forEach { $0(element) }
  }
}

//// hazard: dynamic value with a settable closure
import Foundation

class Dynamic<T> {
  var onChange: ((T) -> ())?  // ← here

  var value: T {
    didSet {
      DispatchQueue.main.async { self.onChange?(self.value) }
    }
  }

  init(_ v: T) { value = v }
}

//// hazard: property wrapper that notifies
import Foundation

@propertyWrapper
final class Live<Value> {
  private var callback: ((Value) -> Void)?  // ← here
  var wrappedValue: Value {
    didSet { callback?(wrappedValue) }
  }
  var projectedValue: Live<Value> { self }

  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  func subscribe(_ callback: @escaping (Value) -> Void) { self.callback = callback }
}

//// hazard: dictionary of observers by identifier is never emptied
import Foundation

final class MutableProperty<T> {
  private var subscribers = [ObjectIdentifier: (T) -> Void]()  // ← here
  private var storage: T

  init(_ value: T) { storage = value }

  func set(_ value: T) {
    storage = value
    subscribers.values.forEach { $0(value) }
  }

  func subscribe(_ object: AnyObject, _ action: @escaping (T) -> Void) {
    subscribers[ObjectIdentifier(object)] = action
    action(storage)
  }
}

//// harmless: a box that only holds a value
import Foundation

final class Box<T> {
  var value: T
  init(_ value: T) { self.value = value }
}

//// harmless: wrapper of a published value
import Combine

final class Store<State>: ObservableObject {
  @Published private(set) var state: State
  init(_ state: State) { self.state = state }
  func update(_ change: (inout State) -> Void) { change(&state) }
}

//// harmless: streams with removal at their end
import Foundation
import Synchronization

final class Broadcast<Value: Sendable>: Sendable {
  private let observers = Mutex<[UUID: AsyncStream<Value>.Continuation]>([:])

  func stream() -> AsyncStream<Value> {
    AsyncStream { continuation in
      let id = UUID()
      observers.withLock { $0[id] = continuation }
      continuation.onTermination = { [weak self] _ in
        self?.observers.withLock { $0[id] = nil }
      }
    }
  }

  func send(_ value: Value) {
    let all = observers.withLock { Array($0.values) }
    for observer in all { observer.yield(value) }
  }
}

//// harmless: lazily computed value with a closure
import Foundation

final class Lazy<T> {
  private let make: () -> T
  private(set) lazy var value: T = make()
  init(_ make: @escaping () -> T) { self.make = make }
}

//// harmless: button with an action
import UIKit

final class ActionButton: UIButton {
  var action: (() -> Void)?

  override init(frame: CGRect) {
    super.init(frame: frame)
    addTarget(self, action: #selector(tapped), for: .touchUpInside)
  }

  required init?(coder: NSCoder) { nil }

  @objc private func tapped() { action?() }
}

//// harmless: the owner gives a function that is awaited
import Foundation

@MainActor
final class AlertScreen<Action> {
  private(set) var latest: Action?
  var perform: (Action) async -> Void

  init(perform: @escaping (Action) async -> Void) { self.perform = perform }

  func choose(_ action: Action) async {
    latest = action
    await perform(action)
  }
}

//// harmless: an observation is made with its closure
import Foundation

final class Observation<Value> {
  private var latest: Value?
  private var body: ((Value) -> Void)?

  init(_ body: @escaping (Value) -> Void) { self.body = body }

  func receive(_ value: Value) {
    latest = value
    body?(value)
  }

  func end() { body = nil }
}
