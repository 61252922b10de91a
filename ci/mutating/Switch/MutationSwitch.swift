import Glibc

/// The mutant that is enabled; 0 for none.
///
/// At first it is the number in the environment variable CACHECHECK_MUTANT. It is behind a pointer, so that reading it costs no check of exclusive access. Only the worker writes it, between two trials.
nonisolated(unsafe) private let enabled: UnsafeMutablePointer<Int32> = {
    // Written while no scenario runs.
    let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    place.initialize(to: getenv("CACHECHECK_MUTANT").map { atoi($0) } ?? 0)
    return place
}()

/// One byte for each mutant, shared with the file that CACHECHECK_MUTANT_COVERAGE names; nil without that variable.
nonisolated(unsafe) private let coverage: UnsafeMutableBufferPointer<UInt8>? = {
    // Written by every thread, but only ever with the same value.
    guard let path = getenv("CACHECHECK_MUTANT_COVERAGE") else { return nil }
    let file = open(path, O_RDWR)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, status.st_size > 0 else { return nil }
    let memory = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard memory != MAP_FAILED, let memory else { return nil }
    return UnsafeMutableBufferPointer(
        start: memory.assumingMemoryBound(to: UInt8.self),
        count: Int(status.st_size)
    )
}()

/// Whether this mutant is enabled; notes that it was asked about.
public func mutated(_ mutant: Int32) -> Bool {
    if let coverage { coverage[Int(mutant)] = 1 }
    return mutant == enabled.pointee
}

/// Enables this mutant instead of another; 0 enables none.
public func enableMutant(_ mutant: Int32) { enabled.pointee = mutant }

/// Returns the mutants that were asked about since the last call, ascending; none without the file.
public func takeCoverage() -> [Int] {
    guard let coverage else { return [] }
    let found = coverage.indices.filter { coverage[$0] != 0 }
    coverage.update(repeating: 0)
    return found
}
