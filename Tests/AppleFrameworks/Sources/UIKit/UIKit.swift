// A stand-in for the part of UIKit that the adapters use. It runs on Linux, without a screen and without
// time: the test decides when an animation ends, with `UIKitStandIn.advance()`.
//
// The calls and their order follow Apple's documentation. Where Apple documents nothing, they follow what
// UIKit is known to do.
@_exported public import Foundation
