extension String {
    /// The 64-bit FNV-1a hash, which is the same on every machine, unlike that of `Hasher`.
    ///
    /// Its high bits are mixed into the low ones, on which a remainder depends.
    package var stableHash: UInt64 {
        let value = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return value ^ value >> 32
    }
}
