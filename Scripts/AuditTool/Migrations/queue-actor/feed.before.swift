import Foundation

public enum FeedStatus: Equatable {
    case offline
    case connecting(attempt: Int)
    case live
    case stale
}

/// Keeps a socket open while the screen is visible, and connects again with growing pauses.
public final class PriceFeedViewModel {

    // MARK: Callbacks, on the main queue

    public var onStatus: ((FeedStatus) -> Void)?
    public var onPrices: (([String: Double]) -> Void)?

    // MARK: State, guarded by `queue`

    private let queue = DispatchQueue(label: "feed.view-model")
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

    public func start() {
        queue.async { [weak self] in
            guard let self, !self.isStarted else { return }
            self.isStarted = true
            self.attempt = 0
            self.connect()
        }
    }

    public func stop() {
        queue.async { [weak self] in
            guard let self, self.isStarted else { return }
            self.isStarted = false
            self.reconnectItem?.cancel()
            self.silenceItem?.cancel()
            self.socket?.delegate = nil
            self.socket?.close()
            self.socket = nil
            self.set(.offline)
        }
    }

    public func currentStatus() -> FeedStatus {
        return queue.sync { status }
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
            guard let self, self.isStarted else { return }
            self.connect()
        }
        reconnectItem?.cancel()
        reconnectItem = item
        queue.asyncAfter(deadline: .now() + delay, execute: item)
    }

    private func restartSilenceTimer() {
        silenceItem?.cancel()
        let item = DispatchWorkItem { [weak self] in
            self?.set(.stale)
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

    public func socketDidOpen(_ socket: PriceSocket) {
        queue.async { [weak self] in
            guard let self, socket === self.socket else { return }
            socket.subscribe(to: self.symbols) { [weak self] error in
                self?.queue.async {
                    guard let self, socket === self.socket else { return }
                    if error != nil {
                        socket.close()
                    } else {
                        self.attempt = 0
                        self.set(.live)
                        self.restartSilenceTimer()
                    }
                }
            }
        }
    }

    public func socket(_ socket: PriceSocket, didReceive quote: Quote) {
        queue.async { [weak self] in
            guard let self, socket === self.socket else { return }
            self.prices[quote.symbol] = quote.price
            self.set(.live)
            self.restartSilenceTimer()
            let prices = self.prices
            DispatchQueue.main.async { [weak self] in
                self?.onPrices?(prices)
            }
        }
    }

    public func socket(_ socket: PriceSocket, didCloseWith error: Error?) {
        queue.async { [weak self] in
            guard let self, socket === self.socket else { return }
            self.socket = nil
            self.silenceItem?.cancel()
            guard self.isStarted else { return }
            if self.attempt == 0 { self.attempt = 1 }
            self.scheduleReconnect()
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
