/// Where the two sides of an exchange run.
enum ThreadPlacement: String, Sendable {
  case oneThread = "to another task on the same thread and back"
  case twoThreads = "to another thread and back"

  private static let near = PollingThread("near")
  private static let far = PollingThread("far")

  /// Where the side runs that begins.
  var here: PollingThread { Self.near }

  /// Where its partner runs.
  var there: PollingThread { self == .oneThread ? Self.near : Self.far }
}
