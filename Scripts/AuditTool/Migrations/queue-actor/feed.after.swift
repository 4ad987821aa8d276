import AsyncViewModels
import Foundation

public enum FeedStatus: Equatable {
    case offline
    case connecting(attempt: Int)
    case live
    case stale
}

/// Keeps a socket open while the screen is visible, and connects again with growing pauses.
public actor PriceFeedViewModel {

    // MARK: Callbacks, on the main queue

    // TODO: [migrate] Is `onStatus` set before its first use, or only on one queue? The actor does not guard it.
    public nonisolated(unsafe) var onStatus: ((FeedStatus) -> Void)?
    // TODO: [migrate] Is `onPrices` set before its first use, or only on one queue? The actor does not guard it.
    public nonisolated(unsafe) var onPrices: (([String: Double]) -> Void)?

    // MARK: State, guarded by `queue`

    private let isolation = QueueIsolation(DispatchQueue(label: "feed.view-model"))
    private nonisolated var queue: DispatchQueue { isolation.queue }
    public nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
    private var status: FeedStatus = .offline
    private var prices: [String: Double] = [:]
    private var socket: PriceSocket?
    private var isStarted = false
    private var attempt = 0
    private var reconnectItem: DispatchWorkItem?
    private var silenceItem: DispatchWorkItem?

    private let factory: PriceSocketFactory
    private let symbols: [String]
    private let maximumDelay: TimeInterval
    private let silenceLimit: TimeInterval

    public init(
        factory: PriceSocketFactory, symbols: [String], maximumDelay: TimeInterval = 8, silenceLimit: TimeInterval = 15
    ) {
        self.factory = factory
        self.symbols = symbols
        self.maximumDelay = maximumDelay
        self.silenceLimit = silenceLimit
    }

    deinit {
        socket?.close()
        reconnectItem?.cancel()
        silenceItem?.cancel()
    }

    public nonisolated func start() {
        queue.async { [weak self] in
            guard let self else { return }
            self.assumeIsolated { model in
                guard !model.isStarted else { return }
                model.isStarted = true
                model.attempt = 0
                model.connect()
            }
        }
    }

    public nonisolated func stop() {
        queue.async { [weak self] in
            guard let self else { return }
            self.assumeIsolated { model in
                guard model.isStarted else { return }
                model.isStarted = false
                model.reconnectItem?.cancel()
                model.silenceItem?.cancel()
                model.socket?.delegate = nil
                model.socket?.close()
                model.socket = nil
                model.set(.offline)
            }
        }
    }

    public nonisolated func currentStatus() -> FeedStatus {
        return queue.sync { self.assumeIsolated { $0.status } }
    }

    // MARK: On `queue`

    private func connect() {
        attempt += 1
        set(.connecting(attempt: attempt))
        let socket = factory.makeSocket()
        self.socket = socket
        socket.delegate = self
        socket.open()
    }

    private func scheduleReconnect() {
        let delay = min(pow(2, Double(attempt - 1)), maximumDelay)
        let item = DispatchWorkItem { [weak self] in
            guard let self else { return }
            self.assumeIsolated { model in
                guard model.isStarted else { return }
                model.connect()
            }
        }
        reconnectItem?.cancel()
        reconnectItem = item
        queue.asyncAfter(deadline: .now() + delay, execute: item)
    }

    private func restartSilenceTimer() {
        silenceItem?.cancel()
        let item = DispatchWorkItem { [weak self] in
            self?.assumeIsolated { model in
                model.set(.stale)
            }
        }
        silenceItem = item
        queue.asyncAfter(deadline: .now() + silenceLimit, execute: item)
    }

    private func set(_ newStatus: FeedStatus) {
        guard newStatus != status else { return }
        status = newStatus
        DispatchQueue.main.async { [weak self] in
            self?.onStatus?(newStatus)
        }
    }
}

extension PriceFeedViewModel: PriceSocketDelegate {

    public nonisolated func socketDidOpen(_ socket: PriceSocket) {
        queue.async { [weak self] in
            guard let self else { return }
            self.assumeIsolated { model in
                guard socket === model.socket else { return }
                socket.subscribe(to: model.symbols) { [weak self] error in
                    self?.queue.async {
                        guard let self else { return }
                        self.assumeIsolated { model in
                            guard socket === model.socket else { return }
                            if error != nil {
                                socket.close()
                            } else {
                                model.attempt = 0
                                model.set(.live)
                                model.restartSilenceTimer()
                            }
                        }
                    }
                }
            }
        }
    }

    public nonisolated func socket(_ socket: PriceSocket, didReceive quote: Quote) {
        queue.async { [weak self] in
            guard let self else { return }
            self.assumeIsolated { model in
                guard socket === model.socket else { return }
                model.prices[quote.symbol] = quote.price
                model.set(.live)
                model.restartSilenceTimer()
                let prices = model.prices
                DispatchQueue.main.async { [weak self] in
                    self?.onPrices?(prices)
                }
            }
        }
    }

    public nonisolated func socket(_ socket: PriceSocket, didCloseWith error: Error?) {
        queue.async { [weak self] in
            guard let self else { return }
            self.assumeIsolated { model in
                guard socket === model.socket else { return }
                model.socket = nil
                model.silenceItem?.cancel()
                guard model.isStarted else { return }
                if model.attempt == 0 { model.attempt = 1 }
                model.scheduleReconnect()
            }
        }
    }
}

public struct Quote: Equatable {
    public let symbol: String
    public let price: Double

    public init(symbol: String, price: Double) {
        self.symbol = symbol
        self.price = price
    }
}

public protocol PriceSocketDelegate: AnyObject {
    func socketDidOpen(_ socket: PriceSocket)
    func socket(_ socket: PriceSocket, didReceive quote: Quote)
    func socket(_ socket: PriceSocket, didCloseWith error: Error?)
}

/// A connection can be opened once. Calls its delegate on any thread.
public protocol PriceSocket: AnyObject {
    var delegate: PriceSocketDelegate? { get set }
    func open()
    func subscribe(to symbols: [String], completion: @escaping (Error?) -> Void)
    func close()
}

public protocol PriceSocketFactory {
    func makeSocket() -> PriceSocket
}
