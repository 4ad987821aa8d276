import AsyncViewModels
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
@MainActor
struct LiveMeterTests {
  private final class Model: StateSource {
    let store = StateStore(0)
  }

  private final class Screen {
    var shown: [Int] = []
  }

  @Test("a view model counts until it is released")
  func viewModel() {
    let meter = LiveMeter()
    var model: Model? = Model()
    if let model { meter.watch(model) }
    #expect(meter.counts == LiveMeter.Counts(viewModels: 1))
    model = nil
    #expect(meter.counts.isZero)
  }

  @Test("a stream counts while it is in memory, and a task while it reads the stream")
  func stream() async {
    let meter = LiveMeter()
    let (model, screen) = (Model(), Screen())
    var stream: MeteredStream? = MeteredStream(model.states(), meter)
    #expect(meter.counts == LiveMeter.Counts(streams: 1))
    let (received, continuation) = AsyncStream<Void>.makeStream()
    let token = stream?.observe(on: screen) { screen, value in
      screen.shown.append(value)
      continuation.yield()
    }
    stream = nil
    var iterator = received.makeAsyncIterator()
    await iterator.next()
    #expect(screen.shown == [0])
    #expect(meter.counts == LiveMeter.Counts(streams: 1, tasks: 1))
    token?.cancel()
    while !meter.counts.isZero { await Task.yield() }
  }

  @Test("a mark counts until its last reference is released")
  func mark() {
    let meter = LiveMeter()
    var observer: (() -> Void)?
    do {
      let mark = meter.mark(\.observers)
      observer = { withExtendedLifetime(mark) {} }
    }
    observer?()
    #expect(meter.counts.observers == 1)
    observer = nil
    #expect(meter.counts.isZero)
  }
}

@Suite(.timeLimit(.minutes(5)))
struct FrameStatisticsTests {
  @Test("a frame is late if it is on the screen more than one tick after its own tick")
  func late() {
    var statistics = FrameStatistics()
    let tick = ContinuousClock.now
    statistics.record(tick: tick, end: tick + FrameStatistics.interval)
    #expect(statistics.shownCount == 1 && statistics.lateCount == 0 && statistics.worstDelay == .zero)
    for delay in [Duration.milliseconds(5), .milliseconds(30), .milliseconds(2)] {
      statistics.record(tick: tick, end: tick + FrameStatistics.interval + delay)
    }
    #expect(statistics.shownCount == 4 && statistics.lateCount == 3)
    #expect(statistics.worstDelay == .milliseconds(30))
    #expect(statistics.recentTimes.last == FrameStatistics.interval + .milliseconds(2))
  }
}

@Suite(.timeLimit(.minutes(5)))
struct DemoRecordingTests {
  @Test("the image escapes text, shows each row once, and stands still at the first frame that is held")
  func svg() throws {
    var recording = DemoRecording()
    for (index, text) in ["one <&>", "two", "three"].enumerated() {
      var grid = ScreenGrid(TerminalSize(columns: 80, rows: 24))
      grid.draw(TextLine("always the same"), row: 0, width: 80)
      grid.draw(TextLine(text, index == 1 ? .bad : .plain), row: 5, width: 40)
      recording.append(grid)
      if index > 0 { recording.hold(.seconds(index)) }
    }
    #expect(recording.posterIndex == 1)
    #expect(recording.frames.map(\.time) == [.milliseconds(120), .seconds(1), .seconds(2)])
    let svg = recording.svg
    #expect(svg.contains(">one &lt;&amp;&gt;</text>"))
    #expect(svg.ranges(of: "always the same").count == 1)
    #expect(
      svg.contains("class=\"f0-1 h\"") && svg.contains("class=\"f1-2\"") && svg.contains("class=\"f2-3 h\""))
    #expect(svg.contains("prefers-reduced-motion"))
    #expect(svg.contains("animation:f1-2 3.12s step-end infinite"))
  }

  @Test("a frame that differs only in the panel does not make the recording longer")
  func panel() {
    var recording = DemoRecording()
    for count in 1...5 {
      var grid = ScreenGrid(.smallest)
      grid.draw(TextLine("\(count)"), row: 10, column: 70, width: 4)
      recording.append(grid)
    }
    #expect(recording.frames.count == 1)
  }
}
