public import AsyncViewModels

/// Checks of what lives. Work that is just ending gets the fair chance that ``LeakTracker`` gives; only a real leak waits for it, about
/// a second.
extension LiveObjects {
  /// Runs `body` in a census of its own, then checks that nothing it made is alive.
  ///
  /// Other tests in the process do not count, so this can run beside them. A debug build keeps local variables to the end of their
  /// scope; that is why this takes the scope:
  ///
  /// ```swift
  /// try await LiveObjects.assertNothingLives {
  ///   let model = CartViewModel(service: service)
  ///   try await model.add(product)
  /// }
  /// ```
  ///
  /// - Throws: what `body` throws, or ``LiveObjectsError``, which names what lives and how many there are.
  public static func assertNothingLives<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
  ) async throws -> Answer {
    try await scoped { liveObjects in
      let answer = try await body()
      try await liveObjects.assertNothing()
      return answer
    }
  }

  /// Checks that nothing is alive in the current census: that of the scope around this, or of the whole process.
  public static func assertNothingLives() async throws(LiveObjectsError) {
    try await current.assertNothing()
  }

  /// Checks that nothing is alive beyond what an earlier count of this census has seen.
  ///
  /// ```swift
  /// let before = LiveObjects.current.count
  /// await goBackAndForth()
  /// try await LiveObjects.current.assertNothing(beyond: before)
  /// ```
  public func assertNothing(
    beyond earlier: LiveObjectCount = LiveObjectCount()
  ) async throws(LiveObjectsError) {
    guard LiveObjects.areCounted else { throw .notTaken }
    await FairChance.wait { count.beyond(earlier).isEmpty }
    let growth = count.beyond(earlier)
    guard growth.isEmpty else { throw .living(growth) }
  }
}
