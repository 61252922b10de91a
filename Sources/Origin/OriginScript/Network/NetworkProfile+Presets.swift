extension NetworkProfile {
    /// Every profile with its own name, in the order in which they are listed.
    public static let presets: [NetworkProfile] =
        apple + appleOlder + chrome + chromeOlder + firefox + lighthouse + webPageTest + sitespeed + comcast
        + stubs

    /// Network Link Conditioner: kbit of 1,000 bit, delays each way, loss each way.
    private static let apple: [NetworkProfile] = [
        packets("apple:100-loss", (nil, nil), delay: (0, 0), loss: (100, 100)),
        packets("apple:3g", (780, 330), delay: (100, 100)), packets("apple:dsl", (2000, 256), delay: (5, 5)),
        packets("apple:edge", (240, 200), delay: (400, 440)),
        packets("apple:high-latency-dns", (nil, nil), delay: (0, 0), dns: 3000),
        packets("apple:lte", (50_000, 10_000), delay: (50, 65)),
        packets("apple:very-bad-network", (1000, 1000), delay: (500, 500), loss: (10, 10)),
        packets("apple:wifi", (40_000, 33_000), delay: (1, 1)),
        packets("apple:wifi-802.11ac", (250_000, 100_000), delay: (1, 1)),
    ]

    /// The list of OS X 10.7 and 10.8, and what Augmented Traffic Control added to it.
    private static let appleOlder: [NetworkProfile] = [
        packets("apple:3g-good", (850, 420), delay: (100, 100)),
        packets("apple:3g-average", (780, 330), delay: (100, 100)),
        packets("apple:3g-lossy", (780, 330), delay: (100, 100), loss: (1, 0)),
        packets("apple:edge-good", (250, 200), delay: (350, 370)),
        packets("apple:edge-average", (240, 200), delay: (400, 440)),
        packets("apple:edge-lossy", (240, 200), delay: (400, 440), loss: (1, 0)),
        packets("apple:cable", (6000, 1000), delay: (2, 2)),
        packets("atc:3g-good", (850, 420), delay: (90, 90)),
        packets("atc:2g-developing-urban", (35, 32), delay: (650, 650)),
        packets("atc:2g-developing-rural", (20, 18), delay: (650, 650), loss: (2, 0)),
        packets("atc:no-connectivity", (1, 1), delay: (0, 0)),
    ]

    /// Chrome's DevTools: the values in effect, bytes per second and a latency before the head.
    private static let chrome: [NetworkProfile] = [
        requests("chrome:offline", bytes: 0, 0, 0), requests("chrome:3g", bytes: 50_000, 50_000, 2000),
        requests("chrome:slow-4g", bytes: 180_000, 84_375, 562.5),
        requests("chrome:fast-4g", bytes: 1_012_500, 168_750, 165),
        requests("chrome:no-throttling", bytes: nil, nil, 0),
    ]

    /// The same before 2020, by 1,024, and ChromeDriver's list of 2015 in kbit/s.
    private static let chromeOlder: [NetworkProfile] = [
        requests("chrome-2019:slow-3g", bytes: 51_200, 51_200, 2000),
        requests("chrome-2019:fast-3g", bytes: 188_743.68, 86_400, 562.5),
        requests("chrome-2015:gprs", 50, 50, 500), requests("chrome-2015:regular-2g", 250, 250, 300),
        requests("chrome-2015:good-2g", 450, 450, 150), requests("chrome-2015:regular-3g", 750, 750, 100),
        requests("chrome-2015:good-3g", 1536, 1536, 40), requests("chrome-2015:regular-4g", 4096, 4096, 20),
        requests("chrome-2015:dsl", 2048, 2048, 5), requests("chrome-2015:wifi", 30_720, 30_720, 2),
    ]

    /// Firefox's DevTools: K of 1,024 bit and M of as many K.
    private static let firefox: [NetworkProfile] = [
        requests("firefox:gprs", 51.2, 20.48, 500), requests("firefox:regular-2g", 256, 51.2, 300),
        requests("firefox:good-2g", 460.8, 153.6, 150), requests("firefox:regular-3g", 768, 256, 100),
        requests("firefox:good-3g", 1572.864, 768, 40),
        requests("firefox:regular-4g", 4194.304, 3145.728, 20),
        requests("firefox:dsl", 2097.152, 1048.576, 5), requests("firefox:wifi", 31457.28, 15728.64, 2),
        requests("firefox:offline", bytes: 0, 0, 5),
    ]

    /// Lighthouse's throttling as DevTools applies it; the dense 4G as it is simulated.
    private static let lighthouse: [NetworkProfile] = [
        requests("lighthouse:mobile-slow-4g", 1474.56, 675, 562.5),
        requests("lighthouse:mobile-regular-3g", 630, 630, 1125),
        requests("lighthouse:desktop-dense-4g", 10_240, 10_240, 40),
    ]

    /// WebPageTest: kbit of 1,000 bit, round trips.
    private static let webPageTest: [NetworkProfile] = roundTrips.map { name, down, up, round in
        packets("wpt:" + name, (down, up), delay: (round / 2, round / 2))
    }

    /// sitespeed.io's throttle has the same names, and half of each round trip in all.
    private static let sitespeed: [NetworkProfile] = roundTrips.map { name, down, up, round in
        packets("sitespeed:" + name, (down, up), delay: (round / 4, round / 4))
    }

    private static let roundTrips: [(String, Double, Double, Double)] = [
        ("cable", 5000, 1000, 28), ("dsl", 1500, 384, 50), ("fios", 20_000, 5000, 4), ("dial", 49, 30, 120),
        ("edge", 240, 200, 840), ("2g", 280, 256, 800), ("3g-slow", 400, 400, 400), ("3g", 1600, 768, 300),
        ("3g-fast", 1600, 768, 150), ("4g", 9000, 9000, 170), ("lte", 12_000, 12_000, 70),
    ]

    /// Comcast's table, a delay and loss on what leaves a machine; the unit of its loss is disputed.
    private static let comcast: [NetworkProfile] = [
        packets("comcast:gprs", (50, 50), delay: (500, 0), loss: (2, 2)),
        packets("comcast:edge", (250, 250), delay: (300, 0), loss: (1.5, 1.5)),
        packets("comcast:3g", (750, 750), delay: (250, 0), loss: (1.5, 1.5)),
        packets("comcast:dial-up", (40, 40), delay: (185, 0), loss: (2, 2)),
        packets("comcast:dsl-poor", (2000, 2000), delay: (70, 0), loss: (2, 2)),
        packets("comcast:dsl-good", (8000, 8000), delay: (40, 0), loss: (0.5, 0.5)),
        packets("comcast:wifi", (30_000, 30_000), delay: (40, 0), loss: (0.2, 0.2)),
        packets("comcast:starlink", (nil, nil), delay: (20, 0), loss: (2.5, 2.5)),
    ]

    /// OHHTTPStubs' download speeds, in KB of 1,000 bytes per second and nothing else.
    private static let stubs: [NetworkProfile] = [
        ("1kbps", 1.0), ("slow", 1.5), ("gprs", 7), ("edge", 16), ("3g", 400), ("3g-plus", 900),
        ("wifi", 1500),
    ].map { name, rate in requests("ohhttpstubs:" + name, bytes: rate * 1000, nil, 0) }

    /// Values of the two directions of a network.
    private typealias Directions<Value> = (down: Value, up: Value)

    /// Returns a profile of packets, in kbit/s, milliseconds and per cent.
    private static func packets(
        _ name: String,
        _ rate: Directions<Double?>,
        delay: Directions<Double>,
        loss: Directions<Double> = (0, 0),
        dns: Double = 0
    ) -> NetworkProfile {
        var profile = NetworkProfile(name: name)
        (profile.down, profile.up) = (rate.down.map { $0 * 125 }, rate.up.map { $0 * 125 })
        (profile.delayDown, profile.delayUp) = (.milliseconds(delay.down), .milliseconds(delay.up))
        (profile.lossDown, profile.lossUp) = (loss.down / 100, loss.up / 100)
        profile.dnsDelay = .milliseconds(dns)
        return profile
    }

    /// Returns a profile of requests, in bytes per second and milliseconds before the head.
    private static func requests(
        _ name: String,
        bytes down: Double?,
        _ up: Double?,
        _ latency: Double
    ) -> NetworkProfile {
        var profile = NetworkProfile(name: name)
        (profile.down, profile.up, profile.layer) = (down, up, .request)
        profile.delayDown = .milliseconds(latency)
        return profile
    }

    /// Returns a profile of requests, in kbit/s and milliseconds before the head.
    private static func requests(_ name: String, _ down: Double, _ up: Double, _ latency: Double)
        -> NetworkProfile
    {
        requests(name, bytes: down * 125, up * 125, latency)
    }
}
