public import Foundation

@MainActor
public protocol UITableViewDataSource: NSObjectProtocol {
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
}

open class UITableViewCell: UIView {
  public enum CellStyle: Int, Sendable { case `default`, value1, value2, subtitle }

  public required init(style: CellStyle, reuseIdentifier: String?) { super.init(frame: .zero) }

  @available(*, unavailable)
  public required init?(coder: NSCoder) { fatalError("The stand-in has no archives.") }
}

/// A table view in which all rows are visible.
open class UITableView: UIView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
  public enum RowAnimation: Int, Sendable {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }

  open weak var dataSource: (any UITableViewDataSource)? {
    didSet { reloadData() }
  }
  private var cells: [[UITableViewCell]] = []
  private var classes: [String: UITableViewCell.Type] = [:]
  private var updates: ListUpdates?
  /// The cell that the data source configures again.
  private var reconfigured: UITableViewCell?

  public init(frame: CGRect, style: Style) { super.init(frame: frame) }

  @available(*, unavailable)
  public required init?(coder: NSCoder) { fatalError("The stand-in has no archives.") }

  open var numberOfSections: Int { cells.count }
  open func numberOfRows(inSection section: Int) -> Int { cells[section].count }
  open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
    cells[indexPath.section][indexPath.row]
  }

  open func register(_ cellClass: UITableViewCell.Type, forCellReuseIdentifier identifier: String) {
    classes[identifier] = cellClass
  }

  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  )
    -> UITableViewCell
  {
    if let reconfigured { return reconfigured }
    guard let cellClass = classes[identifier] else { fatalError("No cell is registered as \(identifier).") }
    return cellClass.init(style: .default, reuseIdentifier: identifier)
  }

  open func reloadData() {
    cells = counts.enumerated().map { section, count in
      (0..<count).map { makeCell(at: IndexPath(row: $0, section: section)) }
    }
  }

  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    self.updates = ListUpdates()
    updates?()
    let batch = self.updates.take() ?? ListUpdates()
    let new = batch.applied(to: cells, counts: counts)
    cells = new.enumerated().map { section, rows in
      rows.enumerated().map { row, cell in cell ?? makeCell(at: IndexPath(row: row, section: section)) }
    }
    PendingWork.end(animated: true) { completion?(true) }
  }

  open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    change { $0.insertedSections += sections }
  }
  open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    change { $0.deletedSections += sections }
  }
  open func moveSection(_ section: Int, toSection newSection: Int) {
    change { $0.movedSections.append((section, newSection)) }
  }
  open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    change { $0.insertedItems += indexPaths }
  }
  open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    change { $0.deletedItems += indexPaths }
  }
  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    change { $0.movedItems.append((indexPath, newIndexPath)) }
  }

  open func reconfigureRows(at indexPaths: [IndexPath]) {
    precondition(updates == nil, "The stand-in reconfigures only outside of a batch.")
    for path in indexPaths {
      reconfigured = cells[path.section][path.row]
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
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  }

  private func makeCell(at path: IndexPath) -> UITableViewCell {
    guard let dataSource else { fatalError("The table view has no data source.") }
    return dataSource.tableView(self, cellForRowAt: path)
  }
}
