import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios

extension StackReading {
    /// Reads an image load and its expected outcome.
    func image(_ node: YAMLNode, expect: YAMLNode?) -> ImageStep? {
        guard let map = MapReader<ImageKey>(node, problems) else { return nil }
        let path = Reader(expected: "an absolute path, or an empty text for an empty URL") { scalar in
            scalar.text.isEmpty || scalar.text.hasPrefix("/") ? scalar.text : nil
        }
        guard let path = map.required(.path, path) else { return nil }
        var step = ImageStep(path: path, position: node.position)
        step.asksOtherHost = map.optional(.host, Reader.word(of: ["first", "other"])) == "other"
        map.set(&step.fields, .fields, FieldLine.listReader)
        map.set(&step.options, .options, Reader<ImageOption>.choice.oneOrMore())
        map.set(&step.priority, .priority, Reader.word(of: ["low", "normal", "high"]))
        map.set(&step.policy, .policy, ScenarioReading.policy)
        step.timing = timing(map, profiles: Self.imageProfile)
        return expecting(expect, step, of: .image, imageExpectation)
    }

    /// Reads a profile; SJNetwork is excluded, because it has no images.
    private static var imageProfile: Reader<StackProfile> {
        .choice(of: StackProfile.allCases.filter { $0 != .sjNetwork })
    }

    /// Reads the expected outcome of an image load.
    func imageExpectation(_ node: YAMLNode) -> ImageExpectation? {
        guard let map = MapReader<ImageExpectKey>(node, problems) else { return nil }
        let source = Reader.choice(of: [Provenance.memory, .disk, .origin])
        var expectation = ImageExpectation()
        expectation.sources = map.located(.source, source.oneOrMore())
        expectation.type = map.located(.type, Reader.word(of: ["jpeg", "png"]))
        expectation.pixels = map.located(.pixels, PixelExpectation.reader)
        expectation.isPresent = map.located(.image, .bool)
        expectation.error = map.located(.error, ImageFailure.reader)
        expectation.deliveries = map.located(.deliveries, ScenarioReading.comparison(of: .number))
        expectation.isNotModified = map.located(.notModified, .bool)
        expectation.milestones = map.located(.milestones, Reader.word(of: Self.milestones).list())
        expectation.took = map.located(.took, ScenarioReading.seconds)
        return expectation
    }

    /// The milestones of a load, in their order.
    private static let milestones = [
        "validated", "memoryQueried", "diskQueried", "downloadBegun", "decoded", "storedInMemory",
        "storedOnDisk", "delivered",
    ]

    /// Reads an action on a slot and its expected state.
    func slot(_ node: YAMLNode, expect: YAMLNode?) -> SlotStep? {
        guard let map = MapReader<SlotKey>(node, problems), let name = map.required(.name, .text) else {
            return nil
        }
        var step = SlotStep(name: name)
        step.profile = map.optional(.profile, Self.imageProfile)
        map.set(&step.hasPlaceholder, .placeholder, .bool)
        map.set(&step.hasCompletion, .completion, .bool)
        let actions = map.keys.filter { [.show, .cancel, .release].contains($0) }
        refuseSeveral(actions.count, on: "a slot", at: map.position)
        if let show = map[.show] { step.action = .show(self.show(show, map)) }
        if map.optional(.cancel, .bool) == true { step.action = .cancel }
        if map.optional(.release, .bool) == true { step.action = .release }
        guard let expect, let wanted = MapReader<SlotExpectKey>(expect, problems) else { return step }
        step.shows = wanted.located(.shows, Self.shown)
        step.shown = wanted.located(.shown, Self.shown.list())
        step.isBusy = wanted.located(.busy, .bool)
        step.url = wanted.located(.url, .text)
        step.completions = wanted.located(.completions, Reader.text.list())
        step.error = wanted.located(.error, ImageFailure.reader)
        return step
    }

    private func show(_ node: YAMLNode, _ map: MapReader<SlotKey>) -> ImageStep? {
        guard !node.isNull, node.scalarText != "none" else { return nil }
        guard let path = Reader.fetchPath.read(node, problems) else { return nil }
        var image = ImageStep(path: path, position: node.position)
        map.set(&image.options, .options, Reader<ImageOption>.choice.oneOrMore())
        map.set(&image.fields, .fields, FieldLine.listReader)
        return image
    }

    private static var shown: Reader<String> {
        Reader(expected: "a size such as 2x1, placeholder, or nothing") { scalar in
            if scalar.text == "placeholder" || scalar.text == "nothing" { return scalar.text }
            return PixelExpectation(scalar.text)?.description
        }
    }

    /// Reads an action on the image caches and their expected state.
    func images(_ node: YAMLNode, expect: YAMLNode?) -> ImagesStep? {
        var step = ImagesStep()
        guard let map = MapReader<ImagesKey>(node.orEmptyMap, problems) else { return nil }
        step.profile = map.optional(.profile, Self.imageProfile)
        step.action = map.optional(.do, Reader<ImagesStep.Action>.choice)
        guard let expect, let wanted = MapReader<ImagesExpectKey>(expect, problems) else { return step }
        step.running = wanted.located(.running, ScenarioReading.comparison(of: .number))
        step.failed = wanted.located(.failed, ScenarioReading.comparison(of: .number))
        step.files = wanted.located(.files, ScenarioReading.comparison(of: .number))
        return step
    }
}

extension PixelExpectation {
    /// Parses a size such as `2x1`; `nil` for anything else.
    init?(_ text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
            return nil
        }
        self.init(width: width, height: height)
    }

    fileprivate static var reader: Reader<PixelExpectation> {
        Reader(expected: "a size such as 640x480") { PixelExpectation($0.text) }
    }
}

extension ImageFailure {
    /// Reads a name, a code, or a status.
    fileprivate static var reader: Reader<ImageFailure> {
        Reader { node, problems in
            if let code = node.scalarText.flatMap({ Int($0) }) {
                return code == 0 ? ImageFailure.none : .url(code)
            }
            let own = names.first { $0.name == node.scalarText }
            if let own { return .image(own.code) }
            let words = Reader.word(of: names.map(\.name) + ErrorCode.names.map(\.name))
            return words.read(node, problems).flatMap(ErrorCode.code).map {
                $0 == 0 ? ImageFailure.none : .url($0)
            }
        }
    }
}
