import AsyncViewModelsGCD
import Foundation

protocol HomeService {
    func banner(completion: @escaping (String?) -> Void)
    func image(_ id: Int, completion: @escaping () -> Void)
}

final class HomeViewModel {
    private let service: HomeService
    private let queue = DispatchQueue(label: "home")
    private var banner: String?

    init(service: HomeService) { self.service = service }

    func load(_ ids: [Int], completion: @escaping () -> Void) {
        let group = CompletionGroup()
        let bannerEntry = group.enter()
        service.banner { banner in
            self.queue.async {
                self.banner = banner
                bannerEntry.leave()
            }
        }
        for id in ids {
            let imageEntry = group.enter()
            service.image(id) { imageEntry.leave() }
        }
        group.notify(on: .main) { completion() }
    }
}
