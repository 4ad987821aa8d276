/// The kinds of hazards that a step of the guide removes.
let hazardsOfStep: [String: Set<String>] = [
  "Step2CollectTheState": ["contradictory-state", "stale-result", "blind-rollback"],
  "Step4PublishAStream": [
    "home-made-observable", "callback-elsewhere", "strong-self-subscription", "binding-in-init",
  ],
  "Step5AwaitTheService": ["completion-paths", "continuation"],
  "Step6UseAnActor": [
    "unguarded-state", "queue-sync", "held-lock", "foreign-code-under-lock", "assumed-isolation",
    "blocking-wait",
  ],
  "Step7Await": [
    "check-before-await", "loaded-before-await", "unstored-task", "strong-self-task", "strong-self-callback",
    "async-after", "work-item", "unbalanced-group", "running-timer", "strong-self-timer", "task-in-deinit",
    "unowned-self",
  ],
]

/// The kinds that a capture list repairs.
let hazardsOfCaptures: Set = [
  "strong-self-subscription", "strong-self-callback", "strong-self-timer", "strong-self-task", "unowned-self",
]
