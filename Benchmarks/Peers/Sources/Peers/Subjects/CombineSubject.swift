@unsafe @preconcurrency import OpenCombine

/// A subject of OpenCombine and who subscribes to it.
///
/// `@unchecked Sendable`: a subject guards itself with its own lock; `sinks` is written before the first value is sent, and again
/// when the last one has arrived.
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
