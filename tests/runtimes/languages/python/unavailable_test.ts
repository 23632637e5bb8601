/** Parts of Python that are not available here say so, and their nearest relatives work. */
import { assertEquals, assertMatch } from "@std/assert";
import { errorOf, run } from "./support.ts";

const NO_NETWORK = [
  "import urllib.request\nurllib.request.urlopen('https://example.com/a')",
  "import urllib.request\nurllib.request.urlopen('http://example.com/a')",
  "import http.client\nhttp.client.HTTPSConnection('example.com').request('GET', '/')",
  "import smtplib\nsmtplib.SMTP_SSL('example.com')",
  "import imaplib\nimaplib.IMAP4_SSL('example.com')",
  "import ftplib\nftplib.FTP_TLS('example.com')",
  "import asyncio\nawait asyncio.open_connection('example.com', 443, ssl=True)",
  "import socket\nsocket.create_connection(('10.0.0.1', 80))",
  "import socket, ssl\nssl.create_default_context().wrap_socket(socket.socket())",
  "import ssl\nssl.create_default_context().wrap_bio(None, None)",
];

Deno.test("unavailable: modules of the network say that there is none", async () => {
  for (const code of NO_NETWORK) {
    assertMatch((await errorOf(code)).message, /there is no network here/, code);
  }
});

const NO_PROCESSES = [
  "from multiprocessing import Pool\nPool(2)",
  "from multiprocessing.pool import Pool\nPool()",
  "import multiprocessing\nmultiprocessing.Process(target=print).start()",
  "import multiprocessing\nmultiprocessing.get_context('spawn').Process(target=print).start()",
  "import multiprocessing\nmultiprocessing.get_context('fork').Process(target=print).start()",
  "import multiprocessing\nmultiprocessing.Queue()",
  "import multiprocessing\nmultiprocessing.Manager()",
  "from concurrent.futures import ProcessPoolExecutor\nProcessPoolExecutor().submit(print)",
];

Deno.test("unavailable: modules of processes say that there are none", async () => {
  for (const code of NO_PROCESSES) {
    assertMatch((await errorOf(code)).message, /processes are not available here/, code);
  }
});

const POOLS: readonly (readonly [program: string, stdout: string])[] = [
  ["with ThreadPool(3) as p: print(p.map(len, ['a', 'bb', '']))", "[1, 2, 0]\n"],
  [
    "from multiprocessing.dummy import Pool\nwith Pool() as p: print(p.starmap(pow, [(2, 5), (3, 2)]))",
    "[32, 9]\n",
  ],
  [
    "with ThreadPool() as p: print(sorted(p.imap_unordered(abs, [-2, 1])), list(p.imap(str, range(2))))",
    "[1, 2] ['0', '1']\n",
  ],
  [
    "with ThreadPool() as p: print(p.apply(divmod, (7, 2)), p.apply_async(max, (1, 4)).get(timeout=1))",
    "(3, 1) 4\n",
  ],
  [
    "p = ThreadPool(2)\nr = p.map_async(lambda n: 1 // n, [1, 0], error_callback=lambda e: print('failed', e))\np.close()\np.join()\nprint(r.ready(), r.successful())\ntry: r.get()\nexcept ZeroDivisionError: print('raised')",
    "failed division by zero\nTrue False\nraised\n",
  ],
  [
    "p = ThreadPool(2, print, ('begins',))\np.imap(print, 'ab')\np.close()\np.join()\ntry: p.map(len, [])\nexcept ValueError as e: print(e)",
    "begins\na\nb\nPool not running\n",
  ],
  [
    "from itertools import count, islice\nwith ThreadPool() as p: print(list(islice(p.imap(abs, count()), 3)))",
    "[0, 1, 2]\n",
  ],
];

Deno.test("unavailable: pools of threads run their tasks at submission", async () => {
  for (const [code, stdout] of POOLS) {
    const ran = await run(`from multiprocessing.pool import ThreadPool\n${code}`);
    assertEquals([ran.stdout, ran.ending.kind], [stdout, "none"], code);
  }
});
