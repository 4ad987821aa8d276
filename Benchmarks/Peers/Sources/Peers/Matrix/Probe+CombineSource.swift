import Foundation

/// The source files of the four features that are also written with Combine.
enum CombineSources {
  static let features = ["ProductList/ProductList", "Search/Search", "Cart/Cart", "Dashboard/Dashboard"]

  private static let peers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(of feature: String, _ stage: MigrationStage) throws -> SourceText {
    let (name, path) = (feature.split(separator: "/")[1], "Repository/Sources/ViewModels/\(feature)")
    let file =
      switch stage {
      case .closure: "\(path)ClosureViewModel.swift"
      case .stream: "\(path)StreamViewModel.swift"
      case .async: "\(path)ViewModel.swift"
      case .combine: "Sources/CombineViewModels/\(name)CombineViewModel.swift"
      }
    return try SourceText(peers.appending(path: file))
  }

  /// The number of features whose file of a stage contains a pattern.
  static func count(_ stage: MigrationStage, _ pattern: some RegexComponent) throws -> Int {
    try features.count { try text(of: $0, stage).contains(pattern) }
  }

  /// The code of Combine that all four view models share.
  static func sharedCode() throws -> [SourceText] {
    try ["StateSubject", "Publishers"].map { name in
      try SourceText(peers.appending(path: "Sources/CombineViewModels/\(name).swift"))
    }
  }
}

extension Probe {
  static let uncheckedTypes = Probe(
    "unchecked isolation", "the view models that are `@unchecked Sendable`", on: .source,
    wanted: .exactly(0, of: 4, "unchecked")
  ) { stage in
    [try CombineSources.count(stage, /@unchecked Sendable/)]
  }

  static let queueWaits = Probe(
    "waits that can deadlock", "the view models that wait for a queue", on: .source,
    wanted: .exactly(0, of: 4, "wait")
  ) { stage in
    [try CombineSources.count(stage, /\.sync\b|\.cancel \{/)]
  }
}
