/// What lets a scenario's time pass and waits for what happens in it.
protocol ScenarioClockDriver {
    /// Raised by everything that could end a wait.
    var signal: Signal { get }
    /// Waits until `isDone`.
    func wait(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem)
    /// Waits until nothing can happen by itself.
    func settle() throws(HarnessProblem)
    /// Lets so much time pass.
    func advance(by duration: Duration) throws(HarnessProblem)
    /// Sets the wall clock alone.
    func jumpWall(by duration: Duration)
}
