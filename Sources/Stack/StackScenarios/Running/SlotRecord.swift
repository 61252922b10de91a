import Conformance
import ImageLoading
import Locks
import Scenarios

/// A slot of a scenario, with a record of everything it has shown and reported.
final class SlotRecord: Sendable {
    private struct State {
        var shown: [String] = []
        var completions: [String] = []
        var failure = ImageFailure.none
    }
    /// The side of the placeholder; no other image of a scenario has this size.
    private static let placeholderSide = 7
    /// The placeholder that is shown while an image loads.
    static let placeholder = PixelBuffer(
        size: PixelSize(width: placeholderSide, height: placeholderSide),
        red: 0,
        green: 0,
        blue: 0
    ).map { RasterImage($0) }
    let slot: ImageSlot
    private let state = Lock(State())

    init(_ slot: ImageSlot) {
        self.slot = slot
        slot.onChange { [weak self] image in self?.changed(image) }
    }

    private func changed(_ image: RasterImage?) {
        state.withLock { $0.shown.append(Self.name(of: image)) }
    }

    /// Records a completion of the load of a path.
    func completed(_ result: ImageResult, path: String) {
        state.withLock { state in
            state.completions.append(path)
            state.failure = result.error.map { ImageFailure($0) } ?? .none
        }
    }

    /// Returns an observation, in which `prefix` is removed from URLs.
    func observation(below prefix: String) -> SlotObservation {
        var seen = SlotObservation()
        seen.shows = Self.name(of: slot.image)
        seen.isBusy = slot.isBusy
        let url = slot.currentURL ?? ""
        seen.url = url.hasPrefix(prefix) ? String(url.dropFirst(prefix.count)) : url
        let state = state.withLock { $0 }
        (seen.shown, seen.completions, seen.failure) = (state.shown, state.completions, state.failure)
        return seen
    }

    /// Returns the name of an image: its size, which distinguishes images as the origin made them.
    private static func name(of image: RasterImage?) -> String {
        guard let image else { return "nothing" }
        let size = PixelExpectation(width: image.size.width, height: image.size.height)
        return size.width == placeholderSide && size.height == placeholderSide
            ? "placeholder" : size.description
    }
}
