/// A log of the life-cycle hooks of several screens, in the order of the calls.
///
/// An entry is the name of the screen and the hook: `"A.willAppear"`, `"B.didAppear animated"`.
///
/// - Isolation: The main actor.
@MainActor
public final class HookLog {
  /// The entries since the last ``take()``.
  public private(set) var entries: [String] = []

  /// Creates an empty log.
  public init() {}

  /// Appends an entry.
  public func append(_ entry: String) { entries.append(entry) }

  /// Removes and returns all entries.
  public func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}
