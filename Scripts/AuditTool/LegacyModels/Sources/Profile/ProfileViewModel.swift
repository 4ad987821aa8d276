import Foundation

protocol ProfileViewModelDelegate: AnyObject {
    func profileViewModelDidUpdate(_ viewModel: ProfileViewModel)
    func profileViewModel(_ viewModel: ProfileViewModel, didFailWith error: Error)
    func profileViewModelDidSave(_ viewModel: ProfileViewModel)
}

class ProfileViewModel: NSObject {

    weak var delegate: ProfileViewModelDelegate?

    private let repository: ProfileRepositoryProtocol
    private let userID: String
    private let lock = NSLock()
    private var profile: UserProfile?
    private var draft: UserProfile?
    private var loading = false
    private var saving = false
    private var currentRequest: Cancellable?

    init(repository: ProfileRepositoryProtocol, userID: String) {
        self.repository = repository
        self.userID = userID
        super.init()
    }

    deinit {
        currentRequest?.cancel()
    }

    // MARK: - What the screen shows

    var title: String {
        lock.lock()
        defer { lock.unlock() }
        return draft?.name ?? profile?.name ?? "Profile"
    }

    var city: String {
        lock.lock()
        defer { lock.unlock() }
        return draft?.city ?? profile?.city ?? ""
    }

    var isBusy: Bool {
        lock.lock()
        defer { lock.unlock() }
        return loading || saving
    }

    var canSave: Bool {
        lock.lock()
        defer { lock.unlock() }
        return draft != nil && draft != profile && !saving
    }

    // MARK: - Intents

    func load() {
        lock.lock()
        currentRequest?.cancel()
        loading = true
        lock.unlock()
        notifyUpdate()

        let request = repository.loadProfile(userID: userID) { [weak self] profile, error in
            guard let self = self else { return }
            self.lock.lock()
            self.loading = false
            self.currentRequest = nil
            if let profile = profile {
                self.profile = profile
            }
            self.lock.unlock()
            if let error = error {
                self.notifyFailure(error)
            }
            self.notifyUpdate()
        }
        lock.lock()
        currentRequest = request
        lock.unlock()
    }

    func edit(name: String? = nil, city: String? = nil, newsletter: Bool? = nil) {
        lock.lock()
        guard var edited = draft ?? profile else {
            lock.unlock()
            return
        }
        edited.name = name ?? edited.name
        edited.city = city ?? edited.city
        edited.newsletter = newsletter ?? edited.newsletter
        draft = edited
        lock.unlock()
        notifyUpdate()
    }

    func save() {
        lock.lock()
        guard let draft = draft, !saving else {
            lock.unlock()
            return
        }
        saving = true
        lock.unlock()
        notifyUpdate()

        repository.saveProfile(draft) { [weak self] error in
            guard let self = self else { return }
            self.lock.lock()
            self.saving = false
            if error == nil {
                self.profile = draft
                self.draft = nil
            }
            self.lock.unlock()
            if let error = error {
                self.notifyFailure(error)
            } else {
                DispatchQueue.main.async { self.delegate?.profileViewModelDidSave(self) }
            }
            self.notifyUpdate()
        }
    }

    // MARK: - Delegate

    private func notifyUpdate() {
        DispatchQueue.main.async {
            self.delegate?.profileViewModelDidUpdate(self)
        }
    }

    private func notifyFailure(_ error: Error) {
        DispatchQueue.main.async {
            self.delegate?.profileViewModel(self, didFailWith: error)
        }
    }
}
