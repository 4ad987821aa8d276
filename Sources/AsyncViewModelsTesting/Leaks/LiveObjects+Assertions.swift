public import AsyncViewModels

// Like `LeakTracker`, these checks wait for work that is about to end but may still hold objects.
// The checks give up after about three seconds.
extension LiveObjects {
  /// Runs `body` in a new scope of live objects, then checks that all objects of that scope are
  /// released.
  ///
  /// ```swift
  /// try await LiveObjects.assertNothingLives {
  ///   let model = CartViewModel(service: service)
  ///   try await model.add(product)
  /// }
  /// ```
  ///
  /// Objects of other tests do not count, so tests can run in parallel. The closure contains the
  /// local variables, which a debug build keeps until the end of their scope.
  ///
  /// - Throws: ``LiveObjectsError``, which names and counts the live objects, or the error of
  ///   `body`.
  public static func assertNothingLives<Output>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Output
  ) async throws -> Output {
    try await scoped { liveObjects in
      let output = try await body()
      try await liveObjects.assertNothingLives()
      return output
    }
  }

  /// Checks that no object is alive in the current scope, or in the whole process if there is no
  /// scope.
  ///
  /// - Throws: ``LiveObjectsError``, which names and counts the live objects.
  public static func assertNothingLives() async throws(LiveObjectsError) {
    try await current.assertNothingLives()
  }

  /// Checks that no more objects are alive than at an earlier count in the same scope.
  ///
  /// The check compares the objects of each kind and name separately. A released object of one name
  /// does not offset a new object of another name.
  ///
  /// ```swift
  /// let before = LiveObjects.current.count
  /// await goBackAndForth()
  /// try await LiveObjects.current.assertNothingAdded(since: before)
  /// ```
  ///
  /// - Throws: ``LiveObjectsError``, which names and counts the additional objects.
  public func assertNothingAdded(since earlier: LiveObjectCount) async throws(LiveObjectsError) {
    guard LiveObjects.areCounted else { throw .notCounted }
    await BoundedWait.wait { count.subtracting(earlier).isEmpty }
    let growth = count.subtracting(earlier)
    guard growth.isEmpty else { throw .living(growth) }
  }

  /// Checks that no object is alive in this scope.
  ///
  /// - Throws: ``LiveObjectsError``, which names and counts the live objects.
  public func assertNothingLives() async throws(LiveObjectsError) {
    try await assertNothingAdded(since: LiveObjectCount())
  }
}
