import MockOrigin
import OriginScript
import TestSupport
import Testing

@Suite(
    "The page of the control API in a narrow window",
    .enabled(if: Browser.path != nil, "Chromium is not installed"),
    .timeLimit(.minutes(20)),
    .blocking
)
struct NarrowPageTests {
    @Test(
        "Rows are stacked with the names of their columns, nothing is wider than the window, and no button breaks"
    )
    func stacked() throws {
        let server = try ControlledServer([
            Route(label: "users", path: .exact("/users"), methods: ["POST"], answers: [Answer()])
        ])
        #expect(try server.ask("PUT", "/pages", #"{"/get":{"etag":"\"v1\""}}"#).status == 200)
        let browser = try Browser()
        try browser.emulate(width: 360, height: 780, isDark: false)
        try browser.open("\(server.control.url)/#token=\(server.control.token)")
        try browser.wait(until: "document.querySelector('#routes button') !== null")
        try browser.wait(until: "document.querySelector('#pages button') !== null")
        let label = try browser.evaluate(
            "getComputedStyle(document.querySelector('#routes td:nth-child(2)'), '::before').content"
        )
        #expect(label.contains("Methods"))
        #expect(try browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == "true")
        let broken = """
            [...document.querySelectorAll('button')].filter((one) => one.offsetHeight > 2 * \
            parseFloat(getComputedStyle(one).lineHeight) || one.offsetHeight > 40).length
            """
        #expect(try browser.evaluate(broken) == "0")
    }
}
