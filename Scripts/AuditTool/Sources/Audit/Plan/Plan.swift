import Foundation

/// In which order a team moves its view models and services, and what each step changes.
///
/// ```swift
/// let plan = try Plan(of: ["Sources"])
/// print(plan.text())
/// ```
///
/// The order and the numbers depend on nothing but the files.
public struct Plan: Sendable, Encodable {
  /// A number of lines in a file.
  public struct FileLines: Sendable, Encodable {
    public let path: String
    public let lines: Int
  }

  /// A step of the guide.
  public struct Step: Sendable, Encodable {
    /// The page of the guide, such as `Step4PublishAStream`.
    public let page: String
    public let change: String
    /// The lines that the step touches. Two steps can touch the same line.
    public let lines: Int
    /// How many hazards the step removes.
    public let hazards: Int
  }

  /// What a migration touches. A line counts once, although several steps can touch it.
  public struct Effort: Sendable, Encodable {
    /// Lines of the type itself.
    public internal(set) var own = 0
    /// Lines to write, such as those of adapters.
    public internal(set) var new = 0
    /// Lines of other types that use it, by file.
    public internal(set) var callers: [FileLines] = []

    public var total: Int { own + new + callers.reduce(0) { $0 + $1.lines } }
  }

  public enum Verdict: String, Sendable, Encodable {
    /// It goes through the steps.
    case migrate
    /// Its successor exists: its callers move there, and it is deleted.
    case replace
    /// Its form is right, and it has hazards.
    case repair
    /// It stays as it is.
    case stay
  }

  public struct ViewModel: Sendable, Encodable {
    public let name: String
    public let path: String
    public let line: Int
    /// Why it counts as a view model.
    public let evidence: [String]
    /// How it publishes: the first form of `forms`.
    public let form: String
    /// Each form with the members that show it.
    public let forms: [Evidence]
    public let verdict: Verdict
    /// Why it stays, or what replaces it.
    public let reason: String
    /// The services and the other view models that it uses.
    public let services: [String]
    public let viewModels: [String]
    /// The types that name it.
    public let callers: [String]
    /// The files of tests that name it.
    public let tests: [String]
    /// How many of its calls have completion handlers.
    public let completionHandlers: Int
    public let steps: [Step]
    public let effort: Effort
    /// The number of its hazards by kind.
    public let hazards: [String: Int]
    /// How many of its hazards the steps remove.
    public let hazardsRemoved: Int
  }

  public struct Evidence: Sendable, Encodable {
    public let form: String
    public let members: [String]
  }

  public struct Service: Sendable, Encodable {
    public let name: String
    public let path: String
    public let line: Int
    public let isProtocol: Bool
    public let implementations: [String]
    /// How its functions answer.
    public let form: String
    /// Its functions that answer later.
    public let functions: [String]
    /// Those with completion handlers.
    public let handlers: [String]
    /// Those that call a closure for each part of their answer.
    public let partial: [String]
    public let viewModels: [String]
    public let services: [String]
    /// The protocol or class with the same functions in async form.
    public let twin: String?
    public let effort: Effort
    public let hazards: [String: Int]
  }

  /// One entry of the order: a service that gets an async form, or a view model.
  public struct Entry: Sendable, Encodable {
    public let number: Int
    public let isService: Bool
    public let name: String
    public let isPilot: Bool
    public let lines: Int
    public let callers: Int
    public let hazards: Int
    /// The steps of `migrate` that change it now, in the order of the guide.
    public internal(set) var migrations: [String] = []
    /// The steps of `migrate` that a person has to make, with the reasons.
    public internal(set) var refusals: [Refusal] = []
  }

  /// A step of `migrate` that cannot change a type.
  public struct Refusal: Sendable, Encodable, Equatable {
    /// `nil` if no step concerns the type.
    public let step: String?
    public let reason: String
    /// The file and the line to look at.
    public let path: String?
    public let line: Int?

    public init(step: String?, reason: String, at place: Place? = nil) {
      self.step = step
      self.reason = reason
      (path, line) = (place?.path, place?.line)
    }
  }

  /// What a tool can do for a type now.
  public struct Migrations: Sendable {
    /// The steps that change the type.
    public var steps: [String]
    /// The steps that concern the type, and cannot change it.
    public var refusals: [Refusal]

    public init(steps: [String] = [], refusals: [Refusal] = []) {
      self.steps = steps
      self.refusals = refusals
    }
  }

  /// Finds what a tool can do for the named types of a project now.
  public typealias FindMigrations = (_ project: Project, _ names: Set<String>) -> [String: Migrations]

  public let paths: [String]
  public internal(set) var files = 0
  public internal(set) var viewModels: [ViewModel] = []
  /// The structs that are named like view models. They stay.
  public internal(set) var values: [String] = []
  public internal(set) var services: [Service] = []
  public internal(set) var screens = 0
  /// The screens that call services themselves, with the number of calls.
  public internal(set) var callingScreens: [FileLines] = []
  /// Whether one of them passes a completion handler.
  public internal(set) var isScreenWaiting = false
  public internal(set) var order: [Entry] = []
  /// The services that no view model calls, and that change after the view models, leaf first.
  public internal(set) var later: [String] = []
  /// Types that use each other in a circle.
  public internal(set) var cycles: [[String]] = []
  /// What the plan could not see.
  public internal(set) var unseen: [String] = []
  public internal(set) var hazards = 0
  public internal(set) var problems: [String] = []

  /// Reads the Swift files below the paths.
  ///
  /// - Throws: `PlanError`.
  public init(of paths: [String], migrations: FindMigrations? = nil) throws {
    guard !paths.isEmpty else { throw PlanError.noPath }
    if let missing = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
      throw PlanError.missing(missing)
    }
    let (files, problems) = Analysis.read(paths)
    guard !files.isEmpty || !problems.isEmpty else { throw PlanError.noSwiftFile(paths) }
    self.init(paths, files, problems, migrations)
  }

  init(
    _ paths: [String], _ files: [SourceFile], _ problems: [String],
    _ migrations: FindMigrations? = nil
  ) {
    self.paths = paths
    let isTest = files.map(\.isTest)
    let sources = zip(files, isTest).filter { !$0.1 }.map(\.0)
    let tests = zip(files, isTest).filter(\.1).map(\.0)
    let project = Project(sources)
    let report = Analysis(rules: rules).check(project, problems)
    (self.files, self.problems) = (report.files, report.problems)
    let builder = PlanBuilder(project, tests: tests, report.findings.filter { $0.severity == .hazard })
    let leafFirst = builder.fill(&self)
    let moved = viewModels.filter { [.migrate, .replace].contains($0.verdict) }.map(\.name)
    let found = migrations?(project, Set(moved + self.services.filter { $0.effort.new > 0 }.map(\.name)))
    builder.sort(&self, leafFirst, commands: Set((found ?? [:]).filter { !$0.value.steps.isEmpty }.keys))
    guard let found else { return }
    for index in order.indices {
      let name = order[index].name
      let migrations =
        found[name] ?? Migrations(refusals: [Refusal(step: nil, reason: "no step of migrate changes it")])
      order[index].migrations = migrations.steps
      order[index].refusals = migrations.refusals
    }
  }

  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

/// Why there is no plan.
public enum PlanError: Error, Equatable, CustomStringConvertible {
  case noPath
  case missing(String)
  case noSwiftFile([String])

  public var description: String {
    switch self {
    case .noPath: "name at least one file or folder"
    case .missing(let path): "there is no file or folder '\(path)'"
    case .noSwiftFile(let paths): "there is no Swift file in '\(paths.joined(separator: " "))'"
    }
  }
}
