// Answers and routes as values in one expression: `.get("/users", .json("[]").eTag("v1").maxAge(.seconds(60)))`.

extension Answer {
    /// Creates an answer of JSON text, with its media type.
    public static func json(_ text: String, status: Int = 200) -> Answer {
        Answer(status: status, fields: ["Content-Type": "application/json"], body: .text(text))
    }

    /// Creates an answer of plain text in UTF-8, with its media type.
    public static func plainText(_ text: String, status: Int = 200) -> Answer {
        Answer(status: status, fields: ["Content-Type": "text/plain; charset=utf-8"], body: .text(text))
    }

    /// Creates an answer of bytes with a media type, such as an image or a file.
    public static func bytes(_ content: [UInt8], type: String, status: Int = 200) -> Answer {
        Answer(status: status, fields: ["Content-Type": type], body: .bytes(content))
    }

    /// Creates an answer without content.
    public static func status(_ code: Int) -> Answer { Answer(status: code) }

    /// Returns the answer with another field line.
    public func field(_ name: String, _ value: String) -> Answer {
        changed { $0.fields.append(FieldLine(name, .text(value))) }
    }

    /// Returns the answer with an entity tag, which conditional requests are compared with; its quotation marks are
    /// added, and a weak one begins with `W/`.
    public func eTag(_ tag: String) -> Answer {
        let (weak, opaque) = tag.hasPrefix("W/") ? ("W/", String(tag.dropFirst(2))) : ("", tag)
        let isQuoted = opaque.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
        return changed { $0.entityTag = .literal(weak + (isQuoted ? opaque : "\"\(opaque)\"")) }
    }

    /// Returns the answer with another directive, or several, of `Cache-Control`: `no-cache`.
    public func cacheControl(_ directives: String) -> Answer { field("Cache-Control", directives) }

    /// Returns the answer with a freshness lifetime: `max-age`, in whole seconds, in place of an earlier one.
    public func maxAge(_ lifetime: Duration) -> Answer {
        // `components` traps for longer durations.
        let seconds = min(max(lifetime, .zero), .seconds(Int64.max)).components.seconds
        return changed { $0.fields.removeAll(where: \.isMaxAge) }.cacheControl("max-age=\(seconds)")
    }

    /// Returns the answer with a modification time, which conditional requests are compared with:
    /// `.lastModified(.offset(.seconds(-3600)))`.
    public func lastModified(_ time: LastModified) -> Answer { changed { $0.lastModified = time } }

    /// Returns the answer with support of `Range`, by default for any ranges.
    public func servingRanges(_ support: RangeSupport = .offered) -> Answer {
        changed { $0.ranges = support }
    }

    /// Returns the answer with its content coded with gzip, by default where `Accept-Encoding` allows it.
    public func gzipped(_ mode: GzipMode = .offered) -> Answer { changed { $0.gzip = mode } }

    /// Returns the answer with its content sent at this many bytes per second.
    public func throttled(bytesPerSecond rate: Int) -> Answer { changed { $0.rate = rate } }

    /// Returns the answer held at a point until `MockServer.release()`, by default before its head.
    public func held(at point: HoldPoint = .head) -> Answer { changed { $0.hold = point } }

    /// Returns the answer with a time before its head is sent, on the server's clock.
    public func delayed(by duration: Duration) -> Answer { changed { $0.delay = duration } }

    /// Returns the answer with another fault, which happens after this many bytes of an event.
    ///
    /// An answer may have several: `.fault(.delay(by: .seconds(2)), at: .head).fault(.reset, at: .body, byte: 100)`. Those at the
    /// same byte happen in the order in which they were added.
    public func fault(_ action: FaultAction, at event: FaultEvent, byte: Int = 0) -> Answer {
        fault(Fault(action, at: event, byte: byte))
    }

    /// Returns the answer with another fault, such as one with conditions: `fault(try Fault(text: "reset@body:100 requests=1"))`.
    public func fault(_ fault: Fault) -> Answer { changed { $0.faults.append(fault) } }

    private func changed(_ change: (inout Answer) -> Void) -> Answer {
        var answer = self
        change(&answer)
        return answer
    }
}

extension FaultAction {
    /// Waits for a time, on the server's clock.
    public static func delay(by duration: Duration) -> FaultAction { .delay(RandomRange(duration)) }
}

extension FieldLine {
    /// Whether it is a line of `Cache-Control` that has `max-age` and no other directive.
    fileprivate var isMaxAge: Bool {
        guard name.lowercased() == "cache-control", case .text(let value) = value else { return false }
        return value.hasPrefix("max-age=") && !value.contains(",")
    }
}

extension Route {
    /// Creates a route for GET and HEAD, whose label is its path; it gives these answers, one after another, the last
    /// again and again; without any 200.
    public static func get(_ path: PathPattern, _ answers: Answer...) -> Route {
        made(["GET", "HEAD"], path, label: path.description, answers)
    }

    /// Creates a route for POST, whose label is `POST` and its path.
    public static func post(_ path: PathPattern, _ answers: Answer...) -> Route {
        made(["POST"], path, answers)
    }

    /// Creates a route for PUT, whose label is `PUT` and its path.
    public static func put(_ path: PathPattern, _ answers: Answer...) -> Route {
        made(["PUT"], path, answers)
    }

    /// Creates a route for DELETE, whose label is `DELETE` and its path.
    public static func delete(_ path: PathPattern, _ answers: Answer...) -> Route {
        made(["DELETE"], path, answers)
    }

    private static func made(
        _ methods: [String],
        _ path: PathPattern,
        label: String? = nil,
        _ answers: [Answer]
    ) -> Route {
        Route(
            label: label ?? "\(methods[0]) \(path.description)",
            path: path,
            methods: methods,
            answers: answers.isEmpty ? [Answer()] : answers
        )
    }
}
