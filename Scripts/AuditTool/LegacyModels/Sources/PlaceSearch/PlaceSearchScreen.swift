import Foundation

final class PlaceSearchScreen {

    private(set) var drawn: [String] = []
    private let viewModel: PlaceSearchViewModel

    init(viewModel: PlaceSearchViewModel) {
        self.viewModel = viewModel
        viewModel.onPlacesChanged = { [weak self] places in
            self?.drawn.append("[" + places.map { $0.name }.joined(separator: " ") + "]")
        }
        viewModel.onSearchingChanged = { [weak self] isSearching in
            self?.drawn.append(isSearching ? "searching" : "done")
        }
        viewModel.onHintChanged = { [weak self] hint in
            self?.drawn.append("hint: \(hint ?? "none")")
        }
    }

    func type(_ text: String) {
        viewModel.textDidChange(text)
    }

    func didTapClear() {
        viewModel.clear()
    }
}
