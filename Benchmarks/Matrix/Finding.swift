/// What a probe found out about one stage: a verdict, and the number that it rests on.
struct Finding: Codable, Equatable, Sendable {
  let verdict: Verdict
  let number: String

  init(_ verdict: Verdict, _ number: String) {
    self.verdict = verdict
    self.number = number
  }
}
