import OriginScript

/// The forms of `--subject` that are not the name of a known proxy or of a bundled driver.
package enum SubjectForm: String, Sendable, CaseIterable {
    case builtin, proxy
    case forwardProxy = "forward-proxy"
    case driver, browser

    /// The row of the table of subjects; its name is the form with a placeholder for the value.
    var row: ReferenceRow {
        switch self {
        case .builtin:
            ReferenceRow(
                rawValue,
                "The built-in client in the program's own process, in virtual time; the default",
                example: "--subject builtin"
            )
        case .proxy:
            ReferenceRow(
                "\(rawValue)=URL",
                "A running reverse proxy at this address; its origin is this command's `--origin-port`",
                example: "--subject proxy=http://127.0.0.1:8080 --origin-port 8001"
            )
        case .forwardProxy:
            ReferenceRow(
                "\(rawValue)=URL",
                "A running forward proxy at this address",
                example: "--subject forward-proxy=http://127.0.0.1:3128"
            )
        case .driver:
            ReferenceRow(
                "\(rawValue)=COMMAND",
                "A client cache behind a program that serves the driver protocol",
                example: "--subject 'driver=python3 my-cache.py'"
            )
        case .browser:
            ReferenceRow(
                "\(rawValue)=chromium",
                "A browser's cache, which the driver of the same name controls",
                example: "--subject browser=chromium"
            )
        }
    }
}

extension KnownProxy {
    /// The row of the table of subjects.
    var row: ReferenceRow {
        ReferenceRow(name, "\(cache), started for the run if it is installed", example: "--subject \(name)")
    }

    /// The row of the table of configurations.
    var setUpRow: ReferenceRow { ReferenceRow(name, setUp, example: "") }
}
