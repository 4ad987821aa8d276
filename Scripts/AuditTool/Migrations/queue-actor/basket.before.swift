import Foundation

/// Used by the basket tab and by the badge in the tab bar, so it can be called from any thread.
public final class BasketViewModel {

    /// Called on the callback queue after every change.
    public var onChange: (() -> Void)?
    /// Called on the callback queue when something went wrong.
    public var onError: ((String) -> Void)?

    private let api: BasketAPI
    private let queue = DispatchQueue(label: "com.shop.basket")
    private let callbackQueue: DispatchQueue

    // All guarded by `queue`.
    private var _lines: [BasketLine] = []
    private var _isUpdating = false
    private var _discountPercent = 0
    private var _lastError: String?

    public init(api: BasketAPI, callbackQueue: DispatchQueue = .main) {
        self.api = api
        self.callbackQueue = callbackQueue
    }

    // MARK: Reading

    public var lines: [BasketLine] {
        return queue.sync { _lines }
    }

    public var isUpdating: Bool {
        return queue.sync { _isUpdating }
    }

    public var lastError: String? {
        return queue.sync { _lastError }
    }

    /// In cents, with the discount.
    public var total: Int {
        return queue.sync {
            let sum = _lines.reduce(0) { $0 + $1.quantity * $1.cents }
            return sum * (100 - _discountPercent) / 100
        }
    }

    // MARK: Intents

    public func reload() {
        queue.async {
            self.begin()
            self.api.getBasket { lines, error in
                self.queue.async { self.finish(lines: lines, error: error) }
            }
        }
    }

    public func setQuantity(_ quantity: Int, of sku: String) {
        queue.async {
            guard !self._isUpdating else { return }  // the stepper is disabled anyway
            self.begin()
            self.api.setQuantity(quantity, sku: sku) { lines, error in
                self.queue.async { self.finish(lines: lines, error: error) }
            }
        }
    }

    public func applyVoucher(_ code: String, completion: ((Bool) -> Void)? = nil) {
        queue.async {
            self.begin()
            self.api.applyVoucher(code) { percent, error in
                self.queue.async {
                    if let percent = percent {
                        self._discountPercent = percent
                    }
                    self.finish(lines: self._lines, error: error)
                    self.callbackQueue.async { completion?(percent != nil) }
                }
            }
        }
    }

    // MARK: Private, on `queue`

    private func begin() {
        _isUpdating = true
        _lastError = nil
        notify()
    }

    private func finish(lines: [BasketLine]?, error: Error?) {
        _isUpdating = false
        if let error = error {
            let text = describe(error)
            _lastError = text
            callbackQueue.async { self.onError?(text) }
        } else if let lines = lines {
            _lines = lines
        }
        notify()
    }

    private func notify() {
        callbackQueue.async { self.onChange?() }
    }

    private func describe(_ error: Error) -> String {
        if case BasketAPIError.soldOut(let sku) = error { return "\(sku) is sold out" }
        if case BasketAPIError.server(let code) = error { return "Server error \(code)" }
        return "Please try again"
    }
}
