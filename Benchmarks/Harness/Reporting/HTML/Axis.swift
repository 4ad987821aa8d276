import Foundation

/// Positions of values along an edge of a chart.
struct Axis: Equatable {
  let isLogarithmic: Bool
  let lower: Double
  let upper: Double
  /// The positions of `lower` and `upper`, in points of the chart.
  let start: Double
  let end: Double

  /// A linear axis from zero, or a logarithmic one if the smallest value would otherwise be invisible.
  static func fitting(_ values: [Double], start: Double, end: Double) -> Axis {
    let positive = values.filter { $0 > 0 }
    guard let least = positive.min(), let most = positive.max() else {
      return Axis(isLogarithmic: false, lower: 0, upper: 1, start: start, end: end)
    }
    guard most / least > 12 else {
      return Axis(isLogarithmic: false, lower: 0, upper: most * 1.05, start: start, end: end)
    }
    return .logarithmic(least * 0.6, most * 1.3, start: start, end: end)
  }

  static func logarithmic(_ lower: Double, _ upper: Double, start: Double, end: Double) -> Axis {
    Axis(isLogarithmic: true, lower: lower, upper: upper, start: start, end: end)
  }

  /// The position of `value`, or of the nearer end if the value lies outside the axis.
  func position(of value: Double) -> Double {
    let fraction =
      isLogarithmic
      ? log(max(value, lower) / lower) / log(upper / lower) : (value - lower) / (upper - lower)
    return start + min(max(fraction, 0), 1) * (end - start)
  }

  /// About six round values between the ends.
  var ticks: [Double] {
    isLogarithmic ? logarithmicTicks : linearTicks
  }

  private var linearTicks: [Double] {
    let raw = (upper - lower) / 5
    let magnitude = pow(10, floor(log10(raw)))
    let step = [1, 2, 5, 10].map { $0 * magnitude }.first { $0 >= raw } ?? raw
    return stride(from: (lower / step).rounded(.up) * step, through: upper, by: step).map { $0 }
  }

  private var logarithmicTicks: [Double] {
    let decades = Int(floor(log10(lower)))...Int(ceil(log10(upper)))
    let factors: [Double] = decades.count > 4 ? [1] : [1, 2, 5]
    let range: ClosedRange<Double> = lower * 0.999...upper * 1.001
    let all = decades.flatMap { decade -> [Double] in
      let power = pow(10, Double(decade))
      return factors.map { $0 * power }.filter(range.contains)
    }
    return all.count <= 8 ? all : all.filter { log10($0) == log10($0).rounded() }
  }
}
