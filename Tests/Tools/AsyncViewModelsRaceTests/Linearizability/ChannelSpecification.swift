import AsyncViewModels
import ToolkitTestSupport

/// The documented behavior of an `EventChannel` that a single caller uses.
struct ChannelSpecification: SequentialSpecification {
  private var sent = 0
  private var kept: [ObserverModel.Element] = []
  private var isFinished = false
  private var observers: [Int: ObserverModel] = [:]

  mutating func admits(_ call: ObservationCall, _ answer: ObservationAnswer) -> Bool {
    switch call {
    case .send(let event):
      if let element = accept(event) {
        for number in observers.keys { observers[number]?.receive(element) }
      }
      return answer == .done
    case .keep(let event):
      if let element = accept(event) { kept.append(element) }
      return answer == .done
    case .keptCount: return answer == .number(kept.count)
    case .finish:
      isFinished = true
      return answer == .done
    case .observe(let number, let buffering):
      observers[number] = ObserverModel(buffering)
      return answer == .done
    case .leave(let number):
      observers[number]?.leave()
      return answer == .done
    case .poll(let number): return answer == read(number)
    case .next(let number): return answer != .nothing && answer == read(number)
    case .value, .exchange: return false
    }
  }

  private mutating func accept(_ event: Int) -> ObserverModel.Element? {
    if isFinished { return nil }
    sent += 1
    return ObserverModel.Element(number: sent, value: event)
  }

  private mutating func read(_ number: Int) -> ObservationAnswer {
    guard let observer = observers[number], !observer.hasLeft else { return .ended }
    switch (observer.unread.first, kept.first) {
    case (let own?, let shared?) where own.number < shared.number: return take(own, of: number)
    case (let own?, nil): return take(own, of: number)
    case (_, let shared?):
      kept.removeFirst()
      return .element(shared.value)
    case (nil, nil):
      // An observer that has received the end has left and reads nothing more.
      if isFinished { observers[number]?.leave() }
      return isFinished ? .ended : .nothing
    }
  }

  private mutating func take(_ own: ObserverModel.Element, of number: Int) -> ObservationAnswer {
    observers[number]?.unread.removeFirst()
    return .element(own.value)
  }
}
