package import HTTPServing
package import OriginScript

/// A reply that is composed from an answer without a server.
package struct ComposedAnswer: Sendable {
    /// The status that is sent.
    package let status: Int
    /// The bytes and waits.
    package let steps: [RawReply.Step]
    /// The state of the connection afterwards.
    package let ending: RawReply.Ending

    /// The inputs of the composition, besides the request.
    package struct Inputs: Sendable {
        package var wallSeconds: Double
        package var startedAt: Double
        package var elapsedSeconds: Double
        /// Folder of the files that answers name; `nil` is none.
        package var folder: String?
        /// The hold that stalled responses wait for.
        package var stall: Hold

        package init(
            wallSeconds: Double,
            startedAt: Double,
            elapsedSeconds: Double,
            folder: String?,
            stall: Hold
        ) {
            self.wallSeconds = wallSeconds
            self.startedAt = startedAt
            self.elapsedSeconds = elapsedSeconds
            self.folder = folder
            self.stall = stall
        }
    }

    /// Composes the reply to a request that a script has chosen the answer for; `faults` are resolved.
    package init(
        _ answer: Answer,
        to request: ServedRequest,
        _ selection: Script.Selection,
        faults: [Fault],
        _ inputs: Inputs
    ) {
        let context = AnswerContext(
            request: request,
            now: HTTPTimestamp(wallSeconds: inputs.wallSeconds),
            startedAt: HTTPTimestamp(wallSeconds: inputs.startedAt),
            count: selection.count,
            elapsedSeconds: inputs.elapsedSeconds,
            parameters: selection.route.parameters(of: RoutedRequest(request))
        )
        let reply = ComposedReply.compose(
            answer,
            context,
            ContentStore(folder: inputs.folder),
            stall: inputs.stall,
            faults: faults
        )
        status = reply.finalStatus ?? reply.head.status
        steps = reply.rendered()
        ending = reply.ending
    }
}
