# frozen_string_literal: true

# Sockets of a machine without a network. The classes and constants that libraries and programs name
# exist. Any attempt to connect fails as if no host could be found. By hand: Ruby's own socket is
# compiled C, which the engine does not have.
class SocketError < StandardError; end

class BasicSocket < IO
  def self.do_not_reverse_lookup = true
  def self.do_not_reverse_lookup=(value)
    value
  end

  def self.new(*) = ::Kernel.raise(::Errno::ENETUNREACH, "connect(2)")
  def self.for_fd(*) = ::Kernel.raise(::Errno::EBADF)
  singleton_class.alias_method :open, :new
end

class Socket < BasicSocket
  class ResolutionError < SocketError
    def error_code = Constants::EAI_AGAIN
  end

  module Constants
    AF_UNSPEC = PF_UNSPEC = 0
    AF_UNIX = PF_UNIX = 1
    AF_INET = PF_INET = 2
    AF_INET6 = PF_INET6 = 10
    SOCK_STREAM = 1
    SOCK_DGRAM = 2
    SOCK_RAW = 3
    IPPROTO_IP = 0
    IPPROTO_TCP = 6
    IPPROTO_UDP = 17
    IPPROTO_IPV6 = 41
    SOL_SOCKET = 1
    SO_REUSEADDR = 2
    SO_KEEPALIVE = 9
    SO_LINGER = 13
    TCP_NODELAY = 1
    SOMAXCONN = 4096
    INADDR_ANY = 0
    INADDR_LOOPBACK = 0x7F000001
    SHUT_RD = 0
    SHUT_WR = 1
    SHUT_RDWR = 2
    AI_PASSIVE = 1
    NI_NUMERICHOST = 1
    NI_NUMERICSERV = 2
    EAI_AGAIN = -3
    EAI_NONAME = -2
  end
  include Constants
  Constants.constants.each { |name| const_set(name, Constants.const_get(name)) }

  def self.gethostname = "localhost"

  def self.unresolved(host)
    ::Kernel.raise(ResolutionError, "getaddrinfo(3): there is no network here#{" (#{host})" if host}")
  end
  private_class_method :unresolved

  class << self
    def tcp(host = nil, *, **) = unresolved(host)
    def getaddrinfo(host = nil, *, **) = unresolved(host)
    def gethostbyname(host = nil) = unresolved(host)
    def ip_address_list = []
    def tcp_server_sockets(*) = ::Kernel.raise(::Errno::EACCES, "bind(2)")
    alias udp_server_sockets tcp_server_sockets
    alias tcp_server_loop tcp_server_sockets
  end
end

class IPSocket < BasicSocket
  def self.getaddress(host = nil) = Socket.getaddrinfo(host)
end

class TCPSocket < IPSocket
  def self.new(host = nil, *, **) = Socket.getaddrinfo(host)
  def self.gethostbyname(host = nil) = Socket.getaddrinfo(host)
  singleton_class.alias_method :open, :new
end

class TCPServer < TCPSocket
  def self.new(*) = ::Kernel.raise(::Errno::EACCES, "bind(2)")
  singleton_class.alias_method :open, :new
end

class UDPSocket < IPSocket; end

class UNIXSocket < BasicSocket
  def self.pair(*) = ::Kernel.raise(::NotImplementedError, "pair: there is no network here")
  singleton_class.alias_method :socketpair, :pair
end

class UNIXServer < UNIXSocket; end

class Addrinfo
  def self.getaddrinfo(host = nil, *, **) = Socket.getaddrinfo(host)

  class << self
    def tcp(host = nil, *) = Socket.getaddrinfo(host)
    alias udp tcp
    alias ip tcp
  end
end
