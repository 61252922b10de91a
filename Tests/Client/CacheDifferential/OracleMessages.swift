import CacheClient
import CacheOracle
import HTTPTypes

extension OracleRequest {
    /// A request as the cache sends it.
    init(_ request: TransportRequest) {
        let head = request.head
        self.init(
            method: head.method.rawValue,
            target: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")",
            fields: FieldSection(head.headerFields.map { ($0.name.rawName, $0.value) }),
            hasContent: request.body != nil
        )
    }
}

extension OracleResponse {
    /// A response as the cache delivers it.
    init(_ response: ClientResponse) {
        self.init(
            status: response.response.status.code,
            fields: FieldSection(response.response.headerFields.map { ($0.name.rawName, $0.value) }),
            content: response.body
        )
    }
}

extension HTTPFields {
    /// The field lines of a generated message.
    init(_ section: FieldSection) {
        self.init()
        for line in section.lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            append(HTTPField(name: name, value: line.value))
        }
    }
}
