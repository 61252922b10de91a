import ArgumentParser
import Clocks
import FaultProxy
import JSON
import MockOrigin
import OriginScript

/// `cachecheck network`.
struct Network: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List network profiles, and measure them.",
        subcommands: [List.self, Check.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List every profile with its rates, delays, loss, and the time for 100 kB.",
            discussion: "Exit status: 0, 64 usage, 65 a bad file."
        )

        @Option(name: .long, help: ArgumentHelp("YAML file with your own profiles.", valueName: "FILE"))
        var profiles: String?

        func run() throws {
            for profile in try customProfiles(profiles) + NetworkProfile.presets { print(profile.summary) }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Measure profiles over loopback sockets.",
            discussion: """
                Exit status: 0, 1 a measurement is off by more than 5 % and more than 2 ms, 64 usage, 65 a bad file, \
                69 a server could not start.
                """
        )

        /// Where a profile is emulated.
        enum Place: String, ExpressibleByArgument, CaseIterable {
            case server, proxy
        }

        @Argument(help: "Profile names; by default, all.")
        var names: [String] = []

        @Option(
            help: ArgumentHelp(
                "Where the profiles are emulated: by the mock server, or by the proxy in front of it.",
                valueName: "server|proxy"
            )
        )
        var through = Place.server

        @Option(name: .long, help: ArgumentHelp("YAML file with your own profiles.", valueName: "FILE"))
        var profiles: String?

        func run() throws {
            let custom = try customProfiles(profiles)
            var hasFailed = false
            for profile in try chosen(custom) {
                print(profile.summary)
                let check = try measure(profile)
                for figure in check.figures { print(figure.line) }
                for note in check.notes { print("  note  \(note)") }
                hasFailed = hasFailed || !check.passes
            }
            if hasFailed { throw ExitCode(1) }
        }

        private func chosen(_ custom: [NetworkProfile]) throws -> [NetworkProfile] {
            if names.isEmpty { return custom + NetworkProfile.presets }
            return try names.map { name in
                do throws(FaultTextProblem) {
                    return try NetworkProfile(named: name, custom: custom)
                } catch {
                    throw ValidationError("found \(error.found), expected \(error.expected)")
                }
            }
        }

        private func measure(_ profile: NetworkProfile) throws -> NetworkCheck {
            try orStop(ExitStatus.unavailable, "\(profile.name): ") {
                switch through {
                case .server: try NetworkCheck(profile)
                case .proxy: try NetworkCheck(throughProxy: profile)
                }
            }
        }
    }
}

extension NetworkCheck.Figure {
    /// One line of the table.
    fileprivate var line: String {
        let verdict = isWithinTolerance ? "ok  " : "FAIL"
        return "  \(verdict)  \(name): expected \(decimal(expected)), measured \(decimal(measured))"
    }
}

extension NetworkProfile {
    /// One line of the list: name, rates, kind of delay, loss, and the time for 100 kB.
    var summary: String {
        let delays =
            layer == .request
            ? "\(decimal(delayDown.seconds * 1000)) ms before each response"
            : "\(decimal(delayDown.seconds * 1000)) ms down, \(decimal(delayUp.seconds * 1000)) ms up"
        let parts = [
            "\(rate(down)) down", "\(rate(up)) up", delays,
            lossDown + lossUp > 0
                ? "loss \(decimal(lossDown * 100)) % down, \(decimal(lossUp * 100)) % up" : nil,
            dnsDelay > .zero ? "DNS \(decimal(dnsDelay.seconds * 1000)) ms (the client's)" : nil,
            isBlocked ? "nothing arrives" : "100 kB in \(decimal(time.seconds)) s",
        ]
        return "\(name): " + parts.compactMap { $0 }.joined(separator: ", ")
    }

    private var time: Duration { roundTrip + Self.time(100_000, at: down) }

    private func rate(_ bytes: Double?) -> String {
        bytes.map { "\(decimal($0 / 125)) kbit/s" } ?? "unlimited"
    }
}

/// Returns a number with at most three decimals.
private func decimal(_ value: Double) -> String { JSONNumber(value, places: 3)?.text ?? "\(value)" }
