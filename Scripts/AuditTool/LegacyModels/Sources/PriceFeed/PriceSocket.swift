import Foundation

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
