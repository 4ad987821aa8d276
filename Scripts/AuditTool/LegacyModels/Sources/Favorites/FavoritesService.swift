import Foundation

struct Favorite: Equatable {
    let id: Int
    let title: String
}

enum FavoritesError: Error, Equatable {
    case offline
    case notFound
}

protocol FavoritesService {
    func fetchFavorites(page: Int, completion: @escaping (Result<[Favorite], Error>) -> Void)
    func removeFavorite(id: Int, completion: @escaping (Result<Void, Error>) -> Void)
}
