/// The style of the page and of its charts, in light and dark mode, on a screen and on paper.
enum StyleSheet {
  static let text = """
    \(charts)
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
    main { max-width: 1120px; margin: 0 auto; padding: 32px 20px 64px; }
    h1 { font-size: 30px; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.02em; }
    h2 { font-size: 22px; margin: 48px 0 4px; letter-spacing: -0.01em; }
    h3 { font-size: 16px; margin: 0 0 2px; }
    p { margin: 4px 0 12px; max-width: 78ch; }
    a { color: var(--bar); text-decoration: none; }
    a:hover { text-decoration: underline; }
    code { font: 13px ui-monospace, SFMono-Regular, Menlo, monospace; background: var(--line); border-radius: 4px; padding: 1px 5px; }
    nav { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 16px 0 0; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 16px 0 0; }
    dt, .muted { color: var(--muted); }
    dd { margin: 0; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px 12px; margin: 16px 0; }
    /* Shadows at the edges show that there is more to the side. They move with the contents and disappear at the ends. */
    .scroll { overflow-x: auto; background:
      linear-gradient(to right, var(--card) 30%, transparent) left / 40px 100% no-repeat local,
      linear-gradient(to left, var(--card) 30%, transparent) right / 40px 100% no-repeat local,
      linear-gradient(to right, var(--shadow), transparent) left / 14px 100% no-repeat scroll,
      linear-gradient(to left, var(--shadow), transparent) right / 14px 100% no-repeat scroll; }
    .warning { background: var(--warn-soft); color: var(--warn); border-radius: 8px; padding: 8px 14px; margin: 12px 0; max-width: none; }
    .tally { display: flex; gap: 12px; flex-wrap: wrap; margin: 12px 0; }
    .chip { display: inline-block; border-radius: 999px; padding: 1px 10px; font-size: 13px; font-weight: 600; white-space: nowrap; }
    .chip.holds { background: var(--good-soft); color: var(--good); }
    .chip.falls { background: var(--bad-soft); color: var(--bad); }
    .chip.unsure { background: var(--warn-soft); color: var(--warn); }
    .chip.open { background: var(--line); color: var(--muted); }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 14px; }
    th { text-align: right; font-weight: 500; color: var(--muted); font-size: 13px; }
    td { text-align: right; white-space: nowrap; }
    th, td { padding: 5px 10px; border-bottom: 1px solid var(--line); vertical-align: middle; }
    th:first-child, td:first-child { text-align: left; padding-left: 0; }
    tr:last-child td { border-bottom: 0; }
    table.targets td { white-space: normal; }
    table.targets tbody th { padding-top: 18px; color: var(--ink); }
    table.targets td:nth-child(2), table.targets th:nth-child(2) { text-align: left; color: var(--muted); }
    table.targets td:nth-child(3), table.targets td:nth-child(5) { white-space: nowrap; }
    table.targets svg { width: 180px; min-width: 0; }
    details { margin: 4px 0 6px; }
    summary { cursor: pointer; color: var(--muted); font-size: 13px; }
    svg { display: block; width: 100%; min-width: 720px; height: auto; overflow: visible; }
    @media (max-width: 760px) {
      table.targets thead { display: none; }
      table.targets, table.targets tbody, table.targets tr, table.targets td { display: block; text-align: left; }
      table.targets tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
      table.targets td { border-bottom: 0; padding: 2px 0; } }
    @media print { body { background: white; } .card { break-inside: avoid; } }
    """

  /// The style of the charts, also outside of the page.
  static let charts = """
    :root { color-scheme: light dark; --paper: #f7f7f5; --card: #ffffff; --ink: #1d2129; --muted: #667080;
      --line: #e3e5e8; --bar: #3b6fd4; --reference: #a9b2c0; --floor: #d08a1d; --good: #1f8a4c; --bad: #c9362b;
      --good-soft: #d3eedd; --bad-soft: #f8dcd9; --warn-soft: #fbeccf; --warn: #8a5a00; --shadow: #00000038;
      --s0: #3b6fd4; --s1: #d0661d; --s2: #1f8a4c; --s3: #a33fb5; --s4: #c9362b; --s5: #0f8a96; --s6: #7a6a12; --s7: #667080; --s8: #d6467e; --s9: #8d5a3a; }
    @media (prefers-color-scheme: dark) { :root { --paper: #14161a; --card: #1c1f25; --ink: #e7e9ed; --muted: #98a2b3;
      --line: #30353e; --bar: #6c9bf5; --reference: #606b7c; --floor: #e0a545; --good: #58c384; --bad: #f0756b;
      --good-soft: #1d3a2a; --bad-soft: #43211f; --warn-soft: #40331a; --warn: #e7bd6a; --shadow: #ffffff38;
      --s0: #6c9bf5; --s1: #f0975a; --s2: #58c384; --s3: #cf86dd; --s4: #f0756b; --s5: #4fc3cf; --s6: #c8b44f; --s7: #98a2b3; --s8: #f48fb1; --s9: #c89b7b; } }
    svg { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
    svg text { fill: var(--ink); font-size: 13px; }
    svg .tick { fill: var(--muted); font-size: 12px; }
    svg .value { font-weight: 600; font-variant-numeric: tabular-nums; }
    .grid { stroke: var(--line); }
    .floor-line { stroke: var(--floor); stroke-width: 1.5; stroke-dasharray: 4 3; }
    .bar.is-variant { fill: var(--bar); } .bar.is-reference { fill: var(--reference); } .bar.is-floor { fill: var(--floor); }
    .whisker { stroke: var(--muted); } .most { fill: var(--muted); opacity: 0.45; } .half { fill: var(--ink); opacity: 0.75; }
    .median { stroke: var(--ink); stroke-width: 2; }
    .kept { fill: var(--good-soft); } .broken { fill: var(--bad-soft); }
    circle.run { fill: var(--muted); } circle.holds { fill: var(--good); } circle.falls { fill: var(--bad); }
    circle.unsure { fill: var(--warn); }
    .curve { fill: none; stroke-width: 2; }
    .curve.s0 { stroke: var(--s0); } .dot.s0 { fill: var(--s0); } .curve.s1 { stroke: var(--s1); } .dot.s1 { fill: var(--s1); }
    .curve.s2 { stroke: var(--s2); } .dot.s2 { fill: var(--s2); } .curve.s3 { stroke: var(--s3); } .dot.s3 { fill: var(--s3); }
    .curve.s4 { stroke: var(--s4); } .dot.s4 { fill: var(--s4); } .curve.s5 { stroke: var(--s5); } .dot.s5 { fill: var(--s5); }
    .curve.s8 { stroke: var(--s8); } .dot.s8 { fill: var(--s8); } .curve.s9 { stroke: var(--s9); } .dot.s9 { fill: var(--s9); }
    .curve.s6 { stroke: var(--s6); } .dot.s6 { fill: var(--s6); } .curve.s7 { stroke: var(--s7); } .dot.s7 { fill: var(--s7); }
    .paper { fill: var(--card); } svg .title { font-size: 19px; font-weight: 600; }
    """
}
