/// How a controller is presented.
public enum UIModalPresentationStyle: Int, Sendable {
  case fullScreen = 0
  case pageSheet = 1
  case formSheet = 2
  case currentContext = 3
  case custom = 4
  case overFullScreen = 5
  case overCurrentContext = 6
  @available(tvOS, unavailable)
  case popover = 7
  case none = -1
  case automatic = -2

  /// Whether the presenting controller disappears. The automatic style is a page sheet, which leaves the
  /// presenting controller on display.
  var coversPresenter: Bool { self == .fullScreen || self == .currentContext }
}
