/// The rules about who keeps what, and about screens.
public let ownershipRules: [any Rule] = [
  StrongCallbackRule(), StrongTimerRule(), StrongSubscriptionRule(), UnownedSelfRule(), ObserverRule(),
  RunningTimerRule(),
  UnstoredTaskRule(), StrongTaskRule(), DeinitTaskRule(), ModelInBodyRule(), ObservedObjectRule(),
  OptionalModelRule(),
  BindingInInitRule(), ChildWithoutMoveRule(), ChildNotRemovedRule(), UIImportRule(), DeprecatedMethodRule(),
  HomeMadeObservableRule(), ContradictoryStateRule(),
]
