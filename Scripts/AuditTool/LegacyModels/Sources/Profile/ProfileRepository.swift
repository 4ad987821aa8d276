import Foundation

struct UserProfile: Equatable {
    var name: String
    var city: String
    var newsletter: Bool
}

/// A request that can be cancelled, like `URLSessionDataTask`.
protocol Cancellable: AnyObject {
    func cancel()
}

protocol ProfileRepositoryProtocol: AnyObject {
    @discardableResult
    func loadProfile(userID: String, completion: @escaping (UserProfile?, Error?) -> Void) -> Cancellable?
    func saveProfile(_ profile: UserProfile, completion: @escaping (Error?) -> Void)
}
