import CacheSemantics
import CacheStorage
import Conformance
import HTTPTypes

extension Mutant {
    /// Selecting header fields (RFC 9111 §4.1).
    static let ofVary: [Mutant] = [
        Mutant(
            "vary-ignored",
            "Vary is ignored",
            [.varyMatches],
            documents: ["http.vary"],
            EngineDefect.fields(at: [.planning]) { fields, _ in fields[.vary] = nil }
        ),
        Mutant(
            "vary-star-ignored",
            "The member * of Vary is ignored",
            [.varyStarNeverMatches],
            nominating { names, _, _ in names.filter { $0 != "*" } }
        ),
        Mutant(
            "absent-matches-anything",
            "A nominated field that one of the requests lacks is not compared",
            [.varyAbsentMatchesAbsent],
            nominating { names, stored, request in
                names.filter { name in
                    guard let name = HTTPField.Name(name) else { return true }
                    return stored.selectingFields.contains(name) && request.headerFields.contains(name)
                }
            }
        ),
        Mutant(
            "first-vary-line-only",
            "Only the first of several Vary lines is used",
            [.varyNameCase, .varyMatches],
            EngineDefect.fields(at: [.planning]) { fields, _ in fields[.vary] = fields[values: .vary].first }
        ),
        Mutant(
            "vary-case-sensitive",
            "The names in Vary are compared case-sensitively",
            [.varyNameCase],
            nominating { names, stored, request in
                let known = (stored.selectingFields.map(\.name) + request.headerFields.map(\.name)).map(
                    \.rawName
                )
                return names.filter { known.contains($0) || $0 == "*" }
            }
        ),
        Mutant(
            "first-selecting-line-only",
            "Only the first of several lines of a nominated field is compared",
            [.varyLinesCombined],
            EngineDefect.asked(at: [.planning]) { request in
                for name in request.headerFields.map(\.name) where name != .cacheControl {
                    request.headerFields[name] = request.headerFields[values: name].first
                }
            }
        ),
        Mutant(
            "selecting-fields-compared-raw",
            "Nominated fields are compared byte for byte",
            [.varyWhitespaceNormalised, .varyPreferences],
            EngineDefect.serving { reuse, question in
                let asked = question.request.headerFields
                let isSame = reuse.stored.vary.names.allSatisfy { name in
                    asked[values: name] == reuse.stored.selectingFields[values: name]
                }
                return isSame ? nil : .forward(question.request)
            }
        ),
        Mutant(
            "quality-ignored",
            "Quality values are ignored when preferences are compared",
            [.varyQuality],
            EngineDefect(
                request: { request, _ in
                    var request = request
                    request.headerFields = request.headerFields.withoutQuality
                    return request
                },
                stored: { stored, _ in stored.with(\.selectingFields, stored.selectingFields.withoutQuality)
                },
                stages: [.planning]
            )
        ),
        Mutant(
            "one-variant-only",
            "A variant replaces all others of its target",
            [.variantsSideBySide],
            changingEntries { entry, base in
                for located in base.entries(for: entry.stored.key).entries {
                    let variant = located.entry.stored.variant
                    if variant != entry.stored.variant { base.remove(entry.stored.key, variant) }
                }
            }
        ),
        Mutant(
            "without-vary-preferred",
            "A stored response without Vary is preferred to one with a matching Vary",
            [.varyPreferredOverNone],
            EngineDefect.serving { _, question in
                servedFirst(question.stored.filter(\.vary.isEmpty), question)
            }
        ),
    ]

    /// Returns a defect that changes the members of Vary.
    private static func nominating(
        _ change: @escaping @Sendable ([String], StoredResponse, HTTPRequest) -> [String]
    ) -> EngineDefect {
        EngineDefect.stored(at: [.planning]) { stored, request in
            let names = ListField.members(of: stored.response.headerFields[values: .vary])
            let left = change(names, stored, request)
            guard left != names else { return stored }
            return stored.changing { $0[.vary] = left.isEmpty ? nil : left.joined(separator: ", ") }
        }
    }

    /// Returns a decoration with another store.
    static func storing(_ store: @escaping @Sendable (any ResponseStore) -> any ResponseStore) -> Decoration {
        var decoration = Decoration()
        decoration.store = store
        return decoration
    }

    /// Returns a decoration whose store changes each entry before it is stored.
    static func changingEntries(_ change: @escaping EntryChangingStore.StoredChange) -> Decoration {
        storing { EntryChangingStore($0, stored: change) }
    }

    /// Returns a decoration whose store changes each entry that a lookup finds, or hides it.
    static func changingFound(_ change: @escaping EntryChangingStore.FoundChange) -> Decoration {
        storing { EntryChangingStore($0, found: change) }
    }
}

extension HTTPFields {
    /// The fields without the quality values of preferences.
    fileprivate var withoutQuality: HTTPFields {
        var fields = self
        for name in FieldNames.preferences where contains(name) {
            let members = ListField.members(of: self[values: name])
            fields[name] = members.map { String($0.prefix { $0 != ";" }) }.joined(separator: ", ")
        }
        return fields
    }
}
