import { assertEquals, assertGreater } from "@std/assert";
import { timeZoneFiles } from "../../../../runtimes/builder/time_zones.ts";
import { packZones } from "../../../../runtimes/languages/perl/build/pack_zones.ts";
import { brief, run } from "./perl.ts";

/** Zones, and their local times in January 1970, September 2001, July 2024, November 2096. */
const ZONES: readonly (readonly [zone: string, shown: string])[] = [
  ["UTC", "00:00 UTC +0000 0|01:46 UTC +0000 0|09:46 UTC +0000 0|07:06 UTC +0000 0"],
  ["GMT", "00:00 GMT +0000 0|01:46 GMT +0000 0|09:46 GMT +0000 0|07:06 GMT +0000 0"],
  ["America/New_York", "19:00 EST -0500 0|21:46 EDT -0400 1|05:46 EDT -0400 1|03:06 EDT -0400 1"],
  ["US/Eastern", "19:00 EST -0500 0|21:46 EDT -0400 1|05:46 EDT -0400 1|03:06 EDT -0400 1"],
  ["Europe/London", "01:00 BST +0100 0|02:46 BST +0100 1|10:46 BST +0100 1|08:06 BST +0100 1"],
  ["Asia/Kolkata", "05:30 IST +0530 0|07:16 IST +0530 0|15:16 IST +0530 0|12:36 IST +0530 0"],
  [":Asia/Dubai", "04:00 +04 +0400 0|05:46 +04 +0400 0|13:46 +04 +0400 0|11:06 +04 +0400 0"],
  [
    "Australia/Sydney",
    "10:00 AEST +1000 0|11:46 AEST +1000 0|19:46 AEST +1000 0|17:06 AEST +1000 0",
  ],
  ["EST5EDT", "19:00 EST -0500 0|21:46 EDT -0400 1|05:46 EDT -0400 1|03:06 EDT -0400 1"],
  ["ABC-3", "03:00 ABC +0300 0|04:46 ABC +0300 0|12:46 ABC +0300 0|10:06 ABC +0300 0"],
  [
    "<+0330>-3:30<+0430>,J79/24,J263/24",
    "03:30 +0330 +0330 0|06:16 +0430 +0430 1|14:16 +0430 +0430 1|10:36 +0330 +0330 0",
  ],
  ["Nope/Zone", "00:00 Nope +0000 0|01:46 Nope +0000 0|09:46 Nope +0000 0|07:06 Nope +0000 0"],
];

const SHOW =
  "use POSIX; join '|', map { strftime('%H:%M %Z %z ', localtime $_) . (localtime $_)[8] }" +
  " 0, 1e9, 1_720_000_000, 4_000_000_000";

Deno.test("perl time zones: TZ is a name or a rule", async () => {
  for (const [zone, shown] of ZONES) {
    const given = await run(SHOW, { env: new Map([["TZ", zone]]) });
    assertEquals([zone, brief(given)], [zone, `text ${shown}`]);
    assertEquals([zone, brief(await run(`$ENV{TZ} = '${zone}'; ${SHOW}`))], [
      zone,
      `text ${shown}`,
    ]);
  }
});

/** Programs in New York, and their values natively. */
const PROGRAMS: readonly (readonly [code: string, value: string])[] = [
  ["scalar localtime 1_700_000_000", "Tue Nov 14 17:13:20 2023"],
  ["join ' ', localtime 1_720_000_000", "40 46 5 3 6 124 3 184 1"],
  ["scalar gmtime 1_720_000_000", "Wed Jul  3 09:46:40 2024"],
  ["use POSIX; mktime(localtime 1_720_000_000)", "1720000000"],
  ["use POSIX; mktime(0, 30, 2, 10, 2, 124)", "1710055800"],
  [
    "use POSIX; join ',', map { mktime(0, 30, 1, 3, 10, 124, 0, 0, $_) } -1, 0, 1",
    "1730615400,1730615400,1730611800",
  ],
  ["use POSIX; join ',', tzname, ctime(0) =~ /(\\d\\d:\\d\\d:\\d\\d)/", "EST,EDT,19:00:00"],
  ["use Time::Local; timelocal(0, 0, 12, 4, 6, 2024) - timegm(0, 0, 12, 4, 6, 2024)", "14400"],
  [
    "use Time::Piece; my $t = localtime 1_720_000_000; join ' ', $t, $t->tzoffset, $t->strftime('%H %Z')",
    "Wed Jul  3 05:46:40 2024 -14400 05 EDT",
  ],
  ["use Time::Piece; my $t = gmtime 1_720_000_000; join ' ', $t->hms, $t->tzoffset", "09:46:40 0"],
  ["delete $ENV{TZ}; scalar localtime 0", "Thu Jan  1 00:00:00 1970"],
  ["{ local $ENV{TZ} = 'Asia/Tokyo'; (localtime 0)[2] } ", "9"],
];

Deno.test("perl time zones: all functions of local time agree", async () => {
  const env = new Map([["TZ", "America/New_York"]]);
  for (const [code, value] of PROGRAMS) {
    assertEquals([code, brief(await run(code, { env }))], [code, `text ${value}`]);
  }
});

Deno.test("perl time zones: an invalid zone is UTC", async () => {
  const names = [
    "'../../etc'",
    "'a' x 1e5",
    '"\\n"',
    "'1 2'",
    "'EST5EDT,M3.2.0'",
    "'M3,J400'",
    "'A5'",
  ];
  for (const name of names) {
    const ran = await run(`$ENV{TZ} = ${name}; scalar localtime 3600`);
    assertEquals([name, brief(ran)], [name, "text Thu Jan  1 01:00:00 1970"]);
  }
});

Deno.test("perl time zones: the packed zones are those of the archive, each once", async () => {
  const { index, records } = packZones(await timeZoneFiles());
  const lines = index.trim().split("\n").map((line) => line.trim().split(" "));
  assertGreater(lines.length, 590);
  const distinct = new Map(lines.map(([, place, length]) => [place, Number(length)]));
  assertEquals([...distinct.values()].reduce((sum, length) => sum + length, 0), records.length);
  const place = (name: string) => lines.find(([known]) => known === name)?.[1];
  assertEquals(place("US/Eastern"), place("America/New_York"));
});
