/// The pages of the guide that a plan names.
enum GuidePage: String, CaseIterable, Sendable {
  case writeTests = "Step1WriteTests"
  case collectState = "Step2CollectTheState"
  case extractViewModel = "Step3ExtractTheViewModel"
  case publishStream = "Step4PublishAStream"
  case awaitService = "Step6AwaitTheService"
  case useActor = "Step7UseAnActor"
  case await = "Step8Await"
  case removeBridge = "Step9RemoveTheBridge"

  /// The pages of the steps that `migrate` makes.
  static let ofMigration: [String: GuidePage] = [
    "async-twin": .awaitService, "state-struct": .collectState, "state-store": .publishStream,
    "queue-actor": .useActor,
  ]

  /// The folder of the pages in this repository.
  static let folder = "Sources/AsyncViewModels/AsyncViewModels.docc/FromAViewController"
}

/// The sections of the page *Recipes for a migration* that a plan names.
enum Recipe: String, CaseIterable, Sendable {
  case parallel = "Requests-in-parallel"
  case partial = "Partial-results"
  case typing = "Typed-text-in-results-out"
  case timers = "Repeating-timers"
  case besides = "Name-an-async-method-beside-an-old-one"

  var link: String { "MigrationRecipes#\(rawValue)" }
}

/// The kinds of hazards that a step of the guide removes.
let hazardsOfStep: [GuidePage: Set<String>] = [
  .collectState: ["contradictory-state", "stale-result", "blind-rollback"],
  .publishStream: [
    "home-made-observable", "callback-elsewhere", "strong-self-subscription", "binding-in-init",
  ],
  .awaitService: ["completion-paths", "continuation"],
  .useActor: [
    "unguarded-state", "queue-sync", "held-lock", "foreign-code-under-lock", "assumed-isolation",
    "blocking-wait",
  ],
  .await: [
    "check-before-await", "loaded-before-await", "unstored-task", "strong-self-task", "strong-self-callback",
    "async-after", "work-item", "unbalanced-group", "running-timer", "strong-self-timer", "task-in-deinit",
    "unowned-self",
  ],
]

/// The kinds that a check after an `await` repairs, or a `TaskSlot`.
let hazardsOfAwaits: Set = ["check-before-await", "loaded-before-await", "stale-result"]

/// The kinds that a capture list repairs.
let hazardsOfCaptures: Set = [
  "strong-self-subscription", "strong-self-callback", "strong-self-timer", "strong-self-task", "unowned-self",
]
