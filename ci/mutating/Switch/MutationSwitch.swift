import Glibc

/// The mutant that is enabled: the number in the environment variable CACHECHECK_MUTANT; 0 where there is none.
private let enabled: Int32 = {
    guard let text = getenv("CACHECHECK_MUTANT") else { return 0 }
    return atoi(text)
}()

/// One byte for each mutant, shared with the file that CACHECHECK_MUTANT_COVERAGE names; nil without that variable.
nonisolated(unsafe) private let coverage: UnsafeMutablePointer<UInt8>? = {
    // Written by every thread, but only ever with the same value.
    guard let path = getenv("CACHECHECK_MUTANT_COVERAGE") else { return nil }
    let file = open(path, O_RDWR)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, status.st_size > 0 else { return nil }
    let memory = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return memory == MAP_FAILED ? nil : memory?.assumingMemoryBound(to: UInt8.self)
}()

/// Whether this mutant is enabled; notes that it was asked about.
public func mutated(_ mutant: Int32) -> Bool {
    if let coverage { coverage[Int(mutant)] = 1 }
    return mutant == enabled
}
