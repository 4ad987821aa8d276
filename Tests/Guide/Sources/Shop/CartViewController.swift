import AsyncViewModelsUI
import Foundation

extension Notification.Name {
  static let appWillEnterForeground = Notification.Name("appWillEnterForeground")
}

/// The screen of the cart.
final class CartViewController: HostedScreen {
  let view = CartView()
  /// Receives the number of units in the cart, for the badge of the tab bar.
  var onCountChange: ((Int) -> Void)?

  private let service: CartService
  private let center: NotificationCenter
  private var observer: NSObjectProtocol?

  private var items: [CartItem] = []
  private var savedItems: [CartItem] = []
  private var changes: [CartItem] = []
  private var isLoading = false
  private var hasLoaded = false
  private var loadFailed = false
  private var needsSave = false
  private var isSaving = false
  private var saveItem: DispatchWorkItem?

  init(service: CartService, center: NotificationCenter = .default) {
    self.service = service
    self.center = center
  }

  deinit {
    if let observer { center.removeObserver(observer) }
  }

  // MARK: - Life cycle

  func didLoad(in host: ScreenHost) {
    observer = center.addObserver(forName: .appWillEnterForeground, object: nil, queue: nil) { _ in
      DispatchQueue.main.async { self.load() }
    }
    updateUI()
  }

  func willAppear(animated: Bool) {
    if !hasLoaded { load() }
  }

  func willDisappear(animated: Bool) {
    // The shopper leaves: do not wait for the delay.
    if needsSave { save() }
  }

  // MARK: - Actions

  func didPullToRefresh() { load() }

  func didTapAdd(_ product: Product) {
    let quantity = items.first { $0.id == product.id }?.quantity ?? 0
    change(CartItem(product: product, quantity: quantity + 1))
  }

  func didChangeQuantity(of id: Product.ID, to quantity: Int) {
    guard let item = items.first(where: { $0.id == id }) else { return }
    change(CartItem(product: item.product, quantity: max(quantity, 0)))
  }

  func didTapRemove(_ id: Product.ID) { didChangeQuantity(of: id, to: 0) }

  // MARK: - Loading

  private func load() {
    isLoading = true
    updateUI()
    service.cart { [weak self] result in
      DispatchQueue.main.async {
        guard let self else { return }
        self.isLoading = false
        switch result {
        case .success(let cart):
          self.hasLoaded = true
          self.loadFailed = false
          self.items = cart
          self.savedItems = cart
        case .failure:
          self.loadFailed = true
          self.view.present(
            CartView.Alert(
              title: "The cart could not be loaded.",
              buttons: [
                ("Cancel", {}),
                ("Try Again", { [weak self] in self?.load() }),
              ]))
        }
        self.updateUI()
      }
    }
  }

  // MARK: - Changing and saving

  private func change(_ item: CartItem) {
    items = items.applying([item])
    changes.removeAll { $0.id == item.id }
    changes.append(item)
    needsSave = true
    updateUI()

    // Saves when the shopper has not tapped for half a second.
    saveItem?.cancel()
    let workItem = DispatchWorkItem { [weak self] in self?.save() }
    saveItem = workItem
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: workItem)
  }

  private func save() {
    saveItem?.cancel()
    guard !changes.isEmpty else { return }
    let sent = changes
    changes = []
    isSaving = true
    updateUI()
    service.save(sent) { [weak self] result in
      DispatchQueue.main.async {
        guard let self else { return }
        self.isSaving = false
        switch result {
        case .success(let cart):
          self.needsSave = false
          self.items = cart
          self.savedItems = cart
        case .failure:
          self.changes = sent
          self.view.present(
            CartView.Alert(
              title: "The cart could not be saved.",
              buttons: [
                ("Undo", { [weak self] in self?.undo() }),
                ("Try Again", { [weak self] in self?.save() }),
              ]))
        }
        self.updateUI()
      }
    }
  }

  private func undo() {
    changes = []
    needsSave = false
    items = savedItems
    updateUI()
    load()
  }

  // MARK: - Views

  private func updateUI() {
    var total = 0
    var count = 0
    var rows: [CartView.Row] = []
    for item in items {
      total += item.price
      count += item.quantity
      rows.append(
        CartView.Row(
          id: item.id, name: item.product.name, quantity: item.quantity, price: format(item.price)))
    }
    view.rows = rows
    view.total = format(total)
    view.isSpinning = isLoading
    if isSaving {
      view.status = "Saving…"
    } else if needsSave {
      view.status = "Not saved"
    } else {
      view.status = nil
    }
    if items.isEmpty && hasLoaded {
      view.message = "Your cart is empty."
    } else if items.isEmpty && loadFailed {
      view.message = "The cart is not available."
    } else {
      view.message = nil
    }
    onCountChange?(count)
  }

  private func format(_ cents: Int) -> String { String(format: "$%d.%02d", cents / 100, cents % 100) }
}
