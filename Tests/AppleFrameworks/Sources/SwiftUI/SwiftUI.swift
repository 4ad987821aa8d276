// A stand-in for the part of SwiftUI that the adapters and the examples use. It runs on Linux, without a
// screen and without time: a test creates a `ViewHost`, which evaluates a view and acts as the user.
//
// The declarations follow Apple's documentation, to which their comments link. Where Apple documents nothing,
// the behavior follows what SwiftUI is known to do.
@_exported public import Combine
@_exported public import Observation
