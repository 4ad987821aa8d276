import Foundation

/// The badge in the tab bar.
public final class BasketBadge {

    public private(set) var texts: [String] = []
    private let viewModel: BasketViewModel

    public init(viewModel: BasketViewModel) {
        self.viewModel = viewModel
        viewModel.onChange = { [weak self] in self?.update() }
        viewModel.onError = { [weak self] message in self?.texts.append("!" + message) }
    }

    private func update() {
        let count = viewModel.lines.reduce(0) { $0 + $1.quantity }
        texts.append(viewModel.isUpdating ? "\(count)…" : "\(count)")
    }
}
