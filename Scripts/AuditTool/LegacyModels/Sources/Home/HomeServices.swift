import Foundation

struct Banner: Equatable {
    let text: String
}

struct Product: Equatable {
    let name: String
}

struct OrderSummary: Equatable {
    let number: Int
    let status: String
}

protocol BannerService {
    func fetchBanner(completion: @escaping (Result<Banner, Error>) -> Void)
}

protocol RecommendationService {
    func fetchRecommendations(limit: Int, completion: @escaping (Result<[Product], Error>) -> Void)
}

protocol OrderService {
    func fetchOpenOrders(completion: @escaping (Result<[OrderSummary], Error>) -> Void)
}
