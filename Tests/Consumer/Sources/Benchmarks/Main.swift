import AsyncViewModels
import Domain
import Services
import ViewModels

@main
enum Main {
  static func main() async {
    let model = OverviewViewModel(shop: BridgedShop())
    await model.load()
    print(model.state.snapshot.products.count, "products")
  }
}
