/// The hooks of any number of screens, in the one order in which they ran: `"A.willAppear"`, `"B.didAppear animated"`.
///
/// - Isolation: the main actor.
@MainActor
public final class HookLog {
  public private(set) var entries: [String] = []

  public init() {}

  public func append(_ entry: String) { entries.append(entry) }

  /// What has been logged since the last call.
  public func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}
