//
//  FavoritesViewModel.swift
//

import Foundation

protocol FavoritesViewModelInput {
    func viewDidLoad()
    func didLoadNextPage()
    func didRemove(at index: Int)
}

protocol FavoritesViewModelOutput {
    var items: Observable<[FavoriteRow]> { get }
    var isLoading: Observable<Bool> { get }
    var errorMessage: Observable<String?> { get }
}

struct FavoriteRow: Equatable {
    let id: Int
    let title: String
}

final class FavoritesViewModel: FavoritesViewModelInput, FavoritesViewModelOutput {

    // MARK: - Output

    let items: Observable<[FavoriteRow]> = Observable([])
    let isLoading: Observable<Bool> = Observable(false)
    let errorMessage: Observable<String?> = Observable(nil)

    // MARK: - Private

    private let service: FavoritesService
    private let pageSize: Int
    private var currentPage = 0
    private var hasMorePages = true

    init(service: FavoritesService, pageSize: Int = 2) {
        self.service = service
        self.pageSize = pageSize
    }

    // MARK: - Input

    func viewDidLoad() {
        load(page: 1)
    }

    func didLoadNextPage() {
        guard hasMorePages, !isLoading.value else { return }
        load(page: currentPage + 1)
    }

    func didRemove(at index: Int) {
        guard items.value.indices.contains(index) else { return }
        // Optimistic: the row goes now, and comes back if the server refuses.
        let row = items.value.remove(at: index)
        service.removeFavorite(id: row.id) { [weak self] result in
            DispatchQueue.main.async {
                guard let self = self else { return }
                switch result {
                case .success:
                    break
                case .failure(let error):
                    self.items.value.insert(row, at: min(index, self.items.value.count))
                    self.errorMessage.value = self.message(for: error)
                }
            }
        }
    }

    // MARK: - Loading

    private func load(page: Int) {
        isLoading.value = true
        errorMessage.value = nil
        service.fetchFavorites(page: page) { [weak self] result in
            DispatchQueue.main.async {
                self?.handle(result, page: page)
            }
        }
    }

    private func handle(_ result: Result<[Favorite], Error>, page: Int) {
        isLoading.value = false
        switch result {
        case .success(let favorites):
            currentPage = page
            hasMorePages = favorites.count == pageSize
            let rows = favorites.map { FavoriteRow(id: $0.id, title: $0.title.uppercased()) }
            items.value = page == 1 ? rows : items.value + rows
        case .failure(let error):
            errorMessage.value = message(for: error)
        }
    }

    private func message(for error: Error) -> String {
        switch error {
        case FavoritesError.offline: return "You are offline."
        case FavoritesError.notFound: return "This favorite no longer exists."
        default: return "Something went wrong."
        }
    }
}
