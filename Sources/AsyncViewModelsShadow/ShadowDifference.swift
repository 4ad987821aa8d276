/// The first difference between an old and a new view model, which ``ShadowComparison`` reports.
///
/// ```swift
/// ShadowComparison(old: model, new: NewCart(calls), …) { log.error("\($0)") }
/// ```
///
/// The trace contains what the app sent and received, which can be private. The comparison only
/// passes it to the app.
public struct ShadowDifference: Sendable {
  /// What differs.
  public enum Kind: Sendable, Equatable {
    /// The states differ while both view models are quiet. Each text begins a little before the
    /// first difference.
    case states(old: String, new: String)

    /// The events that came since the last comparison differ.
    case events(old: [String], new: [String])

    /// Calls of only one view model. A call that was cancelled needs no counterpart.
    case requests(onlyOld: [String], onlyNew: [String])

    /// The new view model has more unended intents than the limit of ``ShadowCalls``.
    case unendedIntents(Int)
  }

  /// What differs.
  public let kind: Kind

  /// The latest intents, calls, answers, events and states, oldest first. ``ShadowCalls`` limits
  /// their number, and each line has at most 300 characters.
  public let trace: [String]
}

extension ShadowDifference: CustomStringConvertible {
  public var description: String {
    let summary =
      switch kind {
      case .states(let old, let new): "The states differ.\n  old: \(old)\n  new: \(new)"
      case .events(let old, let new): "The events differ.\n  old: \(old)\n  new: \(new)"
      case .requests(let onlyOld, let onlyNew):
        "The calls differ.\n  only old: \(onlyOld)\n  only new: \(onlyNew)"
      case .unendedIntents(let count): "\(count) intents of the new view model have not ended."
      }
    return ([summary, "Trace:"] + trace.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension ShadowDifference {
  /// Describes the values of a finding. A large state takes long, so this function runs on the
  /// global executor.
  @concurrent
  static func describing(_ finding: ShadowFinding, _ trace: [ShadowStep]) async -> ShadowDifference {
    let kind: Kind =
      switch finding {
      case .states(let old, let new): states("\(old)", "\(new)")
      case .events(let old, let new): .events(old: old.map { shortened($0) }, new: new.map { shortened($0) })
      case .requests(let old, let new):
        .requests(onlyOld: old.map { shortened($0.value) }, onlyNew: new.map { shortened($0.value) })
      case .unendedIntents(let count): .unendedIntents(count)
      }
    return ShadowDifference(kind: kind, trace: trace.flatMap(\.lines))
  }

  private static func states(_ old: String, _ new: String) -> Kind {
    let start = max(0, zip(old, new).prefix { $0 == $1 }.count - 40)
    let mark = start > 0 ? "…" : ""
    return .states(old: mark + shortened(old.dropFirst(start)), new: mark + shortened(new.dropFirst(start)))
  }
}

/// What a comparison has found, before its values are described.
enum ShadowFinding: Sendable {
  case states(old: any Sendable, new: any Sendable)
  case events(old: [any Sendable], new: [any Sendable])
  case requests(onlyOld: [ShadowRequest], onlyNew: [ShadowRequest])
  case unendedIntents(Int)
}

/// One step of a trace. Keeps values, which are described only if a difference is reported.
enum ShadowStep: Sendable {
  case intent(String)
  case call(ShadowSide, ShadowRequest)
  case answer(ShadowRequest, Result<any Sendable, any Error>)
  case cancel(ShadowSide, ShadowRequest)
  case event(ShadowSide, any Sendable)
  case states(old: any Sendable, new: any Sendable)

  var lines: [String] {
    switch self {
    case .intent(let name): ["intent: \(shortened(name))"]
    case .call(let side, let request): ["\(side) calls: \(shortened(request.value))"]
    case .answer(let request, .success(let value)):
      ["answer to \(shortened(request.value)): \(shortened(value))"]
    case .answer(let request, .failure(let error)):
      ["error of \(shortened(request.value)): \(shortened(error))"]
    case .cancel(let side, let request): ["\(side) cancels: \(shortened(request.value))"]
    case .event(let side, let event): ["\(side) event: \(shortened(event))"]
    case .states(let old, let new): ["old state: \(shortened(old))", "new state: \(shortened(new))"]
    }
  }
}

/// One of the two view models.
enum ShadowSide { case old, new }

/// A request, compared by its value.
struct ShadowRequest: Hashable, Sendable {
  let value: any Hashable & Sendable

  static func == (one: Self, other: Self) -> Bool { AnyHashable(one.value) == AnyHashable(other.value) }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

private func shortened(_ value: Any) -> String {
  let text = "\(value)"
  return text.count > 140 ? "\(text.prefix(139))…" : text
}
