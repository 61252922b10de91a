/// The style sheet and the script of the page.
package enum HTMLStyle {
    package static let sheet = """
        :root { color-scheme: light dark; --ink: #1d2430; --soft: #66707f; --paper: #f5f6f8; --card: #fff;
          --line: #dfe3e9; --good: #177a4b; --bad: #c22f2f; --warn: #9a6700; --calm: #5b6675; --code: #eef1f5; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa5b3; --paper: #14181e;
          --card: #1c2229; --line: #323a45; --good: #4cc38a; --bad: #ff7b72; --warn: #e3b341; --calm: #8b97a6;
          --code: #252c35; } }
        * { box-sizing: border-box; }
        body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
        header { padding: 28px max(24px, calc(50vw - 520px)); background: var(--card);
          border-bottom: 1px solid var(--line); border-top: 6px solid var(--good); }
        header.bad { border-top-color: var(--bad); }
        header p { margin: 0; color: var(--soft); }
        header .brand { font-weight: 650; letter-spacing: .04em; text-transform: uppercase; font-size: 12px; }
        h1 { margin: 4px 0; font-size: 28px; line-height: 1.2; }
        .bar { display: flex; height: 10px; gap: 2px; margin-top: 16px; border-radius: 5px; overflow: hidden; }
        .bar i { min-width: 4px; background: var(--calm); }
        .bar .passed { background: var(--good); }
        .bar .failed, .bar .unexpected-pass, .bar .broken { background: var(--bad); }
        .bar .noted, .bar .expected-failure { background: var(--warn); }
        main { max-width: 1088px; margin: 0 auto; padding: 24px; }
        table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; font-variant-numeric: tabular-nums; }
        th, td { padding: 6px 14px; text-align: right; border-bottom: 1px solid var(--line); }
        th:first-child { text-align: left; font-weight: 500; }
        thead th { color: var(--soft); font-size: 13px; font-weight: 500; }
        tfoot th, tfoot td { font-weight: 650; border-bottom: 0; }
        td.passed { color: var(--good); } td.failed { color: var(--bad); font-weight: 650; }
        td.noted { color: var(--warn); } td.zero { color: var(--soft); opacity: .55; }
        a { color: inherit; text-decoration-color: var(--line); text-underline-offset: 3px; }
        .problems { border-left: 4px solid var(--bad); padding-left: 16px; }
        .controls { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; margin: 24px 0 0; }
        .controls input[type=search] { flex: 1 1 260px; padding: 8px 12px; font: inherit; color: inherit;
          background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
        h2 { font-size: 18px; margin: 32px 0 10px; } small { color: var(--soft); font-weight: 400; }
        details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 6px 0; }
        summary { display: flex; gap: 10px; align-items: baseline; padding: 8px 14px; cursor: pointer; }
        summary .title { flex: 1; } .mark { font-weight: 650; white-space: nowrap; }
        .passed .mark { color: var(--good); } .noted .mark, .expected-failure .mark { color: var(--warn); }
        .failed .mark, .unexpected-pass .mark, .broken .mark { color: var(--bad); }
        .skipped .mark { color: var(--calm); }
        details.failed, details.broken, details.unexpected-pass { border-left: 4px solid var(--bad); }
        .chip { font-size: 12px; color: var(--soft); border: 1px solid var(--line); border-radius: 999px;
          padding: 0 8px; }
        details > p, details > .step { margin: 6px 16px; } .where { color: var(--soft); }
        code, pre { font: 12.5px/1.5 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
        .rule { background: var(--code); border-radius: 4px; padding: 1px 6px; }
        .reason { font-weight: 500; }
        .step { border-top: 1px solid var(--line); padding: 8px 0; } .step h3 { font-size: 14px; margin: 0 0 6px;
          font-weight: 600; } .step h3 b { color: var(--soft); font-weight: 500; margin-right: 6px; }
        .blamed h3 { color: var(--bad); }
        .mismatches { margin: 0 0 10px; } .mismatches td { text-align: left; font-family: ui-monospace, monospace;
          font-size: 13px; } .mismatches thead th { text-align: left; } .mismatches td:last-child { color: var(--bad); }
        .exchanges { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 10px; }
        .exchange { background: var(--code); border-radius: 6px; padding: 6px 12px; min-width: 0; }
        .exchange.none { color: var(--soft); font-size: 13px; }
        .exchange h4 { margin: 0; font-size: 12px; font-weight: 600; color: var(--soft); }
        pre { margin: 2px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
        .findings { margin: 8px 0 0; padding-left: 26px; font-size: 13.5px; } .findings code { color: var(--soft); }
        .findings b { font-weight: 600; } .held b { color: var(--good); } .not-held b { color: var(--warn); }
        .timeline { margin: 8px 16px; overflow-x: auto; } .timeline svg { min-width: 640px; width: 100%; }
        .timeline text { font: 11px system-ui, sans-serif; fill: var(--soft); } .timeline .name { fill: var(--ink); font-size: 12px; }
        .timeline text.tick, .timeline .age { text-anchor: middle; } .timeline line { stroke: var(--line); }
        .timeline .fresh { fill: var(--good); opacity: .35; } .timeline .stale { fill: var(--warn); opacity: .35; }
        .timeline circle { fill: var(--calm); } .timeline circle.origin { fill: var(--bad); }
        .timeline circle.validated { fill: var(--warn); }
        .timeline circle.memory, .timeline circle.disk, .timeline circle.cache { fill: var(--good); }
        .timeline .arrival { fill: var(--ink); } .wire { margin: 6px 16px; } .wire pre { padding: 0 12px 8px; }
        [hidden] { display: none; }
        """

    static let script = """
        const find = document.getElementById("find"), only = document.getElementById("only");
        function show() {
          const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
          for (const area of document.querySelectorAll(".area")) {
            let any = false;
            for (const item of area.querySelectorAll(".scenario")) {
              const text = item.dataset.find;
              const fits = words.every(word => text.includes(word));
              item.hidden = !fits || (only.checked && item.classList.contains("passed"));
              any = any || !item.hidden;
            }
            area.hidden = !any;
          }
        }
        find.addEventListener("input", show);
        only.addEventListener("change", show);
        """
}
