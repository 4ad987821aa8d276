import Foundation

/// Stands for the view controller: it binds the boxes and writes down what it would draw.
final class FavoritesScreen {

    private(set) var drawn: [String] = []
    private let viewModel: FavoritesViewModel

    init(viewModel: FavoritesViewModel) {
        self.viewModel = viewModel
    }

    func viewDidLoad() {
        bind(to: viewModel)
        viewModel.viewDidLoad()
    }

    private func bind(to viewModel: FavoritesViewModel) {
        viewModel.items.observe(on: self) { [weak self] rows in
            self?.drawn.append("rows " + rows.map { $0.title }.joined(separator: ","))
        }
        viewModel.isLoading.observe(on: self) { [weak self] isLoading in
            self?.drawn.append(isLoading ? "spinner on" : "spinner off")
        }
        viewModel.errorMessage.observe(on: self) { [weak self] message in
            guard let message = message else { return }
            self?.drawn.append("alert " + message)
        }
    }

    func didScrollToBottom() {
        viewModel.didLoadNextPage()
    }

    func didSwipeToDelete(row: Int) {
        viewModel.didRemove(at: row)
    }
}
