import AsyncViewModels
import Foundation

/// Used by the basket tab and by the badge in the tab bar, so it can be called from any thread.
public actor BasketViewModel {

    // TODO: [migrate] Is `onChange` set before its first use, or only on one queue? The actor does not guard it.
    /// Called on the callback queue after every change.
    public nonisolated(unsafe) var onChange: (() -> Void)?
    // TODO: [migrate] Is `onError` set before its first use, or only on one queue? The actor does not guard it.
    /// Called on the callback queue when something went wrong.
    public nonisolated(unsafe) var onError: ((String) -> Void)?

    private let api: BasketAPI
    private let isolation = QueueIsolation(DispatchQueue(label: "com.shop.basket"))
    private nonisolated var queue: DispatchQueue { isolation.queue }
    public nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
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

    public nonisolated var lines: [BasketLine] {
        return queue.sync { self.assumeIsolated { $0._lines } }
    }

    public nonisolated var isUpdating: Bool {
        return queue.sync { self.assumeIsolated { $0._isUpdating } }
    }

    public nonisolated var lastError: String? {
        return queue.sync { self.assumeIsolated { $0._lastError } }
    }

    /// In cents, with the discount.
    public nonisolated var total: Int {
        return queue.sync {
            self.assumeIsolated { model in
                let sum = model._lines.reduce(0) { $0 + $1.quantity * $1.cents }
                return sum * (100 - model._discountPercent) / 100
            }
        }
    }

    // MARK: Intents

    public nonisolated func reload() {
        queue.async {
            self.assumeIsolated { model in
                model.begin()
                model.api.getBasket { lines, error in
                    self.queue.async { self.assumeIsolated { $0.finish(lines: lines, error: error) } }
                }
            }
        }
    }

    public nonisolated func setQuantity(_ quantity: Int, of sku: String) {
        queue.async {
            self.assumeIsolated { model in
                guard !model._isUpdating else { return }  // the stepper is disabled anyway
                model.begin()
                model.api.setQuantity(quantity, sku: sku) { lines, error in
                    self.queue.async { self.assumeIsolated { $0.finish(lines: lines, error: error) } }
                }
            }
        }
    }

    public nonisolated func applyVoucher(_ code: String, completion: ((Bool) -> Void)? = nil) {
        queue.async {
            self.assumeIsolated { model in
                model.begin()
                model.api.applyVoucher(code) { percent, error in
                    self.queue.async {
                        self.assumeIsolated { model in
                            if let percent = percent {
                                model._discountPercent = percent
                            }
                            model.finish(lines: model._lines, error: error)
                            model.callbackQueue.async { completion?(percent != nil) }
                        }
                    }
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

    private nonisolated func notify() {
        callbackQueue.async { self.onChange?() }
    }

    private nonisolated func describe(_ error: Error) -> String {
        if case BasketAPIError.soldOut(let sku) = error { return "\(sku) is sold out" }
        if case BasketAPIError.server(let code) = error { return "Server error \(code)" }
        return "Please try again"
    }
}
