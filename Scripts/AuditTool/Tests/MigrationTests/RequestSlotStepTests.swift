import Audit
import Testing

@testable import Migration

@Suite("request numbers become slots", .timeLimit(.minutes(5)))
struct RequestSlotStepTests {
  private func latest(
    completion: String = "(Result<[String], Error>) -> Void", returns: String = "",
    answer: String = "guard let self = self, self.requestID == id else { return }"
  ) -> String {
    """
    import Dispatch

    protocol Client {
      func find(_ text: String, then: @escaping \(completion))\(returns)
    }

    class SearchViewModel {
      private var requestID = 0
      private let client: Client
      var found: [String] = []

      func stop() { self.requestID += 1 }

      func search(_ text: String) {
        // A new request.
        requestID += 1
        let id = requestID
        found = []
        client.find(text) { [weak self] result in
          DispatchQueue.main.async {
            \(answer)
            // Only the latest.
            if case .success(let found) = result {
              self.found = found
            }
          }
        }
      }
    }
    """
  }

  @Test("a request number becomes a slot")
  func requestNumber() throws {
    let result = runTwice(RequestSlotStep(), latest())
    #expect(result.refusals.isEmpty)
    #expect(
      result.text == """
        import AsyncViewModelsGCD
        import Dispatch

        protocol Client {
          func find(_ text: String, then: @escaping (Result<[String], Error>) -> Void)
        }

        class SearchViewModel {
          private let requestSlot = RequestSlot(queue: .main)
          private let client: Client
          var found: [String] = []

          func stop() { _ = self.requestSlot.cancel() }

          func search(_ text: String) {
            // A new request.
            found = []
            requestSlot.run { completion in
              client.find(text, then: completion)
              return .finished
            } receive: { [weak self] result in
              guard let self = self else { return }
              // Only the latest.
              if case .success(let found) = result {
                self.found = found
              }
            }
          }
        }
        """)
  }

  @Test("an answer that is received in one line, in a file with other line ends, is kept")
  func oneLine() throws {
    let text = latest(answer: "guard self?.requestID == id else { return }; self?.found = []")
      .replacingOccurrences(
        of: """
          DispatchQueue.main.async {
                  guard self?.requestID == id else { return }; self?.found = []
                  // Only the latest.
                  if case .success(let found) = result {
                    self.found = found
                  }
                }
          """,
        with: "DispatchQueue.main.async { guard self?.requestID == id else { return }; self?.found = [] }")
    let result = runTwice(RequestSlotStep(), text.replacingOccurrences(of: "\n", with: "\r\n"))
    #expect(
      result.text.contains(
        """
            } receive: { [weak self] result in
              self?.found = []
            }
          }
        """.replacingOccurrences(of: "\n", with: "\r\n")))
  }

  @Test("a number that is no request number is no concern of the step")
  func otherNumber() throws {
    let text =
      "class PageViewModel { private var page = 0\n func next() { page += 1; let next = page; load(next) } }"
    let result = runTwice(RequestSlotStep(), text)
    #expect(result.text == text)
    #expect(result.refusals.isEmpty)
  }

  @Test("a request that a slot cannot run is refused")
  func refusedRequest() throws {
    func reasons(_ text: String) throws -> [String] {
      let result = runTwice(RequestSlotStep(), text)
      #expect(result.text == text)
      return result.refusals
    }
    #expect(
      try reasons(latest(completion: "([String]?, Error?) -> Void")) == [
        "the completion handler of 'find' does not take a Result with any error"
      ])
    #expect(
      try reasons(latest(returns: " -> Request")) == ["'find' returns a token, which the slot has to cancel"])
    #expect(
      try reasons(latest(answer: "print(); guard let self = self, self.requestID == id else { return }")) == [
        "an answer is compared with it elsewhere than in the first guard of a closure"
      ])
    #expect(
      try reasons(
        latest().replacingOccurrences(of: "    found = []\n", with: "    if text == \"\" { return }\n")) == [
          "code between it and the request can leave the function"
        ])
    #expect(
      try reasons(
        latest().replacingOccurrences(of: "DispatchQueue.main.async", with: "DispatchQueue.global().async"))
        == ["its answers are received neither on the main queue nor on a serial queue of the type"])
    #expect(
      try reasons(latest().replacingOccurrences(of: "    found = []\n", with: "    print(requestID)\n")) == [
        "it is used for more than the comparison of answers"
      ])
    #expect(
      try reasons(latest().replacingOccurrences(of: "protocol Client", with: "protocol Other")) == [
        "the declaration of 'find' is not in these files"
      ])
  }
}
