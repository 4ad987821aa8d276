import ToolkitTestSupport

@testable import AsyncViewModels

/// The object that an ``ObservationCall`` uses.
enum ObservationSubject: Sendable {
  case state(StateStore<Int>)
  case channel(EventChannel<Int>)

  typealias Observers = [Int: any ElementObserver<Int>]

  /// Makes the call.
  ///
  /// - Parameter observers: The observers of the calling party and the shared ones, by number.
  func perform(_ call: ObservationCall, _ observers: inout Observers) async -> ObservationAnswer {
    switch (call, self) {
    case (.observe(let number, let buffering), _):
      observers[number] = makeObserver(buffering)
      return .done
    case (.poll(let number), _):
      guard let observer = observers[number] else { return .ended }
      return switch observer.poll(after: .none) {
      case .element(let value): .element(value)
      case .nothing: .nothing
      case .ended: .ended
      }
    case (.next(let number), _):
      guard let value = await observers[number]?.next(isolation: nil) else { return .ended }
      return .element(value)
    case (.leave(let number), _):
      observers[number]?.leave()
      return .done
    case (_, .state(let state)): return Self.perform(call, on: state)
    case (_, .channel(let channel)): return Self.perform(call, on: channel)
    }
  }

  private static func perform(_ call: ObservationCall, on state: StateStore<Int>) -> ObservationAnswer {
    switch call {
    case .value: return .number(state.value)
    case .exchange(let new):
      return .number(
        state.update { value in
          defer { value = new }
          return value
        })
    case .send(let new): state.send(new)
    case .finish: state.finish()
    default: preconditionFailure("a state has no \(call)")
    }
    return .done
  }

  private static func perform(_ call: ObservationCall, on channel: EventChannel<Int>) -> ObservationAnswer {
    switch call {
    case .keptCount: return .number(channel.keptCount)
    case .send(let event): channel.send(event)
    case .keep(let event): channel.keepForFirstObserver(event)
    case .finish: channel.finish()
    default: preconditionFailure("a channel has no \(call)")
    }
    return .done
  }

  private func makeObserver(_ buffering: BufferingPolicy) -> any ElementObserver<Int> {
    switch self {
    case .channel(let channel): channel.storage.makeObserver(buffering)
    case .state(let state):
      buffering == .latest
        ? LatestValueObserver(of: state.storage) : state.storage.makeBufferingObserver(buffering)
    }
  }
}
