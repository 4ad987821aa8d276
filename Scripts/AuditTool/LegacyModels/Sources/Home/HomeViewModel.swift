import Foundation

/// Loads three parts. The orders are required; without a banner or recommendations the screen still appears.
final class HomeViewModel {

    enum State: Equatable {
        case idle
        case loading
        case loaded(Content)
        case failed(String)
    }

    struct Content: Equatable {
        var banner: Banner?
        var recommendations: [Product]
        var orders: [OrderSummary]
        var missingParts: [String]
    }

    private(set) var state: State = .idle {
        didSet { onStateChange?(state) }
    }

    var onStateChange: ((State) -> Void)?

    private let bannerService: BannerService
    private let recommendationService: RecommendationService
    private let orderService: OrderService

    init(
        bannerService: BannerService,
        recommendationService: RecommendationService,
        orderService: OrderService
    ) {
        self.bannerService = bannerService
        self.recommendationService = recommendationService
        self.orderService = orderService
    }

    /// Call on the main thread.
    func refresh() {
        state = .loading

        var banner: Banner?
        var recommendations: [Product] = []
        var orders: [OrderSummary]?
        var missingParts: [String] = []
        let syncQueue = DispatchQueue(label: "home.parts")
        let group = DispatchGroup()

        group.enter()
        bannerService.fetchBanner { result in
            syncQueue.async {
                switch result {
                case .success(let value): banner = value
                case .failure: missingParts.append("banner")
                }
                group.leave()
            }
        }

        group.enter()
        recommendationService.fetchRecommendations(limit: 10) { result in
            syncQueue.async {
                switch result {
                case .success(let value): recommendations = value
                case .failure: missingParts.append("recommendations")
                }
                group.leave()
            }
        }

        group.enter()
        orderService.fetchOpenOrders { result in
            syncQueue.async {
                if case .success(let value) = result {
                    orders = value
                }
                group.leave()
            }
        }

        group.notify(queue: .main) { [weak self] in
            guard let self = self else { return }
            guard let orders = orders else {
                self.state = .failed("Your orders could not be loaded.")
                return
            }
            self.state = .loaded(
                Content(
                    banner: banner,
                    recommendations: recommendations,
                    orders: orders,
                    missingParts: missingParts.sorted()
                )
            )
        }
    }

    func didTapRetry() {
        guard case .failed = state else { return }
        refresh()
    }
}
