import AsyncViewModelsGCD
import AsyncViewModelsUI
import FrameworkNames
import StorefrontDomain
import StorefrontViewModels

/// The purchase of a product: names of Apple's frameworks, of the toolkit and of the sample app in one file.
struct Purchase {
  let product: Product
  let item: CatalogProduct
  let cart: StateMirror<CartState>
  let detail: Bindable<ProductDetailViewModel>
  let scheduler: any Scheduler
  let timers: any CallbackScheduler
}
