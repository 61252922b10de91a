import Ccurl
import CacheSemantics

/// Trust policies in libcurl's form.
extension EasyHandle {
    /// Applies `trust` to all transfers from now on.
    func use(_ trust: TrustPolicy) {
        guard trust != settings.trust else { return }
        settings.trust = trust
        set(CURLOPT_SSL_VERIFYPEER, trust.verifiesChain ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, trust.checksHostName ? 2 : 0)
        // The system's authorities only apply if the policy names none.
        let system = trust.authorities == nil ? SystemAuthorities.known : nil
        set(trust.authorities, CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB, system: system?.file)
        _ = cachecheck_set_text(raw, CURLOPT_CAPATH, system?.folder)
        _ = cachecheck_set_text(raw, CURLOPT_PINNEDPUBLICKEY, CurlPin.text(of: trust))
        set(CURLOPT_CERTINFO, trust.certificatePins.isEmpty ? 0 : 1)
        // A resumed session presents no certificate that could be compared.
        set(CURLOPT_SSL_SESSIONID_CACHE, trust.certificatePins.isEmpty ? 1 : 0)
        use(trust.identity)
    }

    private func use(_ identity: TrustPolicy.ClientIdentity?) {
        var (certificate, key, password): (TrustPolicy.Material?, TrustPolicy.Material?, String?)
        var type = "PEM"
        switch identity {
        case nil: break
        case .pem(let ownCertificate, let ownKey, let ownPassword):
            (certificate, key, password) = (ownCertificate, ownKey, ownPassword)
        case .pkcs12(let bundle, let bundlePassword):
            (certificate, password, type) = (bundle, bundlePassword, "P12")
        }
        set(certificate, CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB)
        set(key, CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB)
        _ = cachecheck_set_text(raw, CURLOPT_SSLCERTTYPE, type)
        _ = cachecheck_set_text(raw, CURLOPT_KEYPASSWD, password)
    }

    private func set(
        _ material: TrustPolicy.Material?,
        _ pathOption: CURLoption,
        _ blobOption: CURLoption,
        system: String? = nil
    ) {
        _ = cachecheck_set_blob(raw, blobOption, nil, 0)
        switch material {
        case nil: _ = cachecheck_set_text(raw, pathOption, system)
        case .file(let path): _ = cachecheck_set_text(raw, pathOption, path)
        case .bytes(let bytes):
            _ = cachecheck_set_text(raw, pathOption, nil)
            _ = cachecheck_set_blob(raw, blobOption, bytes, bytes.count)
        }
    }

    /// Whether the certificate that a new connection has presented is one of those that are pinned.
    ///
    /// A reused connection was opened by a transfer with the same pins.
    var holdsPinnedCertificate: Bool {
        guard let pins = settings.trust?.certificatePins, !pins.isEmpty else { return true }
        if isReusedConnection { return true }
        guard let text = cachecheck_get_certificate(raw) else { return false }
        guard let der = PinnedCertificate.der(ofPEM: String(cString: text)) else { return false }
        return pins.contains { $0.der == der }
    }

    /// OpenSSL's verdict on the chain (its `X509_V_ERR_` numbers); 0 if there is none.
    var chainVerdict: Int { cachecheck_get_long(raw, CURLINFO_SSL_VERIFYRESULT) }
}
