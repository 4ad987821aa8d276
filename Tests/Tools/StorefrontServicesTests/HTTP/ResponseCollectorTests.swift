import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Synchronization
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Collected responses", .timeLimit(.minutes(5)), .endsWaits)
struct ResponseCollectorTests {
  private let answers = Monitor<[Result<TransportResponse, any Error>]>([])

  private func collector(limit: Int) -> ResponseCollector {
    ResponseCollector(bodyLength: limit) { [answers] answer in answers.update { $0.append(answer) } }
  }

  private static func head(_ status: Int, length: Int? = nil) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://shop.example"))
    let fields = length.map { ["Content-Length": "\($0)"] }
    return try #require(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
  }

  @Test("the parts of a body are joined in order, whatever their lengths")
  func parts() throws {
    var generator = SplitMix64(seed: 1)
    for longest in [1, 100, 70_000] {
      let collector = collector(limit: .max)
      #expect(collector.receive(try Self.head(200)))
      var body = Data()
      for number in 0..<50 {
        let part = Data(repeating: UInt8(number), count: Int.random(in: 0...longest, using: &generator))
        body += part
        #expect(collector.receive(part))
      }
      collector.end(with: nil)
      #expect(try #require(answers.snapshot.last).get().body == body)
    }
  }

  @Test(
    "a body above the limit is too large, and that of an error is dropped",
    arguments: [(200, 10, 11), (200, 10, 10), (500, 10, 11), (500, 10, 10), (404, 1 << 20, (64 << 10) + 1)])
  func limits(status: Int, limit: Int, length: Int) throws {
    for isAnnounced in [false, true] {
      let collector = collector(limit: limit)
      let fits = length == limit
      let proceeds = collector.receive(try Self.head(status, length: isAnnounced ? length : nil))
      #expect(proceeds == (fits || !isAnnounced))
      if proceeds { #expect(collector.receive(Data(count: length)) == fits) }
      collector.end(with: nil)
      let answer = try #require(answers.snapshot.last)
      switch answer {
      case .success(let answer):
        #expect(answer.head.statusCode == status)
        #expect(answer.body.count == (fits ? length : 0))
        #expect(fits || status >= 300)
      case .failure(let error):
        #expect(error as? ServiceError == .tooLarge(limit: limit))
        #expect(!fits && status == 200)
      }
    }
  }
}
