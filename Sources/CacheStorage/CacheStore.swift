/// A memory tier over a disk tier.
public final class CacheStore: Sendable {
}
