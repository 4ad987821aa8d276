/// An intent of a screen that loads its content. The state of the screen has the rules.
package enum LoadIntent: Sendable, CaseIterable {
  case load
  case refresh
}
