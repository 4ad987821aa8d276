import Foundation

/// Search as you type: waits for a pause, remembers answers, ignores the answers to older texts.
/// Main thread only.
final class PlaceSearchViewModel {

    // MARK: State

    private(set) var places: [Place] = [] {
        didSet { onPlacesChanged?(places) }
    }

    private(set) var isSearching = false {
        didSet {
            guard isSearching != oldValue else { return }
            onSearchingChanged?(isSearching)
        }
    }

    private(set) var hint: String? = "Type at least 2 letters" {
        didSet {
            if hint != oldValue { onHintChanged?(hint) }
        }
    }

    // MARK: Callbacks

    var onPlacesChanged: (([Place]) -> Void)?
    var onSearchingChanged: ((Bool) -> Void)?
    var onHintChanged: ((String?) -> Void)?

    // MARK: Private

    private let client: PlacesClient
    private let debounce: TimeInterval
    private let minimumLength: Int

    private var cache: [String: [Place]] = [:]
    private var pendingSearch: DispatchWorkItem?
    private var requestID = 0

    init(client: PlacesClient, debounce: TimeInterval = 0.3, minimumLength: Int = 2) {
        self.client = client
        self.debounce = debounce
        self.minimumLength = minimumLength
    }

    // MARK: Intents

    func textDidChange(_ text: String) {
        let query = text.trimmingCharacters(in: .whitespaces).lowercased()
        pendingSearch?.cancel()

        guard query.count >= minimumLength else {
            requestID += 1
            isSearching = false
            places = []
            hint = "Type at least \(minimumLength) letters"
            return
        }

        if let cached = cache[query] {
            requestID += 1
            isSearching = false
            show(cached)
            return
        }

        let item = DispatchWorkItem { [weak self] in
            self?.search(query)
        }
        pendingSearch = item
        DispatchQueue.main.asyncAfter(deadline: .now() + debounce, execute: item)
    }

    func clear() {
        pendingSearch?.cancel()
        pendingSearch = nil
        cache.removeAll()
        textDidChange("")
    }

    // MARK: Searching

    private func search(_ query: String) {
        requestID += 1
        let id = requestID
        isSearching = true
        hint = nil

        client.places(matching: query) { [weak self] result in
            DispatchQueue.main.async {
                guard let self = self, self.requestID == id else { return }
                self.isSearching = false
                switch result {
                case .success(let places):
                    self.cache[query] = places
                    self.show(places)
                case .failure(PlacesError.rateLimited):
                    self.hint = "Too many searches. Wait a moment."
                case .failure:
                    self.hint = "No connection"
                }
            }
        }
    }

    private func show(_ places: [Place]) {
        self.places = places
        hint = places.isEmpty ? "Nothing found" : nil
    }
}
