import AsyncViewModels
import Dispatch
@unsafe @preconcurrency import OpenCombine
import OpenCombineDispatch

/// A request to a service with completion handlers, as a publisher of its result. Publishes on `queue`.
///
/// Each subscription starts a request, and cancelling the subscription cancels the request. After a cancellation on
/// `queue`, no late response is published.
func request<Value: Sendable>(
  on queue: DispatchQueue,
  _ start: @escaping (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken
) -> AnyPublisher<Result<Value, any Error>, Never> {
  Deferred {
    var token: CancellationToken?
    return Future<Result<Value, any Error>, Never>
      .completed { promise in token = start { promise(.success($0)) } }
      // On a global queue: a service's cancellation handler may wait for the queue.
      .handleEvents(
        receiveCompletion: { _ in token?.finish() }, receiveCancel: { token?.cancelOnGlobalQueue() })
  }
  .receive(on: queue.ocombine)
  .eraseToAnyPublisher()
}

/// The calls of a callback, as a publisher. Cancelling a subscription cancels its registration.
func callbacks<Value: Sendable>(
  _ register:
    @escaping (
      _ receive: @escaping @Sendable (Value) -> Void,
      _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> CancellationToken
) -> AnyPublisher<Value, any Error> {
  Deferred {
    let values = PassthroughSubject<Value, any Error>()
    let token = register {
      values.send($0)
    } _: { result in
      switch result {
      case .success: values.send(completion: .finished)
      case .failure(let error): values.send(completion: .failure(error))
      }
    }
    return values.handleEvents(receiveCancel: { token.cancelOnGlobalQueue() })
  }
  .eraseToAnyPublisher()
}

extension Future where Output: Sendable {
  /// A future that any thread may complete.
  static func completed(
    by start: @escaping (@escaping @Sendable (Result<Output, Failure>) -> Void) -> Void
  ) -> Future {
    Future { promise in
      // The future has its own lock.
      nonisolated(unsafe) let promise = promise
      start { unsafe promise($0) }
    }
  }
}

extension TaskOutcome<Void> {
  init(_ completion: Subscribers.Completion<any Error>) {
    switch completion {
    case .finished: self = .success(())
    case .failure(let error): self = TaskOutcome(error: error)
    }
  }
}
