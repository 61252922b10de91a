import LocatedYAML
import OriginScript
import Scenarios
import StackScenarios
import Testing
import TestSupport

@Suite("The JSON Schema of scenario files")
struct SchemaTests {
    @Test("The schema and the decoder know the same keys")
    func keys() throws {
        let text = try String(readingFile: packageFolder + "/scenarios/schema.json")
        // JSON is YAML.
        let schema = try YAMLNode.parse(text, file: "schema.json")
        let definitions = try #require(schema.value(of: "$defs")?.pairs)
        var known = ["": Self.names(of: SuiteKey.self)]
        known.merge(Self.known) { first, _ in first }
        #expect(Self.names(in: schema) == known[""])
        for pair in definitions where pair.value.value(of: "properties") != nil {
            #expect(Self.names(in: pair.value) == known[pair.key], "\(pair.key)")
        }
        let defined = Set(definitions.filter { $0.value.value(of: "properties") != nil }.map(\.key))
        #expect(defined == Set(known.keys.filter { !$0.isEmpty }))
    }

    @Test("The schema and the decoder know the same violations")
    func violations() throws {
        let text = try String(readingFile: packageFolder + "/scenarios/schema.json")
        let schema = try YAMLNode.parse(text, file: "schema.json")
        let definition = schema.value(of: "$defs")?.value(of: "violation")?.value(of: "enum")
        #expect(definition?.elements?.compactMap(\.scalarText) == Violation.allCases.map(\.rawValue))
    }

    private static let known: [String: Set<String>] = [
        "defaults": names(of: DefaultsKey.self).union(["stack"]),
        "scenario": names(of: ScenarioKey.self).union(["stack"]), "stackStep": stackKinds,
        "client": names(of: ClientKey.self), "hook": names(of: HookKey.self),
        "stepMap": names(of: StepKey.self).union(["stack"]), "request": names(of: RequestKey.self),
        "requestBody": names(of: RequestBodyKey.self), "lookup": names(of: LookupKey.self),
        "store": names(of: StoreKey.self), "repeat": names(of: RepeatKey.self),
        "advance": names(of: AdvanceKey.self), "cacheAction": names(of: CacheActionKey.self),
        "resize": names(of: ResizeKey.self), "originAction": names(of: OriginActionKey.self),
        "usage": names(of: UsageKey.self), "expect": names(of: ExpectKey.self),
        "originSaw": names(of: OriginSawKey.self), "recordedRequest": names(of: RecordedRequestKey.self),
        "expectedBody": names(of: ExpectedBodyKey.self), "comparison": names(of: ComparisonKey.self),
        "expectedValueMap": names(of: ExpectedValueKey.self), "cacheStatus": names(of: CacheStatusKey.self),
        "route": names(of: RouteKey.self), "answer": names(of: AnswerKey.self),
        "interim": names(of: InterimKey.self), "body": names(of: BodyKey.self),
        "moment": names(of: MomentKey.self), "valueCondition": names(of: ValueMatchKey.self),
        "bodyMatch": names(of: BodyMatchKey.self), "credentials": names(of: CredentialsKey.self),
        "citation": names(of: CitationKey.self),
        "trust": names(of: TrustKey.self), "changes": names(of: ChangesKey.self),
        "cookie": names(of: CookieKey.self),
        "gzip": names(of: GzipKey.self), "faultMap": names(of: FaultKey.self),
        "faultAction": names(of: FaultActionKey.self), "networkProfile": names(of: NetworkKey.self),
        "stack": names(of: StackKey.self), "retry": names(of: RetryKey.self),
        "reference": names(of: ReferenceKey.self), "fetch": names(of: FetchKey.self),
        "fetchExpect": names(of: FetchExpectKey.self), "chain": names(of: ChainKey.self),
        "batch": names(of: BatchKey.self), "groupExpect": names(of: GroupExpectKey.self),
        "download": names(of: DownloadKey.self), "downloadExpect": names(of: DownloadExpectKey.self),
        "progress": names(of: ProgressKey.self), "downloads": names(of: DownloadsKey.self),
        "downloadsExpect": names(of: DownloadsExpectKey.self), "part": names(of: PartKey.self),
        "upload": names(of: UploadKey.self), "uploadItem": names(of: UploadItemKey.self),
        "uploadExpect": names(of: UploadExpectKey.self), "formPart": names(of: FormPartKey.self),
        "pool": names(of: PoolKey.self), "poolCancel": names(of: PoolCancelKey.self),
        "poolExpect": names(of: PoolExpectKey.self), "files": names(of: FilesKey.self),
        "filesExpect": names(of: FilesExpectKey.self), "imageSettings": names(of: ImageSettingKey.self),
        "image": names(of: ImageKey.self), "imageExpect": names(of: ImageExpectKey.self),
        "slot": names(of: SlotKey.self), "slotExpect": names(of: SlotExpectKey.self),
        "images": names(of: ImagesKey.self), "imagesExpect": names(of: ImagesExpectKey.self),
    ]

    private static var stackKinds: Set<String> {
        let kinds = (try? ScenarioLanguage.withStack())?.kinds(below: "stack") ?? []
        return Set(kinds.map(\.key)).union(["expect"])
    }

    private static func names<Key: MapKey>(of keys: Key.Type) -> Set<String> {
        Set(Key.allCases.map(\.rawValue))
    }

    private static func names(in node: YAMLNode) -> Set<String> {
        Set((node.value(of: "properties")?.pairs ?? []).map(\.key))
    }
}
