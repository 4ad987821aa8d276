extension Timeline {
  /// The timeline, with the cycle at its end shown only once. If no entries repeat there, the whole
  /// timeline.
  ///
  /// - Complexity: O(*n*) for *n* entries, with a factor of at most 500, the length of the longest
  ///   cycle.
  var showingCycleOnce: Timeline {
    guard let cycle else { return self }
    var copy = self
    copy.showOnce(cycle)
    return copy
  }

  /// The range of the first pass through a cycle: entries that occur at least three times in a row,
  /// directly before the last entry. The range begins with a step.
  private var cycle: Range<Int>? {
    let events = numberedEvents
    var best = (period: 1, covered: 0)
    for period in 1...Self.longestCycle where events.count >= 3 * period {
      // A multiple of a period repeats the same entries.
      guard best.covered == 0 || !period.isMultiple(of: best.period) else { continue }
      var start = events.count - period
      while start > 0, events[start - 1] == events[start - 1 + period] { start -= 1 }
      let covered = events.count - start
      if covered >= 3 * period, covered > best.covered { best = (period, covered) }
    }
    let repeating = (events.count - best.covered)..<events.count
    guard let start = repeating.first(where: { entries[$0].isStep }) else { return nil }
    return start + 2 * best.period <= events.count ? start..<(start + best.period) : nil
  }

  private static let longestCycle = 500

  /// A number for each event except the last. Equal events have the same number, even at other
  /// steps or times.
  private var numberedEvents: [Int] {
    var numbers: [Event: Int] = [:]
    return entries.dropLast().map { entry in
      let number = numbers[entry.event] ?? numbers.count
      numbers[entry.event] = number
      return number
    }
  }
}
