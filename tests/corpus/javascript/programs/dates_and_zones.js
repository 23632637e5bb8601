const d = new Date(Date.UTC(2024, 1, 29, 13, 5, 9, 7));
console.log(d, String(d), d.toISOString(), d.toUTCString(), d.toDateString(), d.toTimeString(), d.toJSON());
console.log(d.toLocaleString(), '|', d.toLocaleDateString(), '|', d.toLocaleTimeString());
console.log(d.toLocaleDateString('de-DE', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }));
console.log(d.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit', timeZone: 'America/New_York', timeZoneName: 'short' }));
console.log(d.toLocaleDateString('fr-FR'), d.toLocaleDateString('ja-JP', { era: 'long' }), d.toLocaleDateString('en-GB'), d.toLocaleString('sv-SE'));
console.log(new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: 'Asia/Tokyo' }).format(d));
console.log(new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }).formatToParts(d));
console.log(new Date('2024-02-30'), new Date('nope').getTime(), new Date(2024, 0, 31, 12).getMonth(), new Date(0).getTimezoneOffset());
console.log(Date.parse('2024-03-10T10:00:00+02:00'), Date.parse('Mar 10, 2024'), Date.parse('2024-03-10'), Date.parse('Sun, 10 Mar 2024 10:00:00 GMT'), Date.parse('2024/03/10 10:00'), Date.parse('10 March 2024'), Date.parse('2024-3-5'));
const addMonths = (x, n) => { const r = new Date(x); r.setUTCMonth(r.getUTCMonth() + n); return r; };
console.log([1, 2, 12].map((n) => addMonths(d, n).toISOString().slice(0, 10)));
const week = (x) => { const t = new Date(Date.UTC(x.getUTCFullYear(), x.getUTCMonth(), x.getUTCDate())); t.setUTCDate(t.getUTCDate() + 4 - (t.getUTCDay() || 7)); return Math.ceil(((t - Date.UTC(t.getUTCFullYear(), 0, 1)) / 864e5 + 1) / 7); };
console.log(['2024-01-01', '2020-12-31', '2021-01-03', '2024-12-30'].map((s) => week(new Date(s))));
const rtf = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }); console.log(rtf.format(-1, 'day'), rtf.format(2, 'week'), rtf.format(0, 'year'), rtf.formatToParts(-3, 'month'));
console.log(d - new Date(0), d > new Date(0), +d === d.valueOf(), d[Symbol.toPrimitive]('number'), `${d}`, d + 1);
console.log({ d, nested: [d] }, [new Date(NaN)], JSON.stringify({ d, bad: new Date(NaN) }));
try { new Date(NaN).toISOString(); } catch (e) { console.log(e.name, e.message); }
try { new Intl.DateTimeFormat('en', { timeZone: 'Mars/Base' }); } catch (e) { console.log(e.name, e.message); }
console.log(new Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.supportedValuesOf('currency').length > 100);
class Day extends Date { label() { return this.toISOString().slice(0, 10); } } console.log(new Day(0), new Day(0).label());
console.log(new Date(2024, 0).toString(), new Date(99, 0).getFullYear(), Date.UTC(2024), new Date(8.64e15 + 1).getTime(), new Date(2019, 0, 1, 0, 0, 0).toISOString());
