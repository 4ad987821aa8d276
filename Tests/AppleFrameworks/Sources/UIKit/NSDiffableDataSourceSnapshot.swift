/// The sections and items of a diffable data source, by their identifiers.
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  private var sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])] = []
  public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []

  public init() {}

  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    sections[index(of: identifier)].items
  }

  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers {
      precondition(!sectionIdentifiers.contains(identifier), "The section \(identifier) exists already.")
      sections.append((identifier, []))
    }
  }

  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    precondition(!sections.isEmpty, "There is no section.")
    let known = itemIdentifiers + identifiers
    precondition(Set(known).count == known.count, "An item exists twice.")
    sections[sectionIdentifier.map(index) ?? sections.count - 1].items += identifiers
  }

  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    let known = Set(itemIdentifiers)
    precondition(identifiers.allSatisfy(known.contains), "An item to reconfigure does not exist.")
    reconfiguredItemIdentifiers += identifiers.filter { !reconfiguredItemIdentifiers.contains($0) }
  }

  private func index(of identifier: SectionIdentifierType) -> Int {
    guard let index = sections.firstIndex(where: { $0.id == identifier }) else {
      preconditionFailure("There is no section \(identifier).")
    }
    return index
  }
}
