package import AsyncViewModelsTesting

/// A sequence whose reads wait at a gate and then return or throw a fixed result, off the reader's actor.
///
/// `atEnd` runs directly before a read returns. So work that `atEnd` starts on the reader's actor runs before
/// the reader can use the result, and no thread has to wait for the reader.
package struct SingleRead<Failure: Error>: AsyncSequence, Sendable {
  package let gate = Gate()
  private let result: Result<Int?, Failure>
  private let atEnd: @Sendable () -> Void

  package init(_ result: Result<Int?, Failure>, atEnd: @escaping @Sendable () -> Void) {
    (self.result, self.atEnd) = (result, atEnd)
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: SingleRead

    @concurrent package mutating func next() async throws(Failure) -> Int? {
      await source.gate.wait()
      source.atEnd()
      return try source.result.get()
    }
  }

  package func makeAsyncIterator() -> Iterator { Iterator(source: self) }
}

extension SingleRead<Refused> {
  /// An element, the end and an error.
  package static var results: [Result<Int?, Refused>] { [.success(1), .success(nil), .failure(Refused())] }
}
