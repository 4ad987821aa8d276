import StorefrontDomain

/// The posts in the order of the service, with the deleted posts at their places among them.
///
/// A deleted post keeps its place for its restoration. The loaded pages decide the order. A deleted
/// post that no loaded page contains stays between its neighbors.
///
/// - Complexity: O(posts) for each method.
struct PostList: Sendable {
  /// The posts that are not deleted.
  private(set) var shown: [Post] = []

  /// The shown and the deleted posts.
  private var all: [Post] = []
  private var deleted: Set<Post.ID> = []
  /// The posts from before a refresh that no received page contains.
  private var kept: Set<Post.ID> = []
  /// The posts from before the refresh. They decide the places of the kept posts, if there are any.
  private var former: [Post] = []

  func deletedPost(_ id: Post.ID) -> Post? {
    deleted.contains(id) ? all.first { $0.id == id } : nil
  }

  /// Hides a post, if it is shown.
  mutating func delete(_ id: Post.ID) {
    guard let index = shown.firstIndex(where: { $0.id == id }) else { return }
    shown.remove(at: index)
    deleted.insert(id)
  }

  /// Shows a post at its place, if it is deleted.
  mutating func restore(_ id: Post.ID) {
    guard deleted.remove(id) != nil, let place = all.firstIndex(where: { $0.id == id }) else { return }
    shown.insert(all[place], at: all[..<place].count { !deleted.contains($0.id) })
  }

  /// Returns this list after the load of a page.
  ///
  /// Keeps a post that a reload lacks if it is deleted, was changed meanwhile, or has a pending
  /// change. If there are no more pages, the service has deleted such a post with a pending change.
  ///
  /// - Parameters:
  ///   - received: The posts of all received pages, in their order.
  ///   - isReload: Whether `page` is the first page, which replaces all pages.
  ///   - changes: The posts that the service has deleted (`true`) or restored during the load.
  ///   - pending: The posts with changes that the service has not answered.
  func showing(
    _ received: [Post], after page: Page<Post>, isReload: Bool, changes: [Post.ID: Bool],
    pending: Set<Post.ID>
  ) -> PostList {
    var list = self
    let ids = page.items.map(\.id)
    if isReload {
      let loaded = Set(ids)
      let kept = all.filter { post in
        !loaded.contains(post.id)
          && (deleted.contains(post.id) || changes[post.id] != nil || pending.contains(post.id))
      }
      list.kept = Set(kept.map(\.id))
      list.former = Self.inserting(former, into: all, in: former)
      list.deleted.formIntersection(list.kept)
    }
    list.kept.subtract(ids)
    list.note(page, changes, pending)
    list.mergeKept(into: received)
    return list
  }

  /// Records which posts a page shows to be deleted, and which not.
  private mutating func note(_ page: Page<Post>, _ changes: [Post.ID: Bool], _ pending: Set<Post.ID>) {
    deleted.subtract(page.items.map(\.id))
    if page.isLast { deleted.formUnion(kept.intersection(pending)) }
    for (id, isDeleted) in changes {
      if isDeleted { deleted.insert(id) } else { deleted.remove(id) }
    }
  }

  /// Puts the kept posts at their places among the received ones.
  private mutating func mergeKept(into received: [Post]) {
    if kept.isEmpty { former = [] }
    all = Self.inserting(former.filter { kept.contains($0.id) }, into: received, in: former)
    shown = all.filter { !deleted.contains($0.id) }
  }

  /// Inserts the posts that a list lacks: before the next post in `order` that the list contains,
  /// or else after the last one, or else at the end.
  private static func inserting(_ posts: [Post], into list: [Post], in order: [Post]) -> [Post] {
    let listed = Set(list.map(\.id))
    let inserted = Set(posts.map(\.id)).subtracting(listed)
    if inserted.isEmpty { return list }
    let last = order.last { listed.contains($0.id) }?.id
    var next: Post.ID?
    // Each array is reversed: an insertion at its beginning would take time for each post in it.
    var before: [Post.ID?: [Post]] = [:]
    for post in order.reversed() {
      if listed.contains(post.id) { next = post.id }
      if inserted.contains(post.id) { before[next, default: []].append(post) }
    }
    let rest: [Post] = (before[nil] ?? []).reversed()
    var result: [Post] = []
    for post in list {
      result += (before[post.id] ?? []).reversed()
      result.append(post)
      if post.id == last { result += rest }
    }
    return last == nil ? result + rest : result
  }
}
