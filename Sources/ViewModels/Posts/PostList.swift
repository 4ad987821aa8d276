import StorefrontDomain

/// The posts in the order of the service, with the deleted posts at their places among them.
///
/// A deleted post keeps its place, so that a restoration shows the post where it was. A loaded list decides the order of its posts. A
/// deleted post that the loaded list does not contain stays before the post that followed it.
///
/// - Complexity: O(posts) for each method.
struct PostList: Sendable {
  /// The posts that are not deleted.
  private(set) var shown: [Post] = []

  /// The shown and the deleted posts.
  private var all: [Post] = []
  private var deleted: Set<Post.ID> = []

  /// The post with this id, if it is deleted.
  func deletedPost(_ id: Post.ID) -> Post? {
    deleted.contains(id) ? all.first { $0.id == id } : nil
  }

  /// Hides a post. Does nothing if the post is not shown.
  mutating func delete(_ id: Post.ID) {
    guard let index = shown.firstIndex(where: { $0.id == id }) else { return }
    shown.remove(at: index)
    deleted.insert(id)
  }

  /// Shows a deleted post at its place. Does nothing if the post is not deleted.
  mutating func restore(_ id: Post.ID) {
    guard deleted.remove(id) != nil, let place = all.firstIndex(where: { $0.id == id }) else { return }
    shown.insert(all[place], at: all[..<place].count { !deleted.contains($0.id) })
  }

  /// Returns this list after a load.
  ///
  /// - Parameters:
  ///   - posts: The loaded posts, each once.
  ///   - changes: The posts that the service has deleted (`true`) or restored (`false`) since it was asked. The loaded list may not
  ///     contain these changes.
  ///   - pending: The posts with changes that the service has not answered.
  func reloaded(_ posts: [Post], changes: [Post.ID: Bool], pending: Set<Post.ID>) -> PostList {
    let loaded = Set(posts.map(\.id))
    let kept = all.filter { post in
      !loaded.contains(post.id)
        && (deleted.contains(post.id) || changes[post.id] != nil || pending.contains(post.id))
    }
    var list = PostList()
    list.deleted = Set(kept.map(\.id).filter { changes[$0] != false })
    list.deleted.formUnion(posts.map(\.id).filter { changes[$0] == true })
    list.all = kept.isEmpty ? posts : insert(Set(kept.map(\.id)), into: posts, loaded)
    list.shown = list.deleted.isEmpty ? list.all : list.all.filter { !list.deleted.contains($0.id) }
    return list
  }

  /// Inserts each kept post of this list before the next loaded post that follows it in this list, or at the end.
  private func insert(_ kept: Set<Post.ID>, into posts: [Post], _ loaded: Set<Post.ID>) -> [Post] {
    var next: Post.ID?
    var before: [Post.ID?: [Post]] = [:]
    for post in all.reversed() {
      if loaded.contains(post.id) { next = post.id }
      if kept.contains(post.id) { before[next, default: []].append(post) }
    }
    let merged = posts.flatMap { (before[$0.id]?.reversed() ?? []) + [$0] }
    return merged + (before[nil]?.reversed() ?? [])
  }
}
