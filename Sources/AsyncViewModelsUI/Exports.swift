// A view file needs one import.
@_exported public import AsyncViewModels
@_exported public import ListSnapshots
