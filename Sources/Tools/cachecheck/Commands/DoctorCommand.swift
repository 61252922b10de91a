import ArgumentParser
import Conformance

/// `cachecheck doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "List the proxies, browsers and drivers that can be tested here, and how to install the others.",
        discussion: """
            Nothing is installed or started, but programs are asked for their versions. Drivers in Python install \
            their packages from PyPI when they are first used.

            Exit status: 0, whatever is missing, or 64 usage.
            """
    )

    func run() {
        let all = Installation.all()
        let width = all.map(\.name.count).max() ?? 0
        for kind in Installation.Kind.allCases {
            print(kind.heading)
            for each in all where each.kind == kind {
                let padding = String(repeating: " ", count: width - each.name.count)
                print("  \(each.name)\(padding)  \(each.state)")
            }
        }
        let packages = Set(all.flatMap(\.missing)).filter { !$0.contains(" ") }.sorted()
        if packages.isEmpty { return }
        print("\nInstall everything that is missing, on Debian or Ubuntu:")
        print("  apt-get install -y --no-install-recommends \(packages.joined(separator: " "))")
    }
}

extension Installation.Kind {
    fileprivate var heading: String {
        switch self {
        case .proxy: "Proxies, for --subject NAME"
        case .browser: "Browsers, for --subject browser=NAME"
        case .driver: "Client caches, for --subject NAME"
        case .clock: "Clock of other programs, for --time virtual"
        }
    }
}

extension Installation {
    fileprivate var state: String {
        let found = found.isEmpty ? "installed" : found.joined(separator: ", ")
        return missing.isEmpty ? found : "not usable: \(missing.joined(separator: ", ")) is missing"
    }
}
