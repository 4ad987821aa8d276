/// The oldest iOS on which a source file could run, as far as the names in its text tell.
///
/// The table contains the language features and the types that the view models use. For a type of the
/// toolkit, it states the iOS version that the type's interface needs. The toolkit's implementations use
/// `Mutex`, which needs iOS 18, in every stage.
enum OldestSystem {
  /// Swift's concurrency runtime.
  static let concurrency = 13

  private static let words: [Substring: Int] = [
    // Swift's concurrency, and interfaces with async functions, streams or actors.
    "actor": 13, "async": 13, "await": 13, "isolated": 13, "nonisolated": 13, "Actor": 13, "AsyncStream": 13,
    "MainActor": 13, "Task": 13, "StateSource": 13, "StateStore": 13, "EventChannel": 13,
    "ViewModelActor": 13, "ModelState": 13, "TaskSlot": 13,
    // Times, and interfaces with times.
    "Clock": 16, "ContinuousClock": 16, "Duration": 16, "CallbackScheduler": 16, "WorkItemDebouncer": 16,
    "WorkItemThrottler": 16,
    // The module `Synchronization`.
    "Atomic": 18, "Mutex": 18,
  ]

  /// The newest iOS that a name in `file` needs. Returns 8, the first iOS with Swift's Dispatch interface, if no name needs more.
  static func iOS(for file: SourceText) -> Int {
    // A type such as `any PageService<Item>` needs the runtime of iOS 16.
    let types = file.contains(/\bany \w+</) ? 16 : 8
    return file.words.compactMap { words[$0] }.reduce(types, max)
  }
}
