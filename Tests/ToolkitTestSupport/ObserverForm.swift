package import AsyncViewModels

/// The two forms of an observer: a stream and a concrete sequence. Both have the same guarantees.
package enum ObserverForm: CaseIterable {
  case stream
  case elements

  package func observe<Value>(
    _ state: StateStore<Value>, _ buffering: BufferingPolicy = .latest
  ) -> Observer<Value> {
    switch self {
    case .stream: .stream(state.states(buffering))
    case .elements: .elements(state.values(buffering))
    }
  }

  package func observe<Event>(
    _ channel: EventChannel<Event>, _ buffering: BufferingPolicy = .unbounded
  ) -> Observer<Event> {
    switch self {
    case .stream: .stream(channel.stream(buffering))
    case .elements: .elements(channel.events(buffering))
    }
  }
}

extension BufferingPolicy {
  /// A policy of each kind. The bounded buffers have room for the few elements that a test sends.
  package static let kinds: [BufferingPolicy] = [.latest, .bounded(16), .unbounded]
}

/// An observer in either form.
package enum Observer<Element: Sendable>: AsyncSequence, Sendable {
  case stream(AsyncStream<Element>)
  case elements(ObserverSequence<Element>)

  package typealias Failure = Never

  package enum Iterator: AsyncIteratorProtocol {
    case stream(AsyncStream<Element>.Iterator)
    case elements(ObserverSequence<Element>.Iterator)

    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      switch self {
      case .stream(var iterator): await iterator.next(isolation: actor)
      case .elements(var iterator): await iterator.next(isolation: actor)
      }
    }
  }

  package func makeAsyncIterator() -> Iterator {
    switch self {
    case .stream(let stream): .stream(stream.makeAsyncIterator())
    case .elements(let elements): .elements(elements.makeAsyncIterator())
    }
  }
}

extension AsyncSequence where Failure == Never, Element: Sendable {
  /// Returns the next element, or nil at the end.
  package func next() async -> Element? {
    var iterator = makeAsyncIterator()
    return await iterator.next(isolation: #isolation)
  }

  /// Returns the next `count` elements, or fewer if the sequence ends.
  package func next(_ count: Int) async -> [Element] {
    var elements: [Element] = []
    while elements.count < count, let element = await next() { elements.append(element) }
    return elements
  }

  /// Returns all elements up to the end.
  package func rest() async -> [Element] { await next(.max) }
}
