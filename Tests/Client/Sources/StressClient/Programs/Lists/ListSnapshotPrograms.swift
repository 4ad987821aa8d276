import AsyncViewModels

extension StressProgram {
  static var listSnapshots: [StressProgram] {
    [
      StressProgram(
        name: "listSnapshots",
        summary: "tasks replace one shared snapshot: each difference, and each batch, leads to the new one",
        run: shared),
      StressProgram(
        name: "snapshot-access",
        summary: "the items of one snapshot, found by place and by id from every task",
        run: access),
      StressProgram(
        name: "snapshot-listSnapshotErrors",
        summary: "what is no snapshot, and differences that do not fit, are refused",
        run: listSnapshotErrors),
    ]
  }

  private static func shared(load: Load) async throws {
    let state = ObservableState(TestSnapshot())
    try await load.inParallel { task in
      var random = SplitMix(task)
      for round in 0..<(1_200 / load.tasks) {
        let old = state.value
        let new = try old.changed(&random)
        if round % 4 == 0 { await Task.yield() }
        try checkDifference(from: old, to: new)
        state.send(new)
        if round % 16 == 8 { await Task.yield() }
        try checkBatches(from: old, to: state.value)
      }
    }
  }

  private static func checkDifference(from old: TestSnapshot, to new: TestSnapshot) throws {
    let difference = new.difference(from: old)
    try expect(try old.applying(difference) == new, "a difference leads to another snapshot")
    try expectEqual(difference.isEmpty, old == new, "an empty difference")
    try expectEqual(difference.isEmpty, difference.count == 0, "a difference of no changes")
    try expect(old.difference(from: old).isEmpty && new == new, "a snapshot differs from itself")
    try checkChanges(difference, from: old, to: new)
    try expect(try old.applying(difference.copied) == new, "a copied difference leads to another snapshot")
  }

  /// Each change names what stands there.
  private static func checkChanges(_ difference: TestSnapshot.Difference, from old: TestSnapshot, to new: TestSnapshot) throws {
    for change in difference.deletedSections {
      try expectEqual(old.sectionIDs[change.index], change.id, "a deleted section")
    }
    for change in difference.insertedSections {
      try expectEqual(new.sectionIDs[change.index], change.section.id, "an inserted section")
      try expectEqual(Array(new.items(inSection: change.index)), change.section.items, "its items")
    }
    for change in difference.movedSections {
      try expectEqual(old.sectionIDs[change.from], new.sectionIDs[change.to], "a moved section")
      try expectEqual(old.sectionIDs[change.from], change.id, "the id of a moved section")
    }
    for change in difference.deletedItems {
      try expectEqual(old[change.path].id, change.id, "a deleted item")
    }
    for change in difference.insertedItems {
      try expectEqual(new[change.path], change.item, "an inserted item")
    }
    for change in difference.movedItems {
      try expectEqual(old[change.from], new[change.to], "a moved item")
      try expectEqual(old[change.from].id, change.id, "the id of a moved item")
    }
    for change in difference.reconfiguredItems {
      try expect(new[change.to].hasSameContent(as: change.item), "a reconfigured item has an old content")
      try expect(!old[change.from].hasSameContent(as: change.item), "an item is reconfigured without need")
    }
  }

  private static func checkBatches(from old: TestSnapshot, to new: TestSnapshot) throws {
    var shown = old
    for batch in new.batches(from: old) {
      try expect(!batch.difference.isEmpty, "a batch without changes")
      shown = try shown.applying(batch.difference)
      try expect(shown == batch.snapshot, "a batch leads to another snapshot than its own")
    }
    try expect(shown == new, "the batches lead to another snapshot")
  }

  private static func access(load: Load) async throws {
    var random = SplitMix(7)
    var first = TestSnapshot()
    while first.itemCount < 30 { first = try first.changed(&random) }
    let snapshot = first
    try await load.inParallel { task in
      for round in 0..<(6_000 / load.tasks) {
        for section in snapshot.sectionIDs.indices { try checkSection(section, of: snapshot) }
        if round % 16 == 0 { await Task.yield() }
        try expectEqual(snapshot.sections.count, snapshot.sectionCount, "sections")
        try expectEqual(snapshot.items.count, snapshot.itemCount, "items")
        try expect(try TestSnapshot(snapshot.sections) == snapshot, "a snapshot put together again is another one")
        if round % 16 == 8 { await Task.yield() }
        try checkGroups(of: snapshot)
      }
    }
    try expect(TestSnapshot().isEmpty && !snapshot.isEmpty && TestSnapshot().sectionIDs.isEmpty, "an empty snapshot")
    try expect(
      snapshot.index(ofSection: "none") == nil && snapshot.item("none") == nil, "what is not there is found")
  }

  private static func checkSection(_ section: Int, of snapshot: TestSnapshot) throws {
    try expectEqual(
      snapshot.index(ofSection: snapshot.sectionIDs[section]), section, "the index of a section")
    for (place, item) in snapshot.items(inSection: section).enumerated() {
      let path = ListSnapshotPath(section: section, item: place)
      try expectEqual(snapshot.path(of: item.id), path, "the path of \(item.id)")
      try expect(snapshot[path].hasSameContent(as: item), "another item stands at \(path)")
      try expect(snapshot.item(item.id)?.content == item.content, "\(item.id) has another content")
      try expect(
        path < ListSnapshotPath(section: path.section + 1, item: 0), "\(path) comes after the next section")
      try expectEqual(path.description, "[\(path.section), \(path.item)]", "what a path says")
    }
  }

  /// Groups of its contents have all its items, in the order of the groups.
  private static func checkGroups(of snapshot: TestSnapshot) throws {
    let groups = try ListSnapshot(grouping: snapshot.items.map(\.content)) { $0.text.count % 3 }
    try expectEqual(groups.itemCount, snapshot.itemCount, "items in groups")
    try expectEqual(groups.sectionIDs, groups.sectionIDs.sorted(), "the order of groups")
    for section in groups.sections {
      try expect(
        section.items.allSatisfy { $0.content.text.count % 3 == section.id }, "an item in another group")
    }
  }
}
