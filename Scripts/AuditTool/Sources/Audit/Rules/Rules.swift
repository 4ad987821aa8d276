/// All rules, in the order of the page of hazards.
public let rules: [any Rule] = flowRules + ownershipRules + legacyRules + uncheckedRules + subscriptionRules

/// The rules about paths, waits and isolation.
let flowRules: [any Rule] = [
  AwaitGapRule(), CompletionPathsRule(), ContinuationRule(), UnbalancedGroupRule(), HeldLockRule(),
  ForeignCodeRule(), QueueSyncRule(),
  AssumedIsolationRule(), CallbackElsewhereRule(), BlockingWaitRule(), WallClockRule(), AsyncAfterRule(),
  WorkItemRule(),
  LoadedBeforeAwaitRule(), BlindRollbackRule(), StaleResultRule(), UnguardedStateRule(),
]
