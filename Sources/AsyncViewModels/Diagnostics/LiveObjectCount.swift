/// What a ``LiveObjects`` counted at one moment: a value, to keep and to compare.
public struct LiveObjectCount: Hashable, Sendable {
  /// What is counted.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case viewModel, task, observer
  }

  struct Member: Hashable, Sendable {
    let kind: Kind
    let name: String
  }

  /// How many there are of each. There are no zeros.
  private var numbers: [Member: Int] = [:]

  public init() {}

  /// Whether nothing lives.
  public var isEmpty: Bool { numbers.isEmpty }

  /// How many live of a kind. O(names).
  public subscript(kind: Kind) -> Int {
    numbers.reduce(0) { $1.key.kind == kind ? $0 + $1.value : $0 }
  }

  /// How many live of a kind and name.
  public subscript(kind: Kind, name: String) -> Int { numbers[Member(kind: kind, name: name)] ?? 0 }

  /// The names of those of a kind that live, in alphabetical order. O(names · log names).
  public func names(of kind: Kind) -> [String] {
    numbers.keys.filter { $0.kind == kind }.map(\.name).sorted()
  }

  /// What there is more of than in an earlier count. What has gone since does not make up for it. O(names).
  public func beyond(_ earlier: LiveObjectCount) -> LiveObjectCount {
    var growth = LiveObjectCount()
    for (member, number) in numbers {
      let more = number - (earlier.numbers[member] ?? 0)
      if more > 0 { growth.numbers[member] = more }
    }
    return growth
  }

  mutating func change(_ member: Member, by delta: Int) {
    let number = (numbers[member] ?? 0) + delta
    numbers[member] = number == 0 ? nil : number
  }
}

extension LiveObjectCount: CustomStringConvertible {
  /// Such as `1 view model: CartViewModel · 3 tasks: TaskBag ×2, observe on Badge`.
  public var description: String {
    let parts = Kind.allCases.filter { self[$0] > 0 }.map(describe)
    return parts.isEmpty ? "nothing" : parts.joined(separator: " · ")
  }

  private func describe(_ kind: Kind) -> String {
    let total = self[kind]
    let members = names(of: kind).map { self[kind, $0] == 1 ? $0 : "\($0) ×\(self[kind, $0])" }
    return "\(total) \(total == 1 ? kind.singular : kind.plural): \(members.joined(separator: ", "))"
  }
}

extension LiveObjectCount.Kind {
  fileprivate var singular: String {
    switch self {
    case .viewModel: "view model"
    case .task: "task"
    case .observer: "observer"
    }
  }

  fileprivate var plural: String { singular + "s" }
}
