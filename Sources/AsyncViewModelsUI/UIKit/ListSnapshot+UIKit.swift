#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UICollectionView {
    /// Changes the shown items from one snapshot to another, in batches of updates.
    ///
    /// ```swift
    /// func render(_ state: CatalogState) {
    ///   collectionView.performBatchUpdates(from: shown, to: state.snapshot) { self.shown = $0 }
    /// }
    /// ```
    ///
    /// The cells of items with new content stay, and the data source configures them again. If the
    /// view is not in a window, it reloads its data instead, because UIKit would have to lay it out
    /// for the updates.
    ///
    /// - Parameters:
    ///   - old: The snapshot that the view shows.
    ///   - new: The snapshot to show.
    ///   - animated: Whether the updates are animated.
    ///   - setSnapshot: Stores the snapshot for the data source, which must return its sections and
    ///     items from then on. Called once for each batch: twice if sections have moved and other
    ///     changes follow, and never if there are no changes.
    /// - Complexity: That of ``ListSnapshot/batches(from:)``.
    public func performBatchUpdates<SectionID, ItemID, Content>(
      from old: ListSnapshot<SectionID, ItemID, Content>, to new: ListSnapshot<SectionID, ItemID, Content>,
      animated: Bool = true,
      setSnapshot: @escaping (ListSnapshot<SectionID, ItemID, Content>) -> Void
    ) {
      for batch in new.batches(from: old, for: self, setSnapshot, reload: reloadData) {
        let changes = batch.difference
        UIView.perform(animated: animated) {
          performBatchUpdates { [self] in
            setSnapshot(batch.snapshot)
            deleteSections(IndexSet(changes.deletedSections.map(\.index)))
            insertSections(IndexSet(changes.insertedSections.map(\.index)))
            for section in changes.movedSections { moveSection(section.from, toSection: section.to) }
            deleteItems(at: changes.deletedItems.map { IndexPath($0.path) })
            insertItems(at: changes.insertedItems.map { IndexPath($0.path) })
            for item in changes.movedItems { moveItem(at: IndexPath(item.from), to: IndexPath(item.to)) }
          }
          reconfigureItems(at: changes.reconfiguredItems.map { IndexPath($0.to) })
        }
      }
    }
  }

  extension UITableView {
    /// Changes the shown rows from one snapshot to another, in batches of updates.
    ///
    /// The guarantees and parameters are those of the method for collection views.
    ///
    /// - Parameter animation: The animation of deleted and inserted rows and sections.
    public func performBatchUpdates<SectionID, ItemID, Content>(
      from old: ListSnapshot<SectionID, ItemID, Content>, to new: ListSnapshot<SectionID, ItemID, Content>,
      animated: Bool = true, with animation: RowAnimation = .automatic,
      setSnapshot: @escaping (ListSnapshot<SectionID, ItemID, Content>) -> Void
    ) {
      for batch in new.batches(from: old, for: self, setSnapshot, reload: reloadData) {
        let changes = batch.difference
        UIView.perform(animated: animated) {
          performBatchUpdates { [self] in
            setSnapshot(batch.snapshot)
            deleteSections(IndexSet(changes.deletedSections.map(\.index)), with: animation)
            insertSections(IndexSet(changes.insertedSections.map(\.index)), with: animation)
            for section in changes.movedSections { moveSection(section.from, toSection: section.to) }
            deleteRows(at: changes.deletedItems.map { IndexPath($0.path) }, with: animation)
            insertRows(at: changes.insertedItems.map { IndexPath($0.path) }, with: animation)
            for item in changes.movedItems { moveRow(at: IndexPath(item.from), to: IndexPath(item.to)) }
          }
          reconfigureRows(at: changes.reconfiguredItems.map { IndexPath($0.to) })
        }
      }
    }
  }

  extension NSDiffableDataSourceSnapshot {
    /// Creates the snapshot for a diffable data source from a list snapshot.
    ///
    /// ```swift
    /// dataSource.apply(NSDiffableDataSourceSnapshot(state.snapshot, reconfiguringSince: shown))
    /// shown = state.snapshot
    /// ```
    ///
    /// A diffable data source compares ids only. So it learns from this snapshot which items have
    /// new content, and configures their cells again. The cell provider finds the content of an id
    /// with ``ListSnapshot/item(_:)``.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to show.
    ///   - old: The snapshot that the data source shows, or `nil` if it shows nothing yet.
    /// - Complexity: O(sections and items).
    public init<Content>(
      _ snapshot: ListSnapshot<SectionIdentifierType, ItemIdentifierType, Content>,
      reconfiguringSince old: ListSnapshot<SectionIdentifierType, ItemIdentifierType, Content>? = nil
    ) {
      self.init()
      appendSections(snapshot.sectionIDs)
      for (index, section) in snapshot.sectionIDs.enumerated() {
        appendItems(snapshot.items(inSection: index).map(\.id), toSection: section)
      }
      guard let old else { return }
      reconfigureItems(
        snapshot.items.filter { item in old.item(item.id).map { $0.content != item.content } ?? false }.map(
          \.id))
    }
  }

  extension IndexPath {
    /// Creates the index path of a position in a ``ListSnapshot``.
    public init(_ path: ListSnapshotPath) { self.init(item: path.item, section: path.section) }
  }

  extension ListSnapshot {
    /// Returns the batches for a view, or reloads a view that is not in a window and returns none.
    @MainActor
    fileprivate func batches(
      from old: ListSnapshot, for view: UIView, _ setSnapshot: (ListSnapshot) -> Void, reload: () -> Void
    ) -> [ListSnapshotBatch<SectionID, ItemID, Content>] {
      let batches = batches(from: old)
      guard view.window == nil, !batches.isEmpty else { return batches }
      setSnapshot(self)
      reload()
      return []
    }
  }

  extension UIView {
    fileprivate static func perform(animated: Bool, _ updates: () -> Void) {
      if animated { updates() } else { performWithoutAnimation(updates) }
    }
  }
#endif
