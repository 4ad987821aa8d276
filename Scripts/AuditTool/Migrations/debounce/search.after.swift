import AsyncViewModelsGCD
import Foundation

final class SearchViewModel {
    private let queue = DispatchQueue(label: "search")
    private let pause: TimeInterval
    private lazy var pending = WorkItemDebouncer(delay: .seconds(pause), queue: queue)  // guarded by `queue`

    init(pause: TimeInterval) { self.pause = pause }

    deinit { pending.cancel() }

    func type(_ text: String) {
        queue.async {
            self.pending.cancel()
            guard !text.isEmpty else { return }
            // A pause in typing starts the search.
            self.pending.submit { [weak self] in
                self?.search(text)
            }
        }
    }

    private func search(_ text: String) {}
}
