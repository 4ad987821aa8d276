/// One step of a script that drives all stages of a feature.
enum Step<Intent: Sendable>: Sendable {
  case perform(Intent)
  /// Answers one of the open calls, counted from the oldest, with one of the answers to this call.
  case answer(Int, with: Int)
  case wait(milliseconds: Int)
  /// Publishes a new stock of a product. Its number is that of the step.
  case publish(product: Int)
  case endFeed(fails: Bool)
  /// Another user signs in. Later intents belong to the new account.
  case changeAccount
  /// Releases the view model, and creates another one over the same services.
  ///
  /// Only for a feature without changes: a change keeps its view model alive, for a time that
  /// differs between the stages.
  case leave
  /// The app is killed, and starts with what the storage contains.
  case restart

  /// Every intent and every answer, each about as often as the other.
  static func all(of intents: [Intent]) -> [Step] {
    let answers = (0..<3).flatMap { call in (0..<8).map { Step.answer(call, with: $0) } }
    let repetitions = max(1, answers.count / intents.count)
    return Array(repeating: intents.map { .perform($0) }, count: repetitions).flatMap(\.self) + answers
  }
}

extension Step: CustomStringConvertible {
  /// The step as Swift code.
  var description: String {
    switch self {
    case .perform(let intent): ".perform(.\(intent))"
    case .answer(let call, let answer): ".answer(\(call), with: \(answer))"
    case .wait(let time): ".wait(milliseconds: \(time))"
    case .publish(let product): ".publish(product: \(product))"
    case .endFeed(let fails): ".endFeed(fails: \(fails))"
    case .changeAccount: ".changeAccount"
    case .leave: ".leave"
    case .restart: ".restart"
    }
  }
}
