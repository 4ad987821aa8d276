import AsyncViewModelsRequests
import AsyncViewModelsUI
import Foundation
import Testing

@Suite("Error descriptions", .timeLimit(.minutes(5)))
struct ErrorDescriptionTests {
  private static let errors: [any LocalizedError & CustomStringConvertible & Sendable] = [
    DeadlineExceeded(duration: .seconds(1)), PagedItemsError.nothingNew, SingleFlightCycleError(key: "posts"),
    DeepLinkParserError.host("museum"),
    RoutePathError<String>.popAtRoot,
    ScreenHostError.ended,
    ListSnapshotError<Int, Int>.duplicateSection(1, at: 0, and: 1),
  ]

  @Test("an error's localized description is its description, and is not empty", arguments: errors.indices)
  func texts(index: Int) {
    let error = Self.errors[index]
    #expect(error.errorDescription == error.description)
    #expect(error.localizedDescription == error.description)
    #expect(!error.description.isEmpty)
  }
}
