import AsyncViewModels
import Dispatch

/// An actor as the compiler makes it.
actor PlainCounter {
  private var count = 0

  func add() { count &+= 1 }
}

/// An actor that runs on the executor of its host, as every view model of the async stage does.
actor HostedCounter {
  private nonisolated let host: ActorHost
  private var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  init(on isolation: any Actor) { host = ActorHost(isolation) }

  func add() { count &+= 1 }
}

/// A class that its serial queue guards, as every view model of the closure stage is.
///
/// `@unchecked Sendable`: `count` is only touched on `queue`.
final class QueueCounter: @unchecked Sendable {
  private let queue = DispatchQueue(label: "counter")
  private var count = 0

  func add() { queue.sync { count &+= 1 } }

  func add(completion: @escaping @Sendable () -> Void) {
    queue.async {
      self.count &+= 1
      completion()
    }
  }
}
