/// Whether something that the harness can use is installed on this machine.
public struct Installation: Sendable, Hashable {
    /// A purpose for which the harness uses a program.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, CaseIterable {
        /// Proxies that are started by name.
        case proxy
        /// Browsers, whose caches are tested by a driver.
        case browser
        /// Other client caches behind a bundled driver.
        case driver
        /// The library that moves the clocks of other programs.
        case clock
    }
    /// The purpose for which the harness uses it.
    public let kind: Kind
    /// Its name on the command line.
    public let name: String
    /// The programs that it needs, with their versions: `node 20.11.1`.
    public let found: [String]
    /// The Debian packages that are missing; empty if it can be used.
    public let missing: [String]

    /// Looks for everything; runs the programs only to print their versions.
    public static func all() -> [Installation] {
        KnownProxy.all.map { Installation(.proxy, $0.name, needs: [$0.required]) }
            + BundledDrivers.needs.map { name, needs in
                let isBrowser = needs.contains { $0.isBrowser }
                return Installation(isBrowser ? .browser : .driver, name, needs: needs)
            } + [clock]
    }

    private init(_ kind: Kind, _ name: String, needs: [RequiredProgram]) {
        self.kind = kind
        self.name = name
        found = needs.compactMap(\.title)
        missing = needs.filter { $0.path == nil }.map(\.package)
    }

    private init(clock isInstalled: Bool) {
        kind = .clock
        name = "libfaketime"
        found = []
        missing = isInstalled ? [] : ["libfaketime"]
    }

    private static var clock: Installation { Installation(clock: FakeTime.isInstalled) }
}

/// A program that a subject needs.
struct RequiredProgram: Hashable {
    /// The program's file.
    let name: String
    /// The Debian package that contains it.
    let package: String
    /// The argument that prints its version.
    var versionFlag = "--version"
    /// Whether it is a browser.
    var isBrowser = false

    /// Its path; `nil` if it is not installed.
    var path: String? { ProgramFiles.find(name) }

    /// Name and version; `nil` if it is not installed.
    var title: String? {
        guard let path else { return nil }
        let version = ProgramFiles.output(of: "\(path) \(versionFlag) 2>&1").flatMap(KnownProxy.version)
        return version.map { "\(name) \($0)" } ?? name
    }
}
