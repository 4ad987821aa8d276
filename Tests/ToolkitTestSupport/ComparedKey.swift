/// A key that runs code of a test when it is hashed or compared.
package struct ComparedKey: Hashable, Sendable, CustomStringConvertible {
  package let name: String
  package var whenHashed: @Sendable () -> Void = {}
  package var whenCompared: @Sendable () -> Void = {}

  package init(
    name: String, whenHashed: @escaping @Sendable () -> Void = {},
    whenCompared: @escaping @Sendable () -> Void = {}
  ) {
    (self.name, self.whenHashed, self.whenCompared) = (name, whenHashed, whenCompared)
  }

  package var description: String { name }

  package static func == (left: ComparedKey, right: ComparedKey) -> Bool {
    left.whenCompared()
    right.whenCompared()
    return left.name == right.name
  }

  package func hash(into hasher: inout Hasher) {
    whenHashed()
    hasher.combine(name)
  }
}
