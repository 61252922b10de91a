import CacheSemantics
import CacheStorage
import Clocks
import ControlServing
import JSON
import LocatedYAML

/// The operations of the gateway's page: itself, the stored responses and the clock.
extension GatewayControl {
    private static let maximumListed = 10_000

    /// The page and its files.
    static var pages: [ControlOperation] {
        [
            .file(
                "/",
                name: "page",
                "Returns the page that shows the stored responses and controls the clock.",
                EmbeddedFiles.gateway_html,
                type: "text/html"
            ),
            .file(
                "/gateway.css",
                name: "pageStyle",
                "Returns the style sheet of the page.",
                EmbeddedFiles.gateway_css,
                type: "text/css"
            ),
            .file(
                "/gateway.js",
                name: "pageScript",
                "Returns the script of the page.",
                EmbeddedFiles.gateway_js,
                type: "text/javascript"
            ),
        ] + PageFiles.operations
    }

    /// Lists the stored responses.
    static func stored(in gateway: Gateway) -> ControlOperation {
        let summary = "Shows the time and the stored responses, those used most recently first."
        return ControlOperation(.get("/stored"), name: "readStored", summary) {
            request throws(ControlProblem) in
            let text = request.query.first { $0.name == "limit" }?.value ?? "100"
            guard let most = Int(text), (0...maximumListed).contains(most) else {
                throw .value("query", found: "limit=\(text)", expected: "0 to \(maximumListed)")
            }
            do throws(StorageError) {
                let entries = try gateway.listing(most: most)
                return .json(
                    ClockOperations.time(of: gateway.clock).adding([
                        "stored": .integer(gateway.entryCount), "entries": .array(entries),
                    ])
                )
            } catch {
                throw ControlProblem(status: 500, error.description)
            }
        }.with {
            $0.answer = ["type": "object"]
            $0.isSlow = true
            $0.query = [.init("limit", "The largest number of stored responses to list; by default 100.")]
        }
    }

    /// Reads, advances, stops and starts the clock.
    static func clock(of gateway: Gateway) -> [ControlOperation] {
        ClockOperations(
            fixed: "The gateway uses the system's clock. Start it with --movable-clock to control its clock."
        ) { _ in .init(gateway.clock) }.all
    }
}
