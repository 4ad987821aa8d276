import AsyncViewModels
import ToolkitTestSupport

/// The documented behavior of a `StateStore` that a single caller uses.
struct StateSpecification: SequentialSpecification {
  private var value: Int
  private var sent = 0
  private var isFinished = false
  private var observers: [Int: ObserverModel] = [:]

  init(_ value: Int) { self.value = value }

  mutating func admits(_ call: ObservationCall, _ answer: ObservationAnswer) -> Bool {
    switch call {
    case .value: return answer == .number(value)
    case .send(let new):
      publish(new)
      return answer == .done
    case .exchange(let new):
      let old = value
      publish(new)
      return answer == .number(old)
    case .finish:
      isFinished = true
      return answer == .done
    case .observe(let number, let buffering):
      var observer = ObserverModel(buffering)
      observer.receive(ObserverModel.Element(number: sent, value: value))
      observers[number] = observer
      return answer == .done
    case .leave(let number):
      observers[number]?.leave()
      return answer == .done
    case .poll(let number): return answer == read(number)
    case .next(let number): return answer != .nothing && answer == read(number)
    case .keep, .keptCount: return false
    }
  }

  private mutating func publish(_ new: Int) {
    if isFinished { return }
    value = new
    sent += 1
    for number in observers.keys {
      observers[number]?.receive(ObserverModel.Element(number: sent, value: new))
    }
  }

  private mutating func read(_ number: Int) -> ObservationAnswer {
    guard let observer = observers[number], !observer.hasLeft else { return .ended }
    if let first = observer.unread.first {
      observers[number]?.unread.removeFirst()
      return .element(first.value)
    }
    return isFinished ? .ended : .nothing
  }
}
