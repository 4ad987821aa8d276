import Foundation

final class SearchViewModel {
    private let queue = DispatchQueue(label: "search")
    private let pause: TimeInterval
    private var pending: DispatchWorkItem?  // guarded by `queue`

    init(pause: TimeInterval) { self.pause = pause }

    deinit { pending?.cancel() }

    func type(_ text: String) {
        queue.async {
            self.pending?.cancel()
            guard !text.isEmpty else { return }
            // A pause in typing starts the search.
            let item = DispatchWorkItem { [weak self] in
                self?.search(text)
            }
            self.pending = item
            self.queue.asyncAfter(deadline: .now() + self.pause, execute: item)
        }
    }

    private func search(_ text: String) {}
}
