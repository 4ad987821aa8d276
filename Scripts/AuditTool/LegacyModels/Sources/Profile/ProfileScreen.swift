import Foundation

final class ProfileScreen: ProfileViewModelDelegate {

    private(set) var events: [String] = []
    let viewModel: ProfileViewModel

    init(viewModel: ProfileViewModel) {
        self.viewModel = viewModel
        viewModel.delegate = self
    }

    func viewDidAppear() {
        viewModel.load()
    }

    // MARK: ProfileViewModelDelegate

    func profileViewModelDidUpdate(_ viewModel: ProfileViewModel) {
        events.append(viewModel.title + (viewModel.isBusy ? " (busy)" : ""))
    }

    func profileViewModel(_ viewModel: ProfileViewModel, didFailWith error: Error) {
        events.append("failed")
    }

    func profileViewModelDidSave(_ viewModel: ProfileViewModel) {
        events.append("saved")
    }
}
