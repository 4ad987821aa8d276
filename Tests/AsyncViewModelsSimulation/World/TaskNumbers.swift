/// The tasks of a world, numbered in the order in which they were first seen, and what they are called.
struct TaskNumbers: Sendable {
  private(set) var numbers: [UInt64: Int] = [:]
  private var given: [String?] = [nil]
  private var creators: [Int] = [0]

  /// What the next new task is called.
  var nextName: String?

  mutating func number(of task: UInt64, creator: Int) -> (number: Int, isNew: Bool) {
    if let known = numbers[task] { return (known, false) }
    let number = given.count
    numbers[task] = number
    given.append(nextName)
    creators.append(creator)
    nextName = nil
    return (number, true)
  }

  /// The name that a task was given, or where it comes from: `search.2` is the second task that `search` made.
  func name(of number: Int) -> String {
    guard number > 0, number < given.count else { return "world" }
    if let name = given[number] { return name }
    let creator = creators[number]
    let rank = (1...number).count { creators[$0] == creator && given[$0] == nil }
    return "\(name(of: creator)).\(rank)"
  }
}
