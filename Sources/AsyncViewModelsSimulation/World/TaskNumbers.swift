/// The numbers and names of the tasks of a world. The numbers follow the order in which the tasks
/// first appear.
struct TaskNumbers: Sendable {
  private(set) var numbers: [UInt64: Int] = [:]
  private var givenNames: [String?] = [nil]
  private var creators: [Int] = [0]

  /// The name for the next new task.
  var nextName: String?

  var tasks: some Collection<UInt64> { numbers.keys }

  mutating func number(of task: UInt64, creator: Int) -> (number: Int, isNew: Bool) {
    if let known = numbers[task] { return (known, false) }
    let number = add(nextName, creator: creator)
    numbers[task] = number
    nextName = nil
    return (number, true)
  }

  /// Adds a number that belongs to no task, or to a new one.
  mutating func add(_ name: String?, creator: Int) -> Int {
    givenNames.append(name)
    creators.append(creator)
    return givenNames.count - 1
  }

  /// The given name of a task, or a name from its creator: `search.2` is the second unnamed task
  /// that `search` created.
  func name(of number: Int) -> String {
    guard number > 0, number < givenNames.count else { return "world" }
    if let name = givenNames[number] { return name }
    let creator = creators[number]
    let rank = (1...number).count { creators[$0] == creator && givenNames[$0] == nil }
    return "\(name(of: creator)).\(rank)"
  }
}
