#if canImport(Combine)
  import Dispatch
  import Foundation

  /// The queue of the main actor, for code that any thread calls.
  enum MainQueue {
    private static let key = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()

    /// Whether the caller runs on the main thread or the main queue, which is not always the main
    /// thread on Linux.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

    /// Runs `work` on the main actor: at once if the caller is there, and otherwise in a later
    /// turn.
    static func run(_ work: @escaping @MainActor @Sendable () -> Void) {
      if isCurrent { MainActor.assumeIsolated(work) } else { Task { @MainActor in work() } }
    }
  }
#endif
