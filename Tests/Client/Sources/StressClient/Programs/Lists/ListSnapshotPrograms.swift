import AsyncViewModels

extension StressProgram {
  static var listSnapshots: [StressProgram] {
    [
      StressProgram(
        name: "list-snapshots",
        summary:
          "tasks replace one shared snapshot; each change names the section or item at its position",
        run: shared),
      StressProgram(
        name: "list-snapshot-access",
        summary: "every task finds the items of one shared snapshot by path and by id",
        run: access),
      StressProgram(
        name: "list-snapshot-errors",
        summary: "duplicate ids throw errors",
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
    try expectEqual(difference.isEmpty, old == new, "whether the difference is empty")
    try expectEqual(difference.isEmpty, difference.count == 0, "isEmpty of the difference")
    try expect(old.difference(from: old).isEmpty && new == new, "a snapshot differs from itself")
    try checkChanges(difference, from: old, to: new)
  }

  /// Checks that each change names the section or item at its position.
  private static func checkChanges(
    _ difference: TestSnapshot.Difference, from old: TestSnapshot, to new: TestSnapshot
  ) throws {
    for change in difference.deletedSections {
      try expectEqual(old.sectionIDs[change.index], change.id, "a deleted section")
    }
    for change in difference.insertedSections {
      try expectEqual(new.sectionIDs[change.index], change.section.id, "an inserted section")
      try expectEqual(
        Array(new.items(inSection: change.index)), change.section.items, "the items of an inserted section")
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
      try expectEqual(old[change.from].id, new[change.to].id, "a moved item")
      try expectEqual(old[change.from].id, change.id, "the id of a moved item")
    }
    for change in difference.reconfiguredItems {
      try expect(new[change.to].content == change.item.content, "a reconfigured item has outdated content")
      try expect(
        old[change.from].content != change.item.content, "an item with unchanged content is reconfigured")
    }
  }

  private static func checkBatches(from old: TestSnapshot, to new: TestSnapshot) throws {
    var shown = old
    for batch in new.batches(from: old) {
      try expect(!batch.difference.isEmpty, "a batch has no changes")
      try checkChanges(batch.difference, from: shown, to: batch.snapshot)
      shown = batch.snapshot
    }
    try expect(shown == new, "the last batch leads to a different snapshot")
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
        try expectEqual(snapshot.sections.count, snapshot.sectionCount, "sectionCount")
        try expectEqual(snapshot.items.count, snapshot.itemCount, "itemCount")
        try expect(
          try TestSnapshot(snapshot.sections) == snapshot, "a snapshot rebuilt from its sections is different"
        )
        if round % 16 == 8 { await Task.yield() }
        try checkGroups(of: snapshot)
      }
    }
    try expect(
      TestSnapshot().isEmpty && !snapshot.isEmpty && TestSnapshot().sectionIDs.isEmpty,
      "isEmpty or sectionIDs is wrong")
    try expect(
      snapshot.index(ofSection: "none") == nil && snapshot.item("none") == nil,
      "a missing section or item was found")
  }

  private static func checkSection(_ section: Int, of snapshot: TestSnapshot) throws {
    try expectEqual(
      snapshot.index(ofSection: snapshot.sectionIDs[section]), section, "the index of a section")
    for (index, item) in snapshot.items(inSection: section).enumerated() {
      let path = ListSnapshotPath(section: section, item: index)
      try expectEqual(snapshot.path(of: item.id), path, "the path of \(item.id)")
      try expect(snapshot[path] == item, "a different item is at \(path)")
      try expect(snapshot.item(item.id)?.content == item.content, "\(item.id) has different content")
      try expect(
        path < ListSnapshotPath(section: path.section + 1, item: 0),
        "\(path) is not ordered before the next section")
      try expectEqual(path.description, "[\(path.section), \(path.item)]", "the description of a path")
    }
  }

  /// Checks that grouping the contents keeps all items and sorts the groups.
  private static func checkGroups(of snapshot: TestSnapshot) throws {
    let groups = try ListSnapshot(grouping: snapshot.items.map(\.content)) { $0.text.count % 3 }
    try expectEqual(groups.itemCount, snapshot.itemCount, "items in all groups")
    try expectEqual(groups.sectionIDs, groups.sectionIDs.sorted(), "the order of groups")
    for section in groups.sections {
      try expect(
        section.items.allSatisfy { $0.content.text.count % 3 == section.id }, "an item is in the wrong group")
    }
  }
}
