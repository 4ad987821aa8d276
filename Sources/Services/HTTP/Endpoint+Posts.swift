import StorefrontDomain

extension Endpoint where Response == [Post] {
  static var posts: Endpoint { Endpoint("/posts") }
}

extension Endpoint where Response == Void {
  static func deletePost(_ id: Post.ID) -> Endpoint {
    Endpoint(
      "DELETE", "/posts/\(id)", decode: { _ in },
      failure: { $0.status == 404 ? PostError.unknownPost(id) : nil })
  }
}
