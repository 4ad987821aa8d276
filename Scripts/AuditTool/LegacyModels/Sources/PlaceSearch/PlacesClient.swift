import Foundation

struct Place: Hashable {
    let name: String
    let city: String
}

protocol PlacesClient {
    func places(matching text: String, completion: @escaping (Result<[Place], Error>) -> Void)
}

enum PlacesError: Error {
    case rateLimited
}
