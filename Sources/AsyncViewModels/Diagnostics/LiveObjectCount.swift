/// The count of live objects at one moment, by kind and name.
public struct LiveObjectCount: Equatable, Sendable {
  /// A kind of live object.
  public enum Kind: Hashable, Sendable {
    /// A view model.
    case viewModel
    /// A running task.
    case task
    /// An observer of a state, an event channel, or a callback state.
    case observer
  }

  #if DEBUG
    struct Member: Hashable, Sendable {
      let kind: Kind
      let name: String
    }

    /// The number of live objects for each kind and name. Contains no zeros.
    private var numbers: [Member: Int] = [:]
  #endif

  /// Creates an empty count.
  public init() {}
}

#if DEBUG
  extension LiveObjectCount {
    /// Whether there are no live objects.
    public var isEmpty: Bool { numbers.isEmpty }

    /// The number of live objects of a kind.
    ///
    /// - Complexity: O(*n*), where *n* is the number of names.
    public subscript(kind: Kind) -> Int {
      numbers.reduce(0) { $1.key.kind == kind ? $0 + $1.value : $0 }
    }

    /// The number of live objects with this kind and this name.
    public subscript(kind: Kind, name: String) -> Int { numbers[Member(kind: kind, name: name)] ?? 0 }

    /// Returns the names of the live objects of a kind, in alphabetical order.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of names.
    public func names(of kind: Kind) -> [String] {
      numbers.keys.filter { $0.kind == kind }.map(\.name).sorted()
    }

    /// Returns the increase since an earlier count, for each kind and name.
    ///
    /// A released object of one name does not offset a new object of another name.
    ///
    /// - Complexity: O(*n*), where *n* is the number of names.
    public func subtracting(_ earlier: LiveObjectCount) -> LiveObjectCount {
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
    /// A list such as `1 view model: CartViewModel · 3 tasks: TaskBag ×2, observe on Badge`.
    public var description: String {
      let parts = [Kind.viewModel, .task, .observer].filter { self[$0] > 0 }.map(describe)
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
#else
  // A release build counts nothing, and an app does not contain the code that counts.
  extension LiveObjectCount: CustomStringConvertible {
    public var isEmpty: Bool { true }
    public subscript(kind: Kind) -> Int { 0 }
    public subscript(kind: Kind, name: String) -> Int { 0 }
    public func names(of kind: Kind) -> [String] { [] }
    public func subtracting(_ earlier: LiveObjectCount) -> LiveObjectCount { self }
    public var description: String { "nothing" }
  }
#endif
