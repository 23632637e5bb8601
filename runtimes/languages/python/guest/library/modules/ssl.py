"""Settings of TLS, for programs and packages that make them before they connect. There is no network
here, so no connection is ever made, and the parts that need one raise OSError."""

import errno
import socket as _socket
import warnings as _warnings
from base64 import standard_b64decode as _decode, standard_b64encode as _encode
from collections import namedtuple
from enum import Enum, IntEnum, IntFlag
from os import urandom as _urandom

socket_error = OSError
SOCK_STREAM, create_connection = _socket.SOCK_STREAM, _socket.create_connection
OPENSSL_VERSION = "no OpenSSL: there is no network here"
OPENSSL_VERSION_INFO = _OPENSSL_API_VERSION = (3, 0, 0, 0, 0)
OPENSSL_VERSION_NUMBER = 0x30000000
HAS_SNI = HAS_ALPN = HAS_ECDH = HAS_TLSv1_2 = HAS_TLSv1_3 = HAS_NEVER_CHECK_COMMON_NAME = True
HAS_NPN = HAS_SSLv2 = HAS_SSLv3 = HAS_TLSv1 = HAS_TLSv1_1 = HAS_PSK = HAS_PHA = False
CHANNEL_BINDING_TYPES = []
PEM_HEADER, PEM_FOOTER = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"


class _SSLMethod(IntEnum):
    PROTOCOL_TLS = 2
    PROTOCOL_SSLv23 = 2
    PROTOCOL_TLSv1_2 = 5
    PROTOCOL_TLS_CLIENT = 16
    PROTOCOL_TLS_SERVER = 17


class TLSVersion(IntEnum):
    MINIMUM_SUPPORTED = -2
    SSLv3 = 768
    TLSv1 = 769
    TLSv1_1 = 770
    TLSv1_2 = 771
    TLSv1_3 = 772
    MAXIMUM_SUPPORTED = -1


class Options(IntFlag):
    OP_ALL = 0x80000050
    OP_NO_SSLv2 = 0
    OP_NO_SSLv3 = 0x02000000
    OP_NO_TLSv1 = 0x04000000
    OP_NO_TLSv1_1 = 0x10000000
    OP_NO_TLSv1_2 = 0x08000000
    OP_NO_TLSv1_3 = 0x20000000
    OP_CIPHER_SERVER_PREFERENCE = 0x00400000
    OP_SINGLE_DH_USE = 0
    OP_SINGLE_ECDH_USE = 0
    OP_NO_COMPRESSION = 0x00020000
    OP_NO_TICKET = 0x00004000
    OP_NO_RENEGOTIATION = 0x40000000
    OP_ENABLE_MIDDLEBOX_COMPAT = 0x00100000
    OP_IGNORE_UNEXPECTED_EOF = 0x00000080
    OP_LEGACY_SERVER_CONNECT = 0x00000004


class VerifyMode(IntEnum):
    CERT_NONE = 0
    CERT_OPTIONAL = 1
    CERT_REQUIRED = 2


class VerifyFlags(IntFlag):
    VERIFY_DEFAULT = 0
    VERIFY_CRL_CHECK_LEAF = 0x4
    VERIFY_CRL_CHECK_CHAIN = 0xC
    VERIFY_X509_STRICT = 0x20
    VERIFY_ALLOW_PROXY_CERTS = 0x40
    VERIFY_X509_TRUSTED_FIRST = 0x8000
    VERIFY_X509_PARTIAL_CHAIN = 0x80000


class SSLErrorNumber(IntEnum):
    SSL_ERROR_SSL = 1
    SSL_ERROR_WANT_READ = 2
    SSL_ERROR_WANT_WRITE = 3
    SSL_ERROR_WANT_X509_LOOKUP = 4
    SSL_ERROR_SYSCALL = 5
    SSL_ERROR_ZERO_RETURN = 6
    SSL_ERROR_WANT_CONNECT = 7
    SSL_ERROR_EOF = 8
    SSL_ERROR_INVALID_ERROR_CODE = 10


_ASN1Object = namedtuple("_ASN1Object", "nid shortname longname oid")


class Purpose(_ASN1Object, Enum):
    SERVER_AUTH = (129, "serverAuth", "TLS Web Server Authentication", "1.3.6.1.5.5.7.3.1")
    CLIENT_AUTH = (130, "clientAuth", "TLS Web Client Authentication", "1.3.6.1.5.5.7.3.2")


for _kind in (_SSLMethod, Options, VerifyMode, VerifyFlags, SSLErrorNumber):
    globals().update(_kind.__members__)
del _kind


class SSLError(OSError):
    """An error of TLS."""

    library = reason = None


class SSLZeroReturnError(SSLError):
    pass


class SSLWantReadError(SSLError):
    pass


class SSLWantWriteError(SSLError):
    pass


class SSLSyscallError(SSLError):
    pass


class SSLEOFError(SSLError):
    pass


class SSLCertVerificationError(SSLError, ValueError):
    pass


CertificateError = SSLCertVerificationError


def _refused(*args, **kwargs):
    raise OSError(errno.ENETUNREACH, "there is no network here")


class SSLContext:
    """The settings of connections."""

    sslsocket_class = sslobject_class = None
    session_stats = wrap_bio = wrap_socket = _refused

    def __new__(cls, protocol=None, *args, **kwargs):
        if protocol is None:
            _warnings.warn("ssl.SSLContext() without protocol argument is deprecated.", DeprecationWarning, 2)
        return super().__new__(cls)

    def __init__(self, protocol=None):
        self.protocol = _SSLMethod(PROTOCOL_TLS if protocol is None else protocol)
        is_client = self.protocol is PROTOCOL_TLS_CLIENT
        self.check_hostname = is_client
        self.verify_mode = CERT_REQUIRED if is_client else CERT_NONE
        self.verify_flags = VERIFY_X509_TRUSTED_FIRST
        self.options = OP_ALL | OP_NO_SSLv3 | OP_NO_COMPRESSION
        self.minimum_version, self.maximum_version = TLSVersion.TLSv1_2, TLSVersion.MAXIMUM_SUPPORTED
        self.post_handshake_auth = False
        self.hostname_checks_common_name = True
        self.keylog_filename = self.sni_callback = None

    def _take(self, *args, **kwargs):
        """Takes a setting that only a connection would use."""

    load_default_certs = load_dh_params = set_alpn_protocols = set_ciphers = set_default_verify_paths = _take
    set_ecdh_curve = set_npn_protocols = set_servername_callback = _take

    def load_cert_chain(self, certfile, keyfile=None, password=None):
        """Takes a certificate, whose files must exist."""
        for path in (certfile, keyfile):
            if path is not None:
                open(path, "rb").close()

    def load_verify_locations(self, cafile=None, capath=None, cadata=None):
        """Takes certificates, whose file must exist."""
        if cafile is not None:
            open(cafile, "rb").close()

    def cert_store_stats(self):
        return {"x509": 0, "crl": 0, "x509_ca": 0}

    def get_ca_certs(self, binary_form=False):
        return []

    def get_ciphers(self):
        return []


class SSLSocket(_socket.socket):
    """No program has one."""

    __init__ = _refused


class SSLObject:
    """No program has one."""

    __init__ = _refused


class SSLSession:
    """No program has one."""

    __init__ = _refused


class MemoryBIO:
    """No program has one."""

    __init__ = _refused


def create_default_context(purpose=Purpose.SERVER_AUTH, *, cafile=None, capath=None, cadata=None):
    """The usual settings."""
    if not isinstance(purpose, _ASN1Object):
        raise TypeError(purpose)
    is_client = purpose == Purpose.SERVER_AUTH
    context = SSLContext(PROTOCOL_TLS_CLIENT if is_client else PROTOCOL_TLS_SERVER)
    context.verify_flags |= VERIFY_X509_PARTIAL_CHAIN | VERIFY_X509_STRICT
    context.load_verify_locations(cafile, capath, cadata)
    return context


def _create_unverified_context(protocol=None, *, cert_reqs=CERT_NONE, check_hostname=False, **kwargs):
    context = SSLContext(PROTOCOL_TLS_CLIENT if protocol is None else protocol)
    context.check_hostname = check_hostname
    context.verify_mode = VerifyMode(cert_reqs)
    return context


_create_default_https_context = create_default_context
_create_stdlib_context = _create_unverified_context
get_server_certificate = _refused
DefaultVerifyPaths = namedtuple(
    "DefaultVerifyPaths", "cafile capath openssl_cafile_env openssl_cafile openssl_capath_env openssl_capath"
)


def get_default_verify_paths():
    """Where certificates would be."""
    return DefaultVerifyPaths(None, None, "SSL_CERT_FILE", "", "SSL_CERT_DIR", "")


def RAND_bytes(length):
    """Random bytes."""
    return _urandom(length)


def RAND_status():
    return True


def RAND_add(text, entropy):
    """Has no effect."""


def cert_time_to_seconds(cert_time):
    """Seconds since the epoch of a time in a certificate."""
    from calendar import timegm
    from time import strptime

    return timegm(strptime(cert_time, "%b %d %H:%M:%S %Y GMT"))


def DER_cert_to_PEM_cert(der_cert_bytes):
    """A certificate as text."""
    text = _encode(der_cert_bytes).decode("ascii")
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join((PEM_HEADER, *lines, PEM_FOOTER, ""))


def PEM_cert_to_DER_cert(pem_cert_string):
    """The bytes of a certificate."""
    text = pem_cert_string.strip()
    if not text.startswith(PEM_HEADER) or not text.endswith(PEM_FOOTER):
        raise ValueError(f"Invalid PEM encoding; must start with {PEM_HEADER} and end with {PEM_FOOTER}")
    return _decode(text[len(PEM_HEADER) : -len(PEM_FOOTER)].encode("ascii"))


def get_protocol_name(protocol_code):
    """The name of a protocol."""
    return {2: "TLS", 5: "TLSv1_2", 16: "TLS_CLIENT", 17: "TLS_SERVER"}.get(protocol_code, "<unknown>")
