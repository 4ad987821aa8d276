/// All that is measured beside peers, in the order of the table.
enum PeerSuite {
  static var groups: [BenchmarkGroup] {
    StateGroups.all + EventGroups.all + HandOffGroups.all + DebounceGroups.all
  }
}
