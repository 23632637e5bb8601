import dayjs from "dayjs"; import utc from "dayjs/plugin/utc.js"; import rel from "dayjs/plugin/relativeTime.js"; dayjs.extend(utc); dayjs.extend(rel);
const d=dayjs.utc("2024-02-28T13:05:09Z"); console.log(d.format("YYYY-MM-DD dddd HH:mm"), d.add(2,"day").format(), d.startOf("month").toISOString(), dayjs.utc("2024-12-25").diff(d,"day"), d.from(dayjs.utc("2024-03-28")));
