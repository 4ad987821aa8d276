import StorefrontTesting

extension Probe {
  static let uncheckedTypes = Probe(
    "unchecked isolation", "the view models that are `@unchecked Sendable`", on: .source,
    wanted: .exactly(0, of: 9, "unchecked")
  ) { stage in
    [try SourceTree().viewModels(of: stage).count { $0.contains(/@unchecked Sendable/) }]
  }

  static let queueWaits = Probe(
    "waits that can deadlock",
    "the view models that wait for a queue, a group or a semaphore, and deadlock if they run on what they "
      + "wait for",
    on: .source, wanted: .exactly(0, of: 9, "wait")
  ) { stage in
    // `cancel { … }` of a request slot waits for the queue of the slot, and the `cancel()` of the product's page for that of its
    // detail.
    let waits = /\.sync\b|\.cancel \{|DispatchSemaphore|DispatchGroup|detail\.cancel\(\)/
    return [try SourceTree().viewModels(of: stage).count { $0.contains(waits) }]
  }

  static let oldestSystem = Probe(
    "oldest system",
    "the view models whose own files name nothing newer than iOS 12; the package as it ships needs iOS 18 "
      + "in every stage",
    on: .source, wanted: .exactly(9, of: 9, "before iOS 13")
  ) { stage in
    [try SourceTree().viewModels(of: stage).count { OldestSystem.iOS(for: $0) < OldestSystem.concurrency }]
  }
}
