import Testing

/// The code of the pages about UI frameworks. `.ci/apple/frameworks` compiles it, with stand-ins for these frameworks.
@Suite("Pages: using SwiftUI, UIKit and Combine", .timeLimit(.minutes(5)))
struct UIFrameworksTests {
  @Test(
    "the tests of the module contain the examples of the page, in the same order",
    arguments: [
      ("UsingSwiftUI", "SwiftUI/SwiftUIExamples.swift"), ("UsingUIKit", "UIKit/DocumentedExamples.swift"),
      ("UsingCombine", "Combine/CombineExamples.swift"),
    ])
  func examples(page: String, source: String) throws {
    try expectExamples(
      of: "Sources/AsyncViewModelsUI/AsyncViewModelsUI.docc/\(page).md",
      in: "../AsyncViewModelsUITests/\(source)")
  }

  @Test("the landing page of the module shows the view of the first tutorial")
  func landingPage() throws {
    try expectExamples(
      of: "Sources/AsyncViewModelsUI/AsyncViewModelsUI.docc/AsyncViewModelsUI.md",
      in: "NewsView.swift")
  }
}
