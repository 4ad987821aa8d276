/// A key that runs code of a test when it is hashed or compared.
struct ComparedKey: Hashable, Sendable, CustomStringConvertible {
  let name: String
  var whenHashed: @Sendable () -> Void = {}
  var whenCompared: @Sendable () -> Void = {}

  var description: String { name }

  static func == (left: ComparedKey, right: ComparedKey) -> Bool {
    left.whenCompared()
    right.whenCompared()
    return left.name == right.name
  }

  func hash(into hasher: inout Hasher) {
    whenHashed()
    hasher.combine(name)
  }
}
