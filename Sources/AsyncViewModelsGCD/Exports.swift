// A view model on GCD needs one import.
@_exported public import AsyncViewModels
