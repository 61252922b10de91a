// Programs that are linked statically with Swift, such as those of `ci/differential`, have no library of tests.
#if canImport(Testing)
    import Locks
    package import Testing

    /// Runs tests that block their threads on threads outside of Swift's executor.
    ///
    /// That executor has one thread for each processor. A test that blocks one of them delays every test that is suspended,
    /// on a busy machine beyond the time limits of servers and clients.
    package struct BlockingTests: TestTrait, SuiteTrait, TestScoping {
        package let isRecursive = true

        package func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
        }
    }

    extension Trait where Self == BlockingTests {
        /// Tests block their threads: they wait for sockets, processes or files, or compute for long.
        package static var blocking: Self { Self() }
    }

    /// An executor for jobs that may block: a job that finds no idle thread gets a new one.
    package final class BlockingExecutor: TaskExecutor {
        package static let shared = BlockingExecutor()

        private struct State {
            var jobs: [UnownedJob] = []
            var idleThreads = 0
        }
        private let state = Monitor(State())

        package func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isServed = state.withLock { state in
                state.jobs.append(job)
                return state.jobs.count <= state.idleThreads
            }
            if isServed { state.wakeOne() } else { startThread { self.run() } }
        }

        private func run() {
            while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
        }

        private func next() -> UnownedJob {
            state.withLock { $0.idleThreads += 1 }
            return state.wait { state, _ in
                guard !state.jobs.isEmpty else { return .wait() }
                state.idleThreads -= 1
                return .done(state.jobs.removeFirst())
            }
        }
    }
#endif
