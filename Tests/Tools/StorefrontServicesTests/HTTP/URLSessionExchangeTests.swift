import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Who cancels the task of an exchange. On Linux, two cancellations can crash the process.
@Suite("Exchange of a URLSession", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct URLSessionExchangeTests {
  private let task = URLSession.shared.dataTask(with: URLRequest(url: URL(string: "http://127.0.0.1:1")!))
  private let endings = Tally()

  private func exchange() -> URLSessionExchange {
    URLSessionExchange(
      isSecure: false, receiver: ResponseCollector(bodyLength: 1) { [endings] _ in endings.increment() })
  }

  @Test("a stopped exchange returns its task once, also if it is abandoned while it ends")
  func once() {
    let stopped = exchange()
    #expect(stopped.keep(task))
    #expect(stopped.end() === task)
    #expect(stopped.end() == nil && stopped.abandon() == nil)
    #expect(endings.count == 1)
    let abandoned = exchange()
    #expect(abandoned.keep(task))
    #expect(abandoned.abandon() === task)
    #expect(abandoned.end() == nil)
    #expect(endings.count == 1, "an abandoned exchange calls nothing")
  }

  @Test("an exchange that ends before it has a task leaves the cancellation to the start")
  func early() {
    let exchange = exchange()
    #expect(exchange.end() == nil)
    #expect(!exchange.keep(task))
    #expect(exchange.abandon() == nil)
  }
}
