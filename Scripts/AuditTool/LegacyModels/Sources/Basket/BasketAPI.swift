import Foundation

public struct BasketLine: Equatable {
    public let sku: String
    public var quantity: Int
    public let cents: Int

    public init(sku: String, quantity: Int, cents: Int) {
        self.sku = sku
        self.quantity = quantity
        self.cents = cents
    }
}

public enum BasketAPIError: Error {
    case soldOut(sku: String)
    case server(code: Int)
}

public protocol BasketAPI: AnyObject {
    func getBasket(completion: @escaping (_ lines: [BasketLine]?, _ error: Error?) -> Void)
    func setQuantity(_ quantity: Int, sku: String, completion: @escaping (_ lines: [BasketLine]?, _ error: Error?) -> Void)
    func applyVoucher(_ code: String, completion: @escaping (_ percent: Int?, _ error: Error?) -> Void)
}
