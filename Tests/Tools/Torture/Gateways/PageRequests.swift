import StoreModel

/// Random requests for few pages, so that they conflict.
struct PageRequests: Sendable {
    /// Pages that are stored, validated and varied by language, more than the disk tier has room for.
    static let pages: [OriginPage] = (0..<90).flatMap { number -> [OriginPage] in
        switch number % 6 {
        case 0: [OriginPage(.validated, number)]
        case 1: ["en", "de", "fr"].map { OriginPage(.varied, number, variant: $0) }
        default: [OriginPage(.kept, number)]
        }
    }
    let gateways: [GatewayAddress]
    let origin: String

    /// Sends one request.
    func send(_ client: PageClient, _ generator: inout SplitMix) {
        // Half of the requests are for a few pages.
        let isNear = Bool.random(using: &generator)
        let number = Int.random(in: 0..<(isNear ? 12 : Self.pages.count), using: &generator)
        let page = Self.pages[number]
        let gateway = gateways[Int.random(in: gateways.indices, using: &generator)]
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<65: client.get(page, at: gateway)
        case 65..<72: client.get(page, at: gateway, ["Range: bytes=\(number)-\(number + 150)"])
        case 72..<78: client.get(page, at: gateway, ["Cache-Control: no-cache"])
        case 78..<85: client.get(page, at: gateway, ["Cache-Control: only-if-cached"])
        case 85..<93: client.change(page, through: gateway)
        case 93..<97: client.purge([page], by: "url=\(origin)\(page.path)", at: gateway)
        case 97..<99: purge(prefix: "/varied/", client, gateway)
        default: client.purge(Self.pages, by: "all", at: gateway)
        }
    }

    private func purge(prefix: String, _ client: PageClient, _ gateway: GatewayAddress) {
        let pages = Self.pages.filter { $0.path.hasPrefix(prefix) }
        client.purge(pages, by: "prefix=\(origin)\(prefix)", at: gateway)
    }
}
