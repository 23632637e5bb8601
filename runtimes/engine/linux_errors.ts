/**
 * Error numbers and texts: the one table of them, for the file errors, Python and Perl. Programs
 * expect what Linux and its C library (glibc) say, whichever C library an interpreter was
 * compiled against: WASI's or Emscripten's, which agree except for one number.
 *
 * @module
 */

/** One error. */
export interface LinuxError {
  readonly name: string;
  /** On Linux. */
  readonly number: number;
  /** In WASI preview 1, if it has such an error. */
  readonly wasi: number | undefined;
  /** In Emscripten. */
  readonly emscripten: number;
  /** glibc's. */
  readonly text: string;
}

/** Emscripten's own numbers begin here; lower ones are WASI's. */
const FIRST_OF_EMSCRIPTEN = 100;
/** Numbers in which Emscripten differs from WASI: it has this one for sockets. */
const OTHER_IN_EMSCRIPTEN: Readonly<Record<string, number>> = { ENOTSUP: 138 };

/** Linux's errors in numeric order: Linux's number, name, WASI's or Emscripten's number, text. */
export const LINUX_ERRORS: readonly LinuxError[] = `
1 EPERM 63 Operation not permitted
2 ENOENT 44 No such file or directory
3 ESRCH 71 No such process
4 EINTR 27 Interrupted system call
5 EIO 29 Input/output error
6 ENXIO 60 No such device or address
7 E2BIG 1 Argument list too long
8 ENOEXEC 45 Exec format error
9 EBADF 8 Bad file descriptor
10 ECHILD 12 No child processes
11 EAGAIN 6 Resource temporarily unavailable
12 ENOMEM 48 Cannot allocate memory
13 EACCES 2 Permission denied
14 EFAULT 21 Bad address
15 ENOTBLK 105 Block device required
16 EBUSY 10 Device or resource busy
17 EEXIST 20 File exists
18 EXDEV 75 Invalid cross-device link
19 ENODEV 43 No such device
20 ENOTDIR 54 Not a directory
21 EISDIR 31 Is a directory
22 EINVAL 28 Invalid argument
23 ENFILE 41 Too many open files in system
24 EMFILE 33 Too many open files
25 ENOTTY 59 Inappropriate ioctl for device
26 ETXTBSY 74 Text file busy
27 EFBIG 22 File too large
28 ENOSPC 51 No space left on device
29 ESPIPE 70 Illegal seek
30 EROFS 69 Read-only file system
31 EMLINK 34 Too many links
32 EPIPE 64 Broken pipe
33 EDOM 18 Numerical argument out of domain
34 ERANGE 68 Numerical result out of range
35 EDEADLK 16 Resource deadlock avoided
36 ENAMETOOLONG 37 File name too long
37 ENOLCK 46 No locks available
38 ENOSYS 52 Function not implemented
39 ENOTEMPTY 55 Directory not empty
40 ELOOP 32 Too many levels of symbolic links
42 ENOMSG 49 No message of desired type
43 EIDRM 24 Identifier removed
44 ECHRNG 106 Channel number out of range
45 EL2NSYNC 156 Level 2 not synchronized
46 EL3HLT 107 Level 3 halted
47 EL3RST 108 Level 3 reset
48 ELNRNG 109 Link number out of range
49 EUNATCH 110 Protocol driver not attached
50 ENOCSI 111 No CSI structure available
51 EL2HLT 112 Level 2 halted
52 EBADE 113 Invalid exchange
53 EBADR 114 Invalid request descriptor
54 EXFULL 115 Exchange full
55 ENOANO 104 No anode
56 EBADRQC 103 Invalid request code
57 EBADSLT 102 Invalid slot
59 EBFONT 101 Bad font file format
60 ENOSTR 100 Device not a stream
61 ENODATA 116 No data available
62 ETIME 117 Timer expired
63 ENOSR 118 Out of streams resources
64 ENONET 119 Machine is not on the network
65 ENOPKG 120 Package not installed
66 EREMOTE 121 Object is remote
67 ENOLINK 47 Link has been severed
68 EADV 122 Advertise error
69 ESRMNT 123 Srmount error
70 ECOMM 124 Communication error on send
71 EPROTO 65 Protocol error
72 EMULTIHOP 36 Multihop attempted
73 EDOTDOT 125 RFS specific error
74 EBADMSG 9 Bad message
75 EOVERFLOW 61 Value too large for defined data type
76 ENOTUNIQ 126 Name not unique on network
77 EBADFD 127 File descriptor in bad state
78 EREMCHG 128 Remote address changed
79 ELIBACC 129 Can not access a needed shared library
80 ELIBBAD 130 Accessing a corrupted shared library
81 ELIBSCN 131 .lib section in a.out corrupted
82 ELIBMAX 132 Attempting to link in too many shared libraries
83 ELIBEXEC 133 Cannot exec a shared library directly
84 EILSEQ 25 Invalid or incomplete multibyte or wide character
85 ERESTART 134 Interrupted system call should be restarted
86 ESTRPIPE 135 Streams pipe error
87 EUSERS 136 Too many users
88 ENOTSOCK 57 Socket operation on non-socket
89 EDESTADDRREQ 17 Destination address required
90 EMSGSIZE 35 Message too long
91 EPROTOTYPE 67 Protocol wrong type for socket
92 ENOPROTOOPT 50 Protocol not available
93 EPROTONOSUPPORT 66 Protocol not supported
94 ESOCKTNOSUPPORT 137 Socket type not supported
95 ENOTSUP 58 Operation not supported
96 EPFNOSUPPORT 139 Protocol family not supported
97 EAFNOSUPPORT 5 Address family not supported by protocol
98 EADDRINUSE 3 Address already in use
99 EADDRNOTAVAIL 4 Cannot assign requested address
100 ENETDOWN 38 Network is down
101 ENETUNREACH 40 Network is unreachable
102 ENETRESET 39 Network dropped connection on reset
103 ECONNABORTED 13 Software caused connection abort
104 ECONNRESET 15 Connection reset by peer
105 ENOBUFS 42 No buffer space available
106 EISCONN 30 Transport endpoint is already connected
107 ENOTCONN 53 Transport endpoint is not connected
108 ESHUTDOWN 140 Cannot send after transport endpoint shutdown
109 ETOOMANYREFS 141 Too many references: cannot splice
110 ETIMEDOUT 73 Connection timed out
111 ECONNREFUSED 14 Connection refused
112 EHOSTDOWN 142 Host is down
113 EHOSTUNREACH 23 No route to host
114 EALREADY 7 Operation already in progress
115 EINPROGRESS 26 Operation now in progress
116 ESTALE 72 Stale file handle
117 EUCLEAN 143 Structure needs cleaning
118 ENOTNAM 144 Not a XENIX named type file
119 ENAVAIL 145 No XENIX semaphores available
120 EISNAM 146 Is a named type file
121 EREMOTEIO 147 Remote I/O error
122 EDQUOT 19 Disk quota exceeded
123 ENOMEDIUM 148 No medium found
124 EMEDIUMTYPE 149 Wrong medium type
125 ECANCELED 11 Operation canceled
126 ENOKEY 150 Required key not available
127 EKEYEXPIRED 151 Key has expired
128 EKEYREVOKED 152 Key has been revoked
129 EKEYREJECTED 153 Key was rejected by service
130 EOWNERDEAD 62 Owner died
131 ENOTRECOVERABLE 56 State not recoverable
132 ERFKILL 154 Operation not possible due to RF-kill
133 EHWPOISON 155 Memory page has hardware error
`.trim().split("\n").map((line): LinuxError => {
  const [number = "", name = "", library = "", ...words] = line.split(" ");
  const own = Number(library);
  return {
    name,
    number: Number(number),
    wasi: own < FIRST_OF_EMSCRIPTEN ? own : undefined,
    emscripten: OTHER_IN_EMSCRIPTEN[name] ?? own,
    text: words.join(" "),
  };
});

/** Aliases. */
export const SECOND_NAMES: Readonly<Record<string, string>> = {
  EDEADLOCK: "EDEADLK",
  EOPNOTSUPP: "ENOTSUP",
  EWOULDBLOCK: "EAGAIN",
};

const TEXTS: ReadonlyMap<number, string> = new Map(
  LINUX_ERRORS.map(({ number, text }) => [number, text]),
);

/** glibc's message for any number. */
export function errorText(number: number): string {
  return number === 0 ? "Success" : TEXTS.get(number) ?? `Unknown error ${number}`;
}
