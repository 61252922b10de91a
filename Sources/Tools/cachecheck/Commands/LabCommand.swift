import ArgumentParser
import CLibrary
import Clocks
import ControlServing
import Lab

/// `cachecheck lab`.
struct LabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Serve a web page about HTTP caches: two browsers, a gateway and an origin on one clock.",
        discussion: """
            The page is at the printed URL, on this machine only. Its ten lessons are sequences of requests and changes; \
            each step shows what every cache did, and which rule of which RFC decided. The caches are those of this \
            program, and all exchanges go over loopback.

            Exit status: 0 after Ctrl-C, 64 usage, 69 it could not start.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Port of the page on 127.0.0.1; 0 selects a free one. (default: 8100)",
            valueName: "N"
        ),
        transform: portNumber
    )
    var port: UInt16 = 8100

    func run() throws {
        Process.raiseDescriptorLimit()
        let lab = try start()
        defer { lab.stop() }
        let control = try startControl(of: lab)
        Process.catchEnd()
        print(Self.greeting(lab, control))
        fflush(nil)
        Process.waitForEnd()
        control.stop()
        print("Stopped.")
    }

    private func startControl(of lab: CachingLab) throws -> LabControl {
        var configuration = ControlServer.Configuration()
        configuration.port = Int(freeIfZero: port)
        return try orStop(ExitStatus.unavailable, "cachecheck lab: ") {
            let control = LabControl(of: lab, lessons: try Lesson.all(), configuration)
            try control.start()
            return control
        }
    }

    private func start() throws -> CachingLab {
        try orStop(ExitStatus.unavailable, "cachecheck lab: ") { try CachingLab(following: SystemClock()) }
    }

    private static func greeting(_ lab: CachingLab, _ control: LabControl) -> String {
        """
        Open \(control.url)/ in a browser (Ctrl-C stops).
        The gateway's cache also answers others: curl -i \(lab.url)
        """
    }
}
