import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// The rules of restorations, tested without a view model.
@Suite("Posts state: restorations", .timeLimit(.minutes(5)), .endsWaits)
struct PostsRestorationTests {
  @Test("a post that cannot be restored stays so while the change of another post fails")
  func forgottenBehindAnotherChange() throws {
    var state = PostsState.loaded
    let other = try state.beginDeletion(of: 1)
    _ = state.end(try state.beginDeletion(of: 2), .success(()))
    _ = state.end(try state.beginRestoration(of: 2), .failure(PostError.unknownPost(2)))
    _ = state.end(other, .failure(ServiceError.busy))
    #expect(state.posts == .numbered([1, 3]))
    #expect(throws: PostError.unknownPost(2)) { _ = try state.beginRestoration(of: 2) }
    state.begin()
    _ = state.receive(.success(.numbered([1, 3])))
    #expect(throws: PostError.unknownPost(2)) { _ = try state.beginRestoration(of: 2) }
    state.begin()
    _ = state.receive(.success(.numbered([1, 2, 3])))
    _ = state.end(try state.beginDeletion(of: 2), .success(()))
    _ = try state.beginRestoration(of: 2)
  }

  @Test("a failed restoration of a post that a refresh has brought back causes no alert, and the post stays")
  func broughtBackByRefresh() throws {
    var state = PostsState.loaded
    _ = state.end(try state.beginDeletion(of: 2), .success(()))
    let restoration = try state.beginRestoration(of: 2)
    state.begin()
    #expect(state.receive(.success(.numbered([1, 2, 3]))) == nil)
    #expect(state.end(restoration, .failure(ServiceError.busy)).event == nil)
    #expect(state.posts == .numbered([1, 2, 3]))
  }

  @Test("restored posts return to their places, in whatever order they are restored")
  func places() throws {
    for order in [[2, 3, 4], [2, 4, 3], [3, 2, 4], [3, 4, 2], [4, 2, 3], [4, 3, 2]] {
      var state = PostsState.loaded(1...5)
      for number in [3, 2, 4] { try state.delete(number) }
      var shown = [1, 5]
      for number in order {
        _ = try state.beginRestoration(of: Post.ID(rawValue: number))
        shown = (shown + [number]).sorted()
        #expect(state.posts == .numbered(shown))
      }
    }
  }

  @Test(
    "after a reload, a restored post is before the next loaded post that followed it, or after the last one before it",
    arguments: [
      ([1, 3, 4], [1, 2, 3, 4]), ([3, 4, 1], [2, 3, 4, 1]), ([7, 6, 1, 4], [7, 6, 1, 2, 4]), ([1], [1, 2]),
      ([], [2]), ([9, 8], [9, 8, 2]), ([4, 2, 1], [4, 2, 1]),
    ])
  func placesAfterReload(loaded: [Int], shown: [Int]) throws {
    var state = PostsState.loaded(1...4)
    try state.delete(2)
    state.load(loaded)
    if !loaded.contains(2) { _ = try state.beginRestoration(of: 2) }
    #expect(state.posts == .numbered(shown))
  }

  @Test("several deleted posts keep their order over two reloads")
  func severalPlaces() throws {
    var state = PostsState.loaded(1...6)
    for number in [2, 3, 5, 6] { try state.delete(number) }
    state.load([4, 1])
    state.load([8, 4, 1])
    for number in [6, 3, 5, 2] { _ = try state.beginRestoration(of: Post.ID(rawValue: number)) }
    #expect(state.posts == .numbered([8, 2, 3, 4, 5, 6, 1]))
  }

  @Test("a post that is shown, being restored or unknown cannot be restored")
  func refused() throws {
    var state = PostsState.loaded
    #expect(throws: PostError.notDeleted(1)) { _ = try state.beginRestoration(of: 1) }
    #expect(throws: PostError.unknownPost(9)) { _ = try state.beginRestoration(of: 9) }
    try state.delete(2)
    let restoration = try state.beginRestoration(of: 2)
    #expect(throws: PostError.notDeleted(2)) { _ = try state.beginRestoration(of: 2) }
    #expect(state.end(restoration, .success(())).event == nil)
    #expect(throws: PostError.notDeleted(2)) { _ = try state.beginRestoration(of: 2) }
    #expect((state.deletionCount, state.restorationCount) == (0, 0))
  }

  @Test("a post that another client has restored cannot be restored again")
  func restoredElsewhere() throws {
    var state = PostsState.loaded
    try state.delete(2)
    state.load([1, 2, 3])
    #expect(state.posts == .numbered(1...3))
    #expect(throws: PostError.notDeleted(2)) { _ = try state.beginRestoration(of: 2) }
  }

  @Test("a failed restoration hides the post, and can be tried again; a cancelled one causes no alert")
  func rollBack() throws {
    var state = PostsState.loaded
    try state.delete(2)
    for outcome in [TaskOutcome<Void>.failure(ServiceError.busy), .cancelled] {
      let restoration = try state.beginRestoration(of: 2)
      #expect(state.posts == .numbered(1...3))
      let event = state.end(restoration, outcome).event
      if case .failure = outcome { #expect(event == .restorationFailed(2)) } else { #expect(event == nil) }
      #expect(state.posts == .numbered([1, 3]))
    }
    _ = try state.beginRestoration(of: 2)
  }

  @Test("a post that the service can no longer restore is forgotten, and its alert only closes")
  func forgotten() throws {
    var state = PostsState.loaded
    try state.delete(2)
    state.begin()
    let restoration = try state.beginRestoration(of: 2)
    let event = state.end(restoration, .failure(PostError.unknownPost(2))).event
    #expect(
      event
        == .alert(
          AlertState(
            "“Post 2” was not restored", message: "There is no post 2.",
            buttons: [.init("Close", role: .cancel)])))
    #expect(throws: PostError.unknownPost(2)) { _ = try state.beginRestoration(of: 2) }
    #expect(state.receive(.success(.numbered(1...3))) == nil)
    #expect(state.posts == .numbered([1, 3]), "the list is older than the answer")
    state.load([1, 2, 3])
    #expect(state.posts == .numbered(1...3))
  }

  @Test(
    "a post that cannot be restored is not forgotten while it is deleted again, or if a newer list contains it"
  )
  func notForgotten() throws {
    var state = PostsState.loaded
    try state.delete(2)
    let restoration = try state.beginRestoration(of: 2)
    let deletion = try state.beginDeletion(of: 2)
    let step = state.end(restoration, .failure(PostError.unknownPost(2)))
    #expect(step.event == nil && step.next == deletion.id)
    #expect(state.end(deletion, .failure(PostError.unknownPost(2))).event == nil)
    let second = try state.beginRestoration(of: 2)
    state.load([2, 3])
    #expect(state.end(second, .failure(PostError.unknownPost(2))).event != nil)
    #expect(state.posts == .numbered([2, 3]))
    #expect(throws: PostError.notDeleted(2)) { _ = try state.beginRestoration(of: 2) }
  }

  @Test(
    "a change is due when the change before it is answered, also after a failure, and then there is no event",
    arguments: [true, false])
  func turns(succeeds: Bool) throws {
    let outcome: TaskOutcome<Void> = succeeds ? .success(()) : .failure(ServiceError.busy)
    var state = PostsState.loaded
    let deletion = try state.beginDeletion(of: 2)
    let restoration = try state.beginRestoration(of: 2)
    let second = try state.beginDeletion(of: 2)
    let other = try state.beginDeletion(of: 3)
    #expect(state.isDue(deletion) && state.isDue(other))
    #expect(!state.isDue(restoration) && !state.isDue(second))
    #expect((state.deletionCount, state.restorationCount) == (3, 1))

    var step = state.end(deletion, outcome)
    #expect(step.event == nil && step.next == restoration.id)
    #expect(!state.isDue(deletion) && state.isDue(restoration) && !state.isDue(second))
    step = state.end(restoration, outcome)
    #expect(step.event == nil && step.next == second.id)
    #expect(state.posts == .numbered([1]))
    step = state.end(second, .failure(PostError.unknownPost(2)))
    #expect(step.event == nil && step.next == nil)
    #expect(state.posts == .numbered([1]))
  }

  @Test("without a lost answer, the posts are in the end those of the service, in every order of the steps")
  func everyOrder() {
    for outcomes in PostsWorld.outcomes([.success, .refusal], count: 3) {
      PostsWorld(outcomes).explore { world in
        #expect(world.state.posts == world.servicePosts, "\(world.steps)")
      }
    }
  }

  @Test("after a lost answer, the next load shows the posts of the service, in every order of the steps")
  func everyOrderWithLostAnswers() {
    for outcomes in PostsWorld.outcomes(PostsWorld.Outcome.allCases, count: 2) {
      PostsWorld(outcomes).explore { world in
        if !outcomes.contains(.lostAnswer) {
          #expect(world.state.posts == world.servicePosts, "\(world.steps)")
        }
        var state = world.state
        state.load(world.servicePosts.map(\.id.rawValue))
        #expect(state.posts == world.servicePosts, "\(world.steps)")
      }
    }
  }
}

extension PostsState {
  fileprivate mutating func delete(_ number: Int) throws {
    _ = end(try beginDeletion(of: Post.ID(rawValue: number)), .success(()))
  }

  fileprivate mutating func load(_ numbers: [Int]) {
    begin()
    _ = receive(.success(.numbered(numbers)))
  }
}

/// One load, and alternating deletions and restorations of post 2, in every order of their steps: a request begins, the service
/// handles it, and its answer arrives.
private struct PostsWorld {
  enum Outcome: CaseIterable { case success, refusal, lostAnswer }

  private enum Phase: Int { case waiting, begun, handled, answered }

  private struct Change {
    let isDeletion: Bool
    let outcome: Outcome
    var phase = Phase.waiting
    var pending: PendingPostChange?
    var answer = TaskOutcome<Void>.cancelled
  }

  private(set) var state = PostsState.loaded(1...4)
  private(set) var steps: [String] = []
  private var isDeletedByService = false
  private var load = Phase.waiting
  private var loaded: [Post] = []
  private var changes: [Change]

  /// Every list of `count` outcomes.
  static func outcomes(_ cases: [Outcome], count: Int) -> [[Outcome]] {
    guard count > 0 else { return [[]] }
    return outcomes(cases, count: count - 1).flatMap { rest in cases.map { [$0] + rest } }
  }

  init(_ outcomes: [Outcome]) {
    changes = outcomes.enumerated().map { Change(isDeletion: $0.isMultiple(of: 2), outcome: $1) }
  }

  var servicePosts: [Post] { .numbered(isDeletedByService ? [1, 3, 4] : [1, 2, 3, 4]) }

  /// Calls `check` at the end of every order.
  func explore(_ check: (PostsWorld) -> Void) {
    var isOver = true
    for index in changes.indices where canAdvance(index) {
      var next = self
      next.advance(index)
      next.checkShown()
      next.explore(check)
      isOver = false
    }
    if load != .answered {
      var next = self
      next.advanceLoad()
      next.checkShown()
      next.explore(check)
      isOver = false
    }
    if isOver { check(self) }
  }

  private func canAdvance(_ index: Int) -> Bool {
    switch changes[index].phase {
    case .waiting: index == 0 || changes[index - 1].phase != .waiting
    case .begun: changes[index].pending.map(state.isDue) ?? false
    case .handled: true
    case .answered: false
    }
  }

  private mutating func advance(_ index: Int) {
    let change = changes[index]
    steps.append("\(change.isDeletion ? "deletion" : "restoration") \(change.phase.rawValue)")
    changes[index].phase = Phase(rawValue: change.phase.rawValue + 1) ?? .answered
    switch change.phase {
    case .waiting:
      changes[index].pending =
        change.isDeletion ? try? state.beginDeletion(of: 2) : try? state.beginRestoration(of: 2)
      // The post is already as the user wants it, so nothing is sent.
      if changes[index].pending == nil { changes[index].phase = .answered }
    case .begun: changes[index].answer = handle(change)
    case .handled: if let pending = change.pending { _ = state.end(pending, change.answer) }
    case .answered: break
    }
  }

  private mutating func handle(_ change: Change) -> TaskOutcome<Void> {
    guard change.outcome != .refusal else { return .failure(ServiceError.busy) }
    let isUnknown = change.isDeletion && isDeletedByService
    isDeletedByService = change.isDeletion
    if change.outcome == .lostAnswer { return .failure(ServiceError.connectionLost) }
    return isUnknown ? .failure(PostError.unknownPost(2)) : .success(())
  }

  private mutating func advanceLoad() {
    steps.append("load \(load.rawValue)")
    switch load {
    case .waiting: state.begin()
    case .begun: loaded = servicePosts
    case .handled: _ = state.receive(.success(Page(items: loaded, next: nil)))
    case .answered: break
    }
    load = Phase(rawValue: load.rawValue + 1) ?? .answered
  }

  /// While a change is pending, the latest one decides whether post 2 is shown. The other posts are always shown, in order.
  private func checkShown() {
    let shown = state.posts.map(\.id.rawValue)
    #expect(shown == shown.sorted() && shown.filter { $0 != 2 } == [1, 3, 4], "\(steps): \(shown)")
    guard let latest = changes.last(where: { $0.pending != nil }), latest.phase != .answered else { return }
    #expect(shown.contains(2) != latest.isDeletion, "\(steps): \(shown)")
    #expect(changes.count { $0.pending.map(state.isDue) ?? false } == 1, "\(steps)")
  }
}
