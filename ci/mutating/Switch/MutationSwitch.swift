import Glibc

// The mutated code asks for its mutants millions of times a second. So these are globals with constant initial values, which no
// thread has to wait for, and targets.swift compiles them without checks of exclusive access.

/// Whether the environment has been read.
nonisolated(unsafe) private var isReady = false
// Only ever becomes true, and what is then set is the same on every thread.

/// The mutant that is enabled; 0 for none.
nonisolated(unsafe) private var enabled: Int32 = 0
// Written by the worker between two trials, while no other thread runs mutated code.

/// One byte for each mutant, shared with the file that CACHECHECK_MUTANT_COVERAGE names; nil without that variable.
nonisolated(unsafe) private var coverage: UnsafeMutablePointer<UInt8>?
// Written by every thread, but only ever with the same value.

/// The number of bytes of `coverage`.
nonisolated(unsafe) private var coverageCount = 0
// Set with `coverage`.

/// Whether this mutant is enabled; notes that it was asked about.
public func mutated(_ mutant: Int32) -> Bool {
    if !isReady { readEnvironment() }
    if let coverage { coverage[Int(mutant)] = 1 }
    return mutant == enabled
}

/// Enables this mutant instead of another; 0 enables none.
public func enableMutant(_ mutant: Int32) {
    if !isReady { readEnvironment() }
    enabled = mutant
}

/// Returns the mutants that were asked about since the last call, ascending; none without the file.
public func takeCoverage() -> [Int] {
    if !isReady { readEnvironment() }
    guard let coverage else { return [] }
    let bytes = UnsafeMutableBufferPointer(start: coverage, count: coverageCount)
    let found = bytes.indices.filter { bytes[$0] != 0 }
    bytes.update(repeating: 0)
    return found
}

/// Enables the mutant of the environment variable CACHECHECK_MUTANT, and opens the file of the coverage.
@inline(never)
private func readEnvironment() {
    if let text = getenv("CACHECHECK_MUTANT") { enabled = atoi(text) }
    if let path = getenv("CACHECHECK_MUTANT_COVERAGE") {
        let file = open(path, O_RDWR)
        var status = stat()
        if file >= 0, fstat(file, &status) == 0, status.st_size > 0 {
            let memory = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            if memory != MAP_FAILED, let memory {
                coverageCount = Int(status.st_size)
                coverage = memory.assumingMemoryBound(to: UInt8.self)
            }
        }
    }
    isReady = true
}
