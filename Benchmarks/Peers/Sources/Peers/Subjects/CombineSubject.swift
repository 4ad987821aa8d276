@unsafe @preconcurrency import OpenCombine

/// A subject of OpenCombine and its subscribers.
///
/// `@unchecked Sendable`: the subject has its own lock. `sinks` changes only before the first value and after the last.
final class CombineSubject<Subject: OpenCombine.Subject>: @unchecked Sendable
where Subject.Output == Int, Subject.Failure == Never {
  let subject: Subject
  private var sinks: [AnyCancellable] = []

  init(_ subject: Subject) { self.subject = subject }

  func subscribe(_ sink: AnyCancellable) { sinks.append(sink) }

  func cancel() {
    for sink in sinks { sink.cancel() }
    sinks = []
  }
}
