import Audit

/// One step of the guide that a machine can do.
public protocol Step: Sendable {
  /// The name on the command line.
  var name: String { get }
  /// What the step does, in one sentence.
  var summary: String { get }
  /// What a type has that the step changes, such as "boxes".
  var subject: String { get }
  /// The page that explains the step.
  var page: String { get }

  /// The types that the step concerns, each with its edits or with the reason why there are none.
  ///
  /// A type that has taken the step already is no concern of the step.
  func changes(in scope: Scope) -> [Change]

  /// Code that the step would change in another type, in one sentence. `nil` if there is none.
  func rest(in scope: Scope) -> String?
}

extension Step {
  public func rest(in scope: Scope) -> String? { nil }
}

/// All steps, in the order of the guide.
public let steps: [any Step] = [
  AsyncTwinStep(), StateStructStep(), StateStoreStep(), DebounceStep(), RequestSlotStep(),
  CompletionGroupStep(), QueueActorStep(), TaskGroupStep(), ActorStep(),
]

/// The steps that change the named types of a project now, and those that are refused, by type, in the order of
/// the guide.
public func migrations(of names: Set<String>, in project: Project) -> [String: Plan.Migrations] {
  var found: [String: Plan.Migrations] = [:]
  // `Cart.timer` is a property of `Cart`.
  func type(_ subject: String) -> String { String(subject.prefix { $0 != "." }) }
  for step in steps where !names.isEmpty {
    let migration = Migration(step, in: project, only: names)
    for name in Set(migration.changed.map(type)) {
      found[name, default: .init()].steps.append(step.name)
    }
    for (subject, refusal) in migration.refused {
      found[type(subject), default: .init()].refusals.append(
        .init(step: step.name, reason: refusal.reason, at: refusal.place))
    }
  }
  return found
}

/// The files that a step can change.
public struct Scope: Sendable {
  public let project: Project
  /// The names of the types to change. Empty for all.
  public let only: Set<String>

  public init(_ project: Project, only: Set<String> = []) {
    self.project = project
    self.only = only
  }

  func includes(_ name: String) -> Bool { only.isEmpty || only.contains(name) }

  /// The view models of the scope that stand in code of the app: those with the name of a view
  /// model, or those that the caller has named.
  func viewModels(_ kinds: Set<TypeInfo.Kind> = [.class]) -> [TypeInfo] {
    project.types.values.filter { type in
      kinds.contains(type.kind) && (only.isEmpty ? project.isViewModel(type) : only.contains(type.name))
        && type.declaration.flatMap(project.file)?.isTest == false
    }.sorted { $0.name < $1.name }
  }
}

/// What a step does with one type.
public struct Change: Sendable {
  /// The name of the type.
  public let subject: String
  public let outcome: Result<Edits, Refusal>

  /// Makes the edits of a type, or the reason against them.
  public init(_ subject: String, in project: Project, _ make: (inout Edits) throws(Refusal) -> Void) {
    self.subject = subject
    var edits = Edits(project)
    do throws(Refusal) {
      try make(&edits)
      outcome = .success(edits)
    } catch {
      outcome = .failure(error)
    }
  }
}

/// Why a step does not change a type.
public struct Refusal: Error, Hashable, Sendable {
  public let reason: String
  public let place: Place?

  public init(_ reason: String, at place: Place? = nil) {
    self.reason = reason
    self.place = place
  }
}

/// A comment about something that a person has to decide.
///
/// The text is a question, which ends with what to do.
public func decision(_ question: String) -> String { "// TODO: \(decisionMark) \(question)" }

let decisionMark = "[migrate]"
