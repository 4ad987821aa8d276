import Synchronization

extension Recording {
  /// Sends a request to a service that the script answers.
  ///
  /// - Parameters:
  ///   - text: The request, which is compared.
  ///   - answers: The possible answers. `number` is the number of the request, from 0.
  /// - Returns: The answer that the script has chosen.
  /// - Throws: The chosen error, or the contract's cancellation error.
  public func request<Value: Sendable>(
    _ text: String, answers: @escaping @Sendable (_ number: Int) -> [Result<Value, any Error>]
  ) async throws -> Value {
    let id = requests.begin(text)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        requests.open(id, answers) { continuation.resume(with: $0) }
        if Task.isCancelled { requests.cancel(id) }
      }
    } onCancel: {
      requests.cancel(id)
    }
  }

  /// Sends a request whose answer goes to a completion handler.
  ///
  /// The handler runs when the script answers, on no queue.
  ///
  /// - Returns: How to cancel the request.
  @discardableResult
  public func request<Value>(
    _ text: String, answers: @escaping (_ number: Int) -> [Result<Value, any Error>],
    completion: @escaping (Result<Value, any Error>) -> Void
  ) -> @Sendable () -> Void {
    let id = requests.begin(text)
    requests.open(id, answers, completion)
    return { [requests] in requests.cancel(id) }
  }
}

/// The requests of a stage since its last restart.
final class RecordedRequests: Sendable {
  /// Completes a request with one of its answers, or with nil to fail it. Returns the index of the
  /// answer.
  private typealias Complete = @Sendable (_ answer: Int?, _ number: Int) -> Int

  private struct Request {
    let text: String
    var isCancelled = false
    var answer: Int?
    /// Nil once the request has an answer.
    var complete: Complete?

    var line: String {
      "\(text)\(isCancelled ? ", cancelled" : "")\(answer.map { ", answer \($0)" } ?? "")"
    }
  }

  private struct Contents {
    var all: [Request] = []
    /// The requests in an order that does not depend on the interleaving within a step.
    var order: [Int] = []
  }

  private let hearsCancellation: Bool
  private let error: any Error
  private let contents = Mutex(Contents())

  init(hearsCancellation: Bool, error: any Error) {
    self.hearsCancellation = hearsCancellation
    self.error = error
  }

  func restarted() -> RecordedRequests {
    RecordedRequests(hearsCancellation: hearsCancellation, error: error)
  }

  func begin(_ text: String) -> Int {
    contents.withLock { contents in
      contents.all.append(Request(text: text))
      return contents.all.count - 1
    }
  }

  func open<Value>(
    _ id: Int, _ answers: @escaping (Int) -> [Result<Value, any Error>],
    _ completion: @escaping (Result<Value, any Error>) -> Void
  ) {
    // One thread at a time runs code of a world.
    nonisolated(unsafe) let (answers, completion) = (answers, completion)
    let complete: Complete = { [error] answer, number in
      let answers = unsafe answer == nil ? [] : answers(number)
      guard let answer, !answers.isEmpty else {
        unsafe completion(.failure(error))
        return 0
      }
      unsafe completion(answers[answer % answers.count])
      return answer % answers.count
    }
    contents.withLock { $0.all[id].complete = complete }
  }

  func cancel(_ id: Int) {
    let complete = contents.withLock { contents -> Complete? in
      // A cancellation after the answer is none.
      guard contents.all[id].complete != nil else { return nil }
      contents.all[id].isCancelled = true
      return hearsCancellation ? contents.all[id].complete.take() : nil
    }
    _ = complete?(nil, 0)
  }

  /// Answers an open request, if any. The requests are counted in the order of their lines.
  ///
  /// - Returns: The smallest numbers that mean the same request and answer.
  func answer(_ request: Int, with answer: Int) -> (request: Int, answer: Int)? {
    typealias Found = (id: Int, number: Int, position: Int, complete: Complete)
    let found = contents.withLock { contents -> Found? in
      let open = contents.order.indices.filter { contents.all[contents.order[$0]].complete != nil }
      guard !open.isEmpty else { return nil }
      let position = request % open.count
      let id = contents.order[open[position]]
      return contents.all[id].complete.take().map { (id, open[position], position, $0) }
    }
    guard let found else { return nil }
    let index = found.complete(answer, found.number)
    contents.withLock { $0.all[found.id].answer = index }
    return (found.position, index)
  }

  func failAll() -> Bool {
    let open = contents.withLock { contents in
      contents.all.indices.compactMap { contents.all[$0].complete.take() }
    }
    for complete in open { _ = complete(nil, 0) }
    return !open.isEmpty
  }

  /// Puts the requests of a step in the order of their texts, and returns the lines of all
  /// requests.
  func endStep() -> [String] {
    contents.withLock { contents in
      let all = contents.all
      contents.order += all.indices.dropFirst(contents.order.count).sorted { all[$0].line < all[$1].line }
      return contents.order.enumerated().map { "request \($0): \(all[$1].line)" }
    }
  }
}
