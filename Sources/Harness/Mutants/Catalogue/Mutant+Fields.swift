import CacheSemantics
import HTTPTypes

extension Mutant {
    /// The fields that are stored, and their updates (RFC 9111 §3.1, §3.2).
    static let ofFields: [Mutant] = [
        Mutant(
            "unknown-fields-dropped",
            "Only known fields are stored",
            [.storeAllFields],
            documents: ["http.headers-carry-metadata"],
            EngineDefect.putting { stored, _ in
                stored.changing { fields in
                    for name in fields.map(\.name) where name.canonicalName.hasPrefix("x-") {
                        fields[name] = nil
                    }
                }
            }
        ),
        Mutant(
            "repeated-fields-dropped",
            "Only the first of several lines of a field is stored",
            [.storeAllFields],
            EngineDefect.putting { stored, _ in
                stored.changing { fields in
                    var kept = HTTPFields()
                    for field in fields where !kept.contains(field.name) { kept.append(field) }
                    fields = kept
                }
            }
        ),
        Mutant(
            "connection-fields-kept",
            "Fields that Connection lists are stored",
            [.dropConnectionFields],
            remembering { fields in
                let listed = ListField.members(of: fields[values: .connection])
                return listed.compactMap { HTTPField.Name($0) }
            }
        ),
        Mutant(
            "hop-by-hop-fields-kept",
            "Fields that concern one connection are stored",
            [.dropHopByHopFields],
            remembering { _ in FieldNames.hopByHop }
        ),
        Mutant(
            "proxy-fields-kept",
            "Fields that concern a proxy are stored",
            [.dropProxyFields],
            remembering { _ in FieldNames.ofProxy }
        ),
        Mutant(
            "no-cache-fields-kept",
            "Fields that a qualified no-cache lists are stored and used",
            [.dropNoCacheFields, .responseNoCacheFields],
            EngineDefect.directives { _, member in
                member.name == "no-cache" && member.argument != nil ? [] : nil
            }
        ),
        Mutant(
            "private-fields-kept",
            "A shared cache stores the fields that a qualified private lists",
            [.dropPrivateFields, .responsePrivateFields],
            EngineDefect.directives { head, member in
                head.kind == .shared && member.name == "private" && member.argument != nil ? [] : nil
            }
        ),
        Mutant(
            "304-fields-not-merged",
            "A 304 updates the stored response's times, but not its fields",
            [.updateReplacesFields],
            EngineDefect.freshening { updated, exchanged in
                let old = exchanged.stored(in: updated)
                return updated.changing { fields in
                    let date = fields[.date]
                    fields = old?.response.headerFields ?? fields
                    fields[.date] = date
                }
            }
        ),
        Mutant(
            "update-forgets-others",
            "A 304 replaces all fields, so fields that it lacks are lost",
            [.updateKeepsOtherFields],
            EngineDefect.freshening { updated, exchanged in
                updated.changing { fields in
                    for name in fields.map(\.name) where exchanged.response?.headerFields[name] == nil {
                        fields[name] = nil
                    }
                }
            }
        ),
        Mutant(
            "update-takes-length",
            "A 304 changes Content-Length",
            [.updateKeepsContentLength],
            taking([.contentLength])
        ),
        Mutant(
            "update-takes-coding",
            "A 304 changes Content-Encoding and Content-Range",
            [.updateKeepsContentFraming],
            taking([.contentEncoding, .contentRange])
        ),
        Mutant(
            "update-takes-connection-fields",
            "A 304 adds fields that its Connection lists, and fields of the connection",
            [.updateSkipsUnstoredFields],
            EngineDefect.freshening { updated, exchanged in
                guard let new = exchanged.response?.headerFields else { return updated }
                let listed = ListField.members(of: new[values: .connection])
                let names = listed.compactMap { HTTPField.Name($0) } + FieldNames.hopByHop
                return updated.taking(names, from: new)
            }
        ),
    ]

    /// Returns a defect that stores fields which the engine omits.
    private static func remembering(
        _ names: @escaping @Sendable (HTTPFields) -> [HTTPField.Name]
    ) -> EngineDefect {
        EngineDefect.putting { stored, exchanged in
            guard let fields = exchanged.response?.headerFields else { return stored }
            return stored.taking(names(fields), from: fields)
        }
    }

    /// Returns a defect that takes fields from a 304 which the engine ignores.
    private static func taking(_ names: [HTTPField.Name]) -> EngineDefect {
        EngineDefect.freshening { updated, exchanged in
            guard let fields = exchanged.response?.headerFields else { return updated }
            return updated.taking(names, from: fields)
        }
    }
}

extension StoredResponse {
    /// Returns this stored response with the values of those of the fields that `other` has.
    fileprivate func taking(_ names: [HTTPField.Name], from other: HTTPFields) -> StoredResponse {
        changing { fields in
            for name in names where other.contains(name) { fields[values: name] = other[values: name] }
        }
    }
}

extension Exchanged {
    /// Returns the stored response that an update replaces.
    func stored(in updated: StoredResponse) -> StoredResponse? {
        planned.stored.first { $0.variant == updated.variant }
    }
}
