import CacheSemantics
import PublicSuite

extension SuiteCall {
    /// The policy that comes closest to a cache mode of the Fetch standard.
    var policy: RequestCachePolicy? {
        switch cacheMode {
        case "reload", "no-store": .reloadIgnoringLocalCacheData
        case "no-cache": .reloadRevalidatingCacheData
        case "force-cache": .returnCacheDataElseLoad
        case "only-if-cached": .returnCacheDataDontLoad
        default: nil
        }
    }
}
