# frozen_string_literal: true

# TLS of a machine without a network. Libraries name these classes and constants before they connect,
# which then fails. Ruby's own part of OpenSSL for TLS is not compiled into the engine.
module OpenSSL
  module SSL
    VERIFY_NONE = 0
    VERIFY_PEER = 1
    VERIFY_FAIL_IF_NO_PEER_CERT = 2
    VERIFY_CLIENT_ONCE = 4
    SSL3_VERSION = 0x300
    TLS1_VERSION = 0x301
    TLS1_1_VERSION = 0x302
    TLS1_2_VERSION = 0x303
    TLS1_3_VERSION = 0x304
    OP_ALL = 0x80000050
    OP_NO_SSLv2 = 0
    OP_NO_SSLv3 = 0x2000000
    OP_NO_COMPRESSION = 0x20000

    class SSLError < OpenSSLError; end
    class SSLErrorWaitReadable < SSLError; end
    class SSLErrorWaitWritable < SSLError; end

    class SSLContext
      METHODS = %i[TLS TLS_client TLS_server TLSv1_2 TLSv1_2_client TLSv1_2_server].freeze
      SESSION_CACHE_OFF = 0
      SESSION_CACHE_CLIENT = 1
      SESSION_CACHE_SERVER = 2
      SESSION_CACHE_BOTH = 3
      SESSION_CACHE_NO_INTERNAL_STORE = 0x200

      attr_accessor :ca_file, :ca_path, :cert, :cert_store, :ciphers, :extra_chain_cert, :key, :max_version, :min_version,
                    :alpn_protocols, :session_cache_mode, :session_new_cb, :timeout, :verify_callback, :verify_depth,
                    :verify_hostname, :verify_mode, :options, :ssl_timeout, :ssl_version, :security_level

      def initialize(version = nil) = @ssl_version = version

      def set_params(params = {})
        { verify_mode: VERIFY_PEER, verify_hostname: true }.merge(params).each { |name, value| public_send("#{name}=", value) }
        params
      end

      def setup = freeze
    end

    class SSLSocket
      def self.new(*) = ::Kernel.raise(::Errno::ENETUNREACH, "connect(2)")
      def self.open(*) = new
    end

    class SSLServer
      def self.new(*) = ::Kernel.raise(::Errno::EACCES, "bind(2)")
    end
  end
end
