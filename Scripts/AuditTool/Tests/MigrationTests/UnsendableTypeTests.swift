import Audit
import Testing

@testable import Migration

@Suite("types that are passed between threads", .timeLimit(.minutes(5)))
struct UnsendableTypeTests {
  private func reasons(_ step: any Step, _ text: String) -> [String] {
    Migration(
      step,
      [
        SourceFile(
          path: "a.swift",
          text: """
            import Foundation
            protocol Tracker { func track() }
            protocol Style: Sendable {}
            protocol Failure: Error {}
            struct Event { var tracker: any Tracker }
            struct Row { var style: any Style; var text = UserDefaults.standard.string(forKey: "a") }
            extension NSString { var isShort: Bool { length < 3 } }
            \(text)
            """)
      ]
    ).refused.map(\.refusal.reason)
  }

  @Test(
    "an async twin passes no type that the compiler lets no task capture",
    arguments: [
      ("NSString", "NSString", "type"), ("[NSString]?", "NSString", "type"), ("Any", "Any", "type"),
      ("[String: Any]", "Any", "type"), ("AnyHashable", "AnyHashable", "type"),
      ("NSCache<NSString, NSData>", "NSCache", "type"), ("any Tracker", "Tracker", "protocol"),
      ("Tracker & AnyObject", "Tracker", "protocol"), ("Event", "Tracker", "protocol"),
    ])
  func refused(type: String, name: String, kind: String) {
    let repair =
      kind == "type"
      ? "use a struct or another Sendable value first" : "let it inherit `Sendable` first"
    let reason = "`a` passes `\(name)` between threads, a \(kind) that is not Sendable: \(repair)"
    for method in [
      "func a(_ value: \(type), completion: @escaping (Result<Int, Error>) -> Void)",
      "func a(completion: @escaping (Result<\(type), Error>) -> Void)",
    ] {
      #expect(reasons(AsyncTwinStep(), "protocol Service { \(method) }") == [reason], "\(method)")
    }
  }

  @Test(
    "an async twin passes values and Sendable classes",
    arguments: [
      "Data", "[String: Int]", "NSNumber", "URLSession", "any Style", "any Tracker & Sendable", "any Failure",
      "Row", "any Decodable.Type",
    ])
  func passed(type: String) {
    let method = "func a(_ value: \(type), completion: @escaping (Result<\(type), Error>) -> Void)"
    #expect(reasons(AsyncTwinStep(), "protocol Service { \(method) }") == [])
  }

  @Test("on the main actor, only the values of handlers come from another thread")
  func mainActor() {
    func reasons(_ parameter: String, _ value: String) -> [String] {
      let method =
        "func a(_ value: \(parameter), completion: @escaping (Result<\(value), Error>) -> Void)"
      return self.reasons(AsyncTwinStep(), "@MainActor protocol Service { \(method) }")
    }
    #expect(reasons("[String: Any]", "Int") == [])
    #expect(reasons("Int", "[String: Any]").count == 1)
  }

  @Test("a store takes no state that observers on other threads must not have")
  func store() {
    func reasons(_ type: String) -> [String] {
      self.reasons(
        StateStoreStep(),
        """
        final class AViewModel {
          struct State { var value: \(type)?; var first = UserDefaults.standard.string(forKey: "a") }
          private(set) var state = State() { didSet { onChange?(state) } }
          var onChange: ((State) -> Void)?
        }
        """)
    }
    #expect(reasons("Row") == [])
    #expect(
      reasons("[String: Any]") == [
        "observers of the state can be on any thread, and `Any` is a type that is not Sendable: use a struct or another Sendable value first"
      ])
  }
}
