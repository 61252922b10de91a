/// Styles in addition to those of the reports on scenarios.
enum AuditHTMLStyle {
    static let sheet = """
        h1 { font-size: 22px; } header a { text-decoration: none; }
        .wide { overflow-x: auto; } table th:first-child { overflow-wrap: anywhere; min-width: 140px; }
        td.text { text-align: left; }
        .bar .error { background: var(--bad); } .bar .warning { background: var(--warn); }
        td.error, td.forbidden, .error .mark { color: var(--bad); font-weight: 650; }
        td.warning, td.avoidable, .warning .mark { color: var(--warn); }
        details.error { border-left: 4px solid var(--bad); } details.warning { border-left: 4px solid var(--warn); }
        .ignored { opacity: .65; }
        details > ul { margin: 6px 16px 10px; padding-left: 18px; } details > pre { margin: 6px 16px 10px; }
        details p, summary .title { overflow-wrap: anywhere; min-width: 0; } h2 { overflow-wrap: anywhere; }
        .pages .page { display: none; } .pages .page:target { display: block; }
        main:has(.page:target) #overview { display: none; }
        .by-rule td:last-child { text-align: left; } .by-rule td a { margin-right: 8px; overflow-wrap: anywhere; }
        .cost .bar { margin: 4px 0 14px; height: 14px; } .cost .wasted { background: var(--bad); }
        .cost .saved { background: var(--good); } .cost p { margin: 0; } .cost td { white-space: nowrap; }
        @media (max-width: 600px) { main { padding: 12px; } header { padding: 16px 12px; } th, td { padding: 5px 7px; }
          .urls tr > :nth-child(2) { display: none; } .by-rule tr > :nth-child(2) { display: none; } table th:first-child { min-width: 100px; }
          .cost tr { display: grid; grid-template-columns: repeat(4, 1fr); } .cost td, .cost thead th { white-space: normal; }
          .cost tbody th { grid-column: 1 / -1; border-bottom: 0; } .cost thead th:first-child { display: none; }
          summary { flex-wrap: wrap; } summary .title { flex-basis: 100%; } }
        @media print { .pages .page { display: block; break-before: page; } }
        """
}
