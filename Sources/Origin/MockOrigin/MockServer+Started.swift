public import Clocks
import FileReading
public import HTTPServing
public import OriginScript

extension MockServer {
    /// Starts a server with some routes on any free port of 127.0.0.1.
    ///
    /// By default its clock follows the system's and can be advanced; `folder` contains the files that answers may name. With
    /// `tls` it also has a port with TLS, `tlsURL`, and clients have to trust `authorityPEM`.
    public static func started(
        routes: [Route] = [],
        folder: String? = nil,
        tls: TLSCase? = nil,
        clock: any TimeSource = MovableClock(following: SystemClock())
    ) throws(ServerError) -> MockServer {
        var configuration = Configuration()
        configuration.site.routes = routes
        configuration.fixtureFolder = folder
        if let tls { try configuration.useTLS(tls) }
        let server = MockServer(configuration, clock: clock)
        try server.start()
        return server
    }

    /// Starts a server of the site in a folder on any free port of 127.0.0.1, as `cachecheck serve FOLDER` does.
    ///
    /// The folder may be one that `FixtureWriter` has written. By default its clock follows the system's and can be
    /// advanced. Throws the problems of the site's files as `YAMLProblems`, or a `ServerError`, which is `notAFolder` if
    /// there is no such folder.
    public static func started(
        serving folder: String,
        clock: any TimeSource = MovableClock(following: SystemClock())
    ) throws -> MockServer {
        guard FileAccess.names(inFolder: folder) != nil else { throw ServerError.notAFolder(folder) }
        var configuration = Configuration()
        configuration.site = try SiteSource(folder: folder).load()
        configuration.fixtureFolder = folder
        let server = MockServer(configuration, clock: clock)
        try server.start()
        return server
    }
}
