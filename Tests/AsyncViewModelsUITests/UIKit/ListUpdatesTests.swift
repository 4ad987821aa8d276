#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    /// The stand-in checks each batch as UIKit does, and stops the process if the batch is wrong.
    @MainActor
    @Suite("updates of tables and collections", .timeLimit(.minutes(5)), .endsWaits)
    struct ListUpdatesTests {
      @Test("after each random change, a list shows the new snapshot", arguments: 0..<10)
      func randomChanges(seed: UInt64) async throws {
        for list in ShownList.all() {
          var random = RandomSnapshots(seed: seed)
          for round in 0..<60 {
            let old = try random.snapshot(sections: 1 + round % 6, items: round % 24)
            for new in [old, try random.variation(of: old, changes: round % 12)] {
              list.show(new, animated: round.isMultiple(of: 2))
              #expect(list.texts == new.sections.map { $0.items.map(\.text) })
            }
          }
          UIKitStandIn.advance()
        }
      }

      @Test("items that stay keep their cells, and only items with new content are configured again")
      func cells() async throws {
        for list in ShownList.all() {
          let old = try TestSnapshot(
            [("A", [1, 2]), ("B", [3])], contents: [1: "one", 2: "two", 3: "three"])
          list.show(old)
          let cells = list.cells
          list.configured = []
          let new = try TestSnapshot(
            [("A", [2, 4]), ("B", [3])], contents: [2: "two", 3: "drei", 4: "four"])
          list.show(new)
          #expect(list.cells[0][0] === cells[0][1])
          #expect(list.cells[1][0] === cells[1][0])
          #expect(list.configured.sorted() == ["3 drei", "4 four"])
          list.configured = []
          list.show(new)
          #expect(list.configured == [])
          UIKitStandIn.advance()
        }
      }

      @Test("a list that is not in a window reloads its data")
      func hidden() async throws {
        for list in ShownList.all() {
          let view = list.view
          view.removeFromSuperview()
          list.show(try TestSnapshot([("A", [1])], contents: [1: "one"]))
          list.show(try TestSnapshot([("A", [1, 2])], contents: [1: "one", 2: "two"]))
          #expect(list.texts == [["1 one", "2 two"]])
          #expect(UIKitStandIn.pendingAnimations == 0)
        }
      }

      @Test("a snapshot for a diffable data source has the same ids, and reconfigures items with new content")
      func diffable() async throws {
        let old = try TestSnapshot([("A", [1, 2]), ("B", [3])], contents: [1: "one", 2: "two", 3: "three"])
        let new = try TestSnapshot([("B", [3, 1]), ("C", [4])], contents: [1: "one", 3: "drei", 4: "four"])
        let first = NSDiffableDataSourceSnapshot(old)
        #expect(first.reconfiguredItemIdentifiers == [])
        let snapshot = NSDiffableDataSourceSnapshot(new, reconfiguringSince: old)
        #expect(snapshot.sectionIdentifiers == ["B", "C"])
        #expect(snapshot.itemIdentifiers(inSection: "B") == [3, 1])
        #expect(snapshot.itemIdentifiers(inSection: "C") == [4])
        #expect(snapshot.reconfiguredItemIdentifiers == [3])
      }
    }
  }

  /// A table or a collection view in a window, with the data source of a test.
  @MainActor
  private class ShownList: NSObject {
    var snapshot: TestSnapshot = TestSnapshot()
    /// The texts of the cells that were configured.
    var configured: [String] = []
    let view: UIView
    private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

    static func all() -> [ShownList] { [ShownTable(), ShownCollection()] }

    init(_ view: UIView) {
      self.view = view
      super.init()
      window.makeKeyAndVisible()
      window.addSubview(view)
    }

    func show(_ new: TestSnapshot, animated: Bool = true) { fatalError("overridden") }
    var cells: [[any LabelCell]] { fatalError("overridden") }
    var texts: [[String]] { cells.map { $0.map(\.text) } }

    func configure(_ cell: some LabelCell, at path: IndexPath) {
      cell.text = snapshot[ListSnapshotPath(section: path.section, item: path.item)].text
      configured.append(cell.text)
    }
  }

  @MainActor
  private protocol LabelCell: UIView {
    var text: String { get set }
  }

  private final class ShownTable: ShownList, UITableViewDataSource {
    private let table = UITableView(frame: .zero, style: .plain)

    init() {
      super.init(table)
      table.register(Cell.self, forCellReuseIdentifier: "cell")
      table.dataSource = self
    }

    override func show(_ new: TestSnapshot, animated: Bool) {
      table.performBatchUpdates(from: snapshot, to: new, animated: animated) { self.snapshot = $0 }
    }

    override var cells: [[any LabelCell]] {
      (0..<table.numberOfSections).map { section in
        (0..<table.numberOfRows(inSection: section)).compactMap {
          table.cellForRow(at: IndexPath(row: $0, section: section)) as? Cell
        }
      }
    }

    func numberOfSections(in tableView: UITableView) -> Int { snapshot.sectionCount }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      snapshot.items(inSection: section).count
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
      if let cell = cell as? Cell { configure(cell, at: indexPath) }
      return cell
    }

    private final class Cell: UITableViewCell, LabelCell {
      var text = ""
    }
  }

  private final class ShownCollection: ShownList, UICollectionViewDataSource {
    private let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())

    init() {
      super.init(collection)
      collection.register(Cell.self, forCellWithReuseIdentifier: "cell")
      collection.dataSource = self
    }

    override func show(_ new: TestSnapshot, animated: Bool) {
      collection.performBatchUpdates(from: snapshot, to: new, animated: animated) { self.snapshot = $0 }
    }

    override var cells: [[any LabelCell]] {
      (0..<collection.numberOfSections).map { section in
        (0..<collection.numberOfItems(inSection: section)).compactMap {
          collection.cellForItem(at: IndexPath(item: $0, section: section)) as? Cell
        }
      }
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int { snapshot.sectionCount }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      snapshot.items(inSection: section).count
    }

    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    )
      -> UICollectionViewCell
    {
      let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
      if let cell = cell as? Cell { configure(cell, at: indexPath) }
      return cell
    }

    private final class Cell: UICollectionViewCell, LabelCell {
      var text = ""
    }
  }

  extension ListSnapshotItem where ID == Int, Content == String {
    fileprivate var text: String { "\(id) \(content)" }
  }
#endif
