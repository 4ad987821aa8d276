import Foundation

public final class PriceFeedScreen {

    public private(set) var drawn: [String] = []
    private let viewModel: PriceFeedViewModel

    public init(viewModel: PriceFeedViewModel) {
        self.viewModel = viewModel
        viewModel.onStatus = { [weak self] status in
            self?.drawn.append("\(status)")
        }
        viewModel.onPrices = { [weak self] prices in
            let text = prices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            self?.drawn.append(text.joined(separator: ", "))
        }
    }

    public func viewWillAppear() {
        viewModel.start()
    }

    public func viewDidDisappear() {
        viewModel.stop()
    }
}
