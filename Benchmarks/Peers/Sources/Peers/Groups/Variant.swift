/// The names of variants that several groups share. If a variant promises something else
/// than this package, its name says so.
enum Variant {
  static let state = "StateStore"
  static let stateOnActor = "StateStore, on an actor"
  static let stateStream = "StateStore, as AsyncStream"
  static let events = "EventChannel"
  static let eventStream = "EventChannel, as AsyncStream"
  static let byHand = "AsyncStream per observer, by hand"
  static let currentValueSubject = "CurrentValueSubject, sink (no conflation, on the sender's thread)"
  static let passthroughSubject = "PassthroughSubject, sink (on the sender's thread, no buffer)"
  static let receivedOnQueue = "PassthroughSubject, receive(on:) a queue, sink"
  static let observations = "Observations, on an actor"
  static let share = "share, unbounded"
  static let channel = "AsyncChannel (the sender waits)"
}
