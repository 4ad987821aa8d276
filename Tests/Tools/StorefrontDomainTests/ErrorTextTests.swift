import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@Suite("Error texts", .timeLimit(.minutes(5)), .endsWaits)
struct ErrorTextTests {
  private static let errors: [any LocalizedError & CustomStringConvertible & Sendable] = [
    CartError.unknownProduct(7), MoneyError.overflow, PageError.nothingNew(at: .index(3)),
    PageError.expired(PageCursor(rawValue: "a")), PostError.unknownPost(7),
    ProfileError.invalid(.missing(.name)), ProfileValidationError.missing(.name), ServiceError.timedOut,
    TokenRefreshError(cause: ServiceError.offline), StorageError.inUse(file: "cart.json"),
  ]

  @Test("the localized description of an error is its description", arguments: errors.indices)
  func localized(index: Int) {
    let error = Self.errors[index]
    #expect(error.errorDescription == error.description)
    #expect(error.localizedDescription == error.description)
  }

  @Test("a description names the input", arguments: texts)
  func descriptions(error: any Error & Sendable, text: String) {
    #expect("\(error)" == text)
  }

  private static let longCursor = PageCursor(
    rawValue: "0123456789abcdef" + String(repeating: "x", count: 1_000))

  private static let texts: [(any Error & Sendable, String)] = [
    (
      CartError.insufficientStock(7, requested: 6, available: 5),
      "The cart would need 6 of product 7, but only 5 are in stock."
    ),
    (CartError.unknownProduct(7), "There is no product 7."),
    (CartError.refused(7, reason: "recalled"), "Product 7 was refused: recalled"),
    (
      CartError.unanswered(7, reason: "The service did not answer in time."),
      "The change of product 7 is not confirmed yet: The service did not answer in time."
    ),
    (CartError.closed, "The cart is closed."),
    (CartError.money(.overflow), "The amount is too large to represent."),
    (MoneyError.mixedCurrencies(.eur, .usd), "Amounts in EUR and USD cannot be combined."),
    (
      PageError.nothingNew(at: .cursor(longCursor)),
      "The page at the cursor 0123456789abcdef… contains nothing new, although it is not the last page."
    ),
    (
      PageError.expired(longCursor),
      "The cursor 0123456789abcdef… of the list has expired. Load the list again."
    ),
    (PageError.unsupported(.index(3)), "The service pages by cursor, and has no page 3."),
    (
      PageError.unsupported(.cursor(PageCursor(rawValue: "a\nb"))),
      "The service pages by number, and has no page at the cursor a b."
    ),
    (PageError.nothingNew(at: .index(3)), "Page 3 contains nothing new, although it is not the last page."),
    (PostError.notDeleted(7), "Post 7 is not deleted."),
    (PostError.closed, "The list of posts is closed."),
    (
      ProfileValidationError.tooLong(.name, length: 81, limit: 80),
      "The name has 81 characters, but only 80 are allowed."
    ),
    (
      ProfileValidationError.refused(.email, reason: "already in use"),
      "The email was refused: already in use"
    ),
    (ServiceError.status(code: 503, message: "busy"), "The service answered 503: busy"),
    (StorageError.closed(file: "cart.json"), "The file cart.json is already closed."),
    (
      StorageError.notRegularFile(file: "cart.json"), "The name cart.json does not belong to a regular file."
    ),
    (
      StorageError.failed(.write, file: "cart.json", code: 28, reason: "No space left on device"),
      "The new version of cart.json could not be written: No space left on device"
    ),
    (
      StorageError.newerSchema(file: "cart.json", found: 3, supported: 2),
      "The file cart.json has format 3, but this version of the app reads only formats up to 2."
    ),
  ]

  @Test("an error about a key names the key")
  func keys() throws {
    let key = try #require(IdempotencyKey("k-1"))
    #expect(
      "\(ServiceError.keyReused(key))" == "The service has already received another change with the key k-1.")
    #expect(
      "\(ServiceError.stillInProgress(key))"
        == "The service has not finished the change with the key k-1 yet.")
  }

  @Test("a refusal is an error after which the service has not made the write")
  func refusals() {
    let key = IdempotencyKey()
    for error in [ServiceError.keyReused(key), .notFound("x")] {
      #expect(error.isRefusal, "\(error)")
    }
    for error in [
      ServiceError.stillInProgress(key), .timedOut, .connectionLost, .status(code: 409, message: ""),
      .status(code: 503, message: ""),
    ] {
      #expect(!error.isRefusal, "\(error)")
    }
  }
}
