import CacheStorage
import CLibrary

/// Survives the truncation of a memory-mapped file of the cache folder.
enum BusErrorHandler {
    /// Installs the handler.
    ///
    /// The only files that the program maps are those of a store, which detects an empty page in place of a lost one
    /// the store then finds damaged. Any other SIGBUS ends the program as before.
    static func install() {
        // So that the handler finds it initialised.
        _ = LostPages.count
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { _, info, _ in
            // The calls that are made here are system calls and an atomic addition.
            guard let info, info.pointee.si_code == Int32(BUS_ADRERR),
                let address = info.pointee._sifields._sigfault.si_addr
            else {
                signal(SIGBUS, SIG_DFL)
                return
            }
            let size = 4096
            let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: address) & ~UInt(size - 1))
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED
            guard mmap(page, size, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED else {
                signal(SIGBUS, SIG_DFL)
                return
            }
            LostPages.note()
        }
        action.sa_flags = SA_SIGINFO
        sigaction(SIGBUS, &action, nil)
    }
}
