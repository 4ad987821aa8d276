public import Foundation

@MainActor
public protocol UICollectionViewDataSource: NSObjectProtocol {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  )
    -> UICollectionViewCell
}

open class UICollectionReusableView: UIView {
  /// Called before a cell shows another item.
  open func prepareForReuse() {}
}

open class UICollectionViewCell: UICollectionReusableView {
  // In Apple's SDK, Objective-C makes a cell of any class. Here the initializer has to be required.
  public required override init(frame: CGRect) { super.init(frame: frame) }

  @available(*, unavailable)
  public required init?(coder: NSCoder) { fatalError("The stand-in has no archives.") }
}

open class UICollectionViewLayout: NSObject {}

/// A collection view in which all items are visible.
open class UICollectionView: UIView {
  open weak var dataSource: (any UICollectionViewDataSource)? {
    didSet { reloadData() }
  }
  private var cells: [[UICollectionViewCell]] = []
  private var classes: [String: UICollectionViewCell.Type] = [:]
  private var updates: ListUpdates?
  /// The cell that the data source configures again.
  private var reconfigured: UICollectionViewCell?
  /// The cells of the items before a reload.
  private var reusable: [UICollectionViewCell] = []

  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) { super.init(frame: frame) }

  @available(*, unavailable)
  public required init?(coder: NSCoder) { fatalError("The stand-in has no archives.") }

  open var numberOfSections: Int { cells.count }
  open func numberOfItems(inSection section: Int) -> Int { cells[section].count }
  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    cells[indexPath.section][indexPath.item]
  }

  open func register(_ cellClass: UICollectionViewCell.Type, forCellWithReuseIdentifier identifier: String) {
    classes[identifier] = cellClass
  }

  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  )
    -> UICollectionViewCell
  {
    if let reconfigured { return reconfigured }
    guard let cellClass = classes[identifier] else { fatalError("No cell is registered as \(identifier).") }
    return cellClass.init(frame: .zero)
  }

  public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell {
    let cell = reconfigured as? Cell ?? reusedCell() ?? Cell(frame: .zero)
    if let item { registration.handler(cell, indexPath, item) }
    return cell
  }

  private func reusedCell<Cell: UICollectionViewCell>() -> Cell? {
    guard let index = reusable.firstIndex(where: { $0 is Cell }) else { return nil }
    let cell = reusable.remove(at: index) as? Cell
    cell?.prepareForReuse()
    return cell
  }

  open func reloadData() {
    reusable = cells.flatMap(\.self)
    defer { reusable = [] }
    cells = counts.enumerated().map { section, count in
      (0..<count).map { makeCell(at: IndexPath(item: $0, section: section)) }
    }
  }

  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    self.updates = ListUpdates()
    updates?()
    let batch = self.updates.take() ?? ListUpdates()
    let new = batch.applied(to: cells, counts: counts)
    cells = new.enumerated().map { section, items in
      items.enumerated().map { item, cell in cell ?? makeCell(at: IndexPath(item: item, section: section)) }
    }
    PendingWork.end(animated: true) { completion?(true) }
  }

  open func insertSections(_ sections: IndexSet) { change { $0.insertedSections += sections } }
  open func deleteSections(_ sections: IndexSet) { change { $0.deletedSections += sections } }
  open func moveSection(_ section: Int, toSection newSection: Int) {
    change { $0.movedSections.append((section, newSection)) }
  }
  open func insertItems(at indexPaths: [IndexPath]) { change { $0.insertedItems += indexPaths } }
  open func deleteItems(at indexPaths: [IndexPath]) { change { $0.deletedItems += indexPaths } }
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    change { $0.movedItems.append((indexPath, newIndexPath)) }
  }

  open func reconfigureItems(at indexPaths: [IndexPath]) {
    precondition(updates == nil, "The stand-in reconfigures only outside of a batch.")
    for path in indexPaths {
      reconfigured = cells[path.section][path.item]
      let cell = makeCell(at: path)
      precondition(cell === reconfigured, "A data source must dequeue the cell that it reconfigures.")
      reconfigured = nil
    }
  }

  private func change(_ body: @escaping (inout ListUpdates) -> Void) {
    guard updates != nil else { return performBatchUpdates { self.change(body) } }
    body(&updates!)
  }

  private var counts: [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  }

  private func makeCell(at path: IndexPath) -> UICollectionViewCell {
    guard let dataSource else { fatalError("The collection view has no data source.") }
    return dataSource.collectionView(self, cellForItemAt: path)
  }
}

extension UICollectionView {
  /// How to configure a cell for an item.
  @MainActor
  public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void

    let handler: Handler

    public init(handler: @escaping Handler) { self.handler = handler }
  }
}
