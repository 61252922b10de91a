import MockOrigin

/// Lets a scenario's time pass and waits for events.
protocol ScenarioClockDriver {
    /// Raised by everything that could end a wait.
    var signal: Signal { get }
    /// Waits until `isDone`.
    func wait(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem)
    /// Waits until nothing can happen unless the clock moves.
    func settle() throws(HarnessProblem)
    /// Lets `duration` pass.
    func advance(by duration: Duration) throws(HarnessProblem)
    /// Sets only the wall clock.
    func jumpWall(by duration: Duration)
    /// Waits until the origin has recorded the end of every exchange that the subject has seen end.
    func awaitRest(of namespace: OriginNamespace)
    /// The moves of the clock so far.
    var clockMoves: [ClockMove] { get }
}
