import Foundation

final class HomeScreen {

    private(set) var drawn: [String] = []
    private let viewModel: HomeViewModel

    init(viewModel: HomeViewModel) {
        self.viewModel = viewModel
        viewModel.onStateChange = { [weak self] state in
            self?.render(state)
        }
    }

    func viewWillAppear() {
        viewModel.refresh()
    }

    func didTapRetry() {
        viewModel.didTapRetry()
    }

    private func render(_ state: HomeViewModel.State) {
        switch state {
        case .idle:
            break
        case .loading:
            drawn.append("loading")
        case .failed(let message):
            drawn.append("failed: \(message)")
        case .loaded(let content):
            let parts = [content.banner?.text ?? "-", "\(content.recommendations.count) products", "\(content.orders.count) orders"]
            drawn.append(parts.joined(separator: ", "))
            if !content.missingParts.isEmpty {
                drawn.append("missing " + content.missingParts.joined(separator: " and "))
            }
        }
    }
}
