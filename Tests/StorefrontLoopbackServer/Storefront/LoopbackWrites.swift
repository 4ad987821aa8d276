import AsyncViewModelsTesting
package import StorefrontDomain
import StorefrontServices
import Synchronization

/// The answers of a server to the latest writes, by their keys.
///
/// A server keeps them with its data, so they survive a stop and a new start.
final class LoopbackWrites: Sendable {
  /// What a repeated write must have in common with the first one.
  fileprivate struct Write: Equatable, Sendable {
    let method: String
    let target: String
    let body: [UInt8]
  }

  struct State: Sendable {
    fileprivate var answers: KeyedResponses<Write, HTTPResponse>
    /// The number of writes that the server has made, without those that it refused.
    var madeCount = 0
    /// The number of answers that the server has sent again.
    var repeatedCount = 0
    /// The keys of the writes that the server has made since the recording began. `nil` if the server does not record them.
    var madeKeys: [IdempotencyKey]?
  }

  let state: Mutex<State>
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    state = Mutex(State(answers: KeyedResponses(limit: limit)))
  }

  /// Forgets all keys.
  func forget() { state.withLock { $0.answers = KeyedResponses(limit: limit) } }

  /// Answers a write: as before if the key is known, and with `make` otherwise.
  ///
  /// Only the thread of the server calls this method, so no other write with the same key begins between its steps.
  func response(
    to request: HTTPRequest, key: IdempotencyKey, make: () throws(ParameterError) -> HTTPResponse
  ) throws(ParameterError) -> HTTPResponse {
    let write = Write(method: request.method, target: request.target, body: request.body)
    do throws(ServiceError) {
      let earlier = try state.withLock { state throws(ServiceError) in
        let answer = try state.answers.response(to: write, key: key)
        if answer != nil { state.repeatedCount += 1 }
        return answer
      }
      if let earlier { return earlier }
    } catch {
      return .problem(.reused)
    }
    let response = try make()
    state.withLock { state in
      state.answers.keep(response, to: write, key: key)
      guard response.status == 200 else { return }
      state.madeCount += 1
      state.madeKeys?.append(key)
    }
    return response
  }
}

extension LoopbackHTTPServer {
  /// The number of writes that the server has made since it was created, without those that it refused. A repeated write with the same
  /// key counts once.
  public var writeCount: Int { writes.state.withLock { $0.madeCount } }

  /// The number of writes that the server has answered as before, without making them again.
  public var repeatedWriteCount: Int { writes.state.withLock { $0.repeatedCount } }

  /// The keys of the writes that the server has made since the last ``recordRequests()``, in order.
  package var madeKeys: [IdempotencyKey] { writes.state.withLock { $0.madeKeys ?? [] } }

  /// Forgets the keys of all writes, as a server does that keeps them for a limited time. A write that is then repeated is made again.
  public func forgetKeys() { writes.forget() }
}
