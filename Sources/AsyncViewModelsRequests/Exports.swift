// A file that uses requests needs one import.
@_exported public import AsyncViewModels
