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
        let group = DispatchGroup()
        group.enter()
        service.banner { banner in
            self.queue.async {
                self.banner = banner
                group.leave()
            }
        }
        for id in ids {
            group.enter()
            service.image(id) { group.leave() }
        }
        group.notify(queue: .main) { completion() }
    }
}
