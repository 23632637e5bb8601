const c = require('crypto');
for (const n of ['sha-256','SHA-256','SHA256','sha512/256','SHA512-224','rsa-sha256','RSA-SHA1','ripemd','rmd160','sha3-256','SHAKE128','blake2b512','sm3','sha1-2','RSA-SHA512/224','ssl3-md5']) { try { console.log(n, c.createHash(n).update('a').digest('hex').slice(0,40)); } catch (e) { console.log(n, e.message, e.code); } }
try { console.log(c.createHash('shake128',{outputLength:5}).update('a').digest('hex')) } catch (e) { console.log(e.message, e.code) }
try { console.log(c.createHash('sha256',{outputLength:5}).update('a').digest('hex')) } catch (e) { console.log(e.message, e.code) }
try { console.log(c.createHash('shake128',{outputLength:0}).update('a').digest('hex')) } catch (e) { console.log(e.message, e.code) }
const h = c.createHmac('sha256','k'); h.update('a'); console.log(h.digest('hex')); try { console.log(h.digest('hex')) } catch (e) { console.log(e.message, e.code) } try { console.log(h.update('x')) } catch (e) { console.log(e.message, e.code) }
for (const f of [()=>c.hkdfSync('sha256','a','b','c',255*32+1),()=>c.hkdfSync('sha256','a','b','x'.repeat(1025),10),()=>c.scryptSync('a','b',10,{N:3}),()=>c.scryptSync('a','b',10,{N:1<<20}), ()=>c.scryptSync('a','b',10,{N:16384,r:8,p:1,maxmem: 16384*8*128}), ()=>c.pbkdf2Sync('a','b',0,10,'sha256'),()=>c.createHash('sha256').update(5),()=>c.createHash(),()=>c.createHmac('nope','k'),()=>c.createHmac('sha256'),()=>c.pbkdf2Sync('a','b',1,10),()=>c.pbkdf2Sync('a','b',1,10,'nope'),()=>c.scryptSync('a','b',10,{r:0,p:2}).toString('hex')])
try { console.log(f()) } catch (e) { console.log(e.name,e.message, e.code) }
console.log(c.createHash('sha256') instanceof require('stream').Transform, c.createHash('sha256') instanceof c.Hash);
const msg = Buffer.alloc(300000, 'xyz\u00e9');
for (const n of ['md5','sha1','ripemd160','sha224','sha256','sha384','sha512','sha512-224','sha512-256','sha3-224','sha3-256','sha3-384','sha3-512','blake2b512','blake2s256','sm3','shake128','shake256']) {
  const a = c.createHash(n).update(msg).digest('hex').slice(0, 32);
  const inc = c.createHash(n); let copy; for (let i = 0; i < msg.length; ) { const step = 1 + (i * 7 + 13) % 9000; if (!copy && i > 100000) copy = inc.copy(); inc.update(msg.subarray(i, i + step)); i += step; }
  console.log(n, a, inc.digest('hex').slice(0, 32) === a, copy.digest('base64').slice(0, 16));
  if (!n.startsWith('shake')) console.log(' hmac', ['', 'k', 'k'.repeat(64),'k'.repeat(129), 'k'.repeat(300)].map((k) => c.createHmac(n, k).update('data').update('é').digest('hex').slice(0, 12)).join(' '));
  if (!/shake|blake|sm3/.test(n)) console.log(' kdf', c.pbkdf2Sync('pw é', 'salt', 13, 100, n).toString('hex').slice(-20), c.pbkdf2Sync('', '', 1, 1, n).toString('hex'), Buffer.from(c.hkdfSync(n, 'key', 'salt', 'info', 77)).toString('base64').slice(-16), Buffer.from(c.hkdfSync(n, 'key', '', '', 3)).toString('hex'));
}
console.log(c.scryptSync('pw', 'salt', 64).toString('hex'), c.scryptSync('', '', 3, { N: 2, r: 3, p: 4 }).toString('hex'));
console.log(c.createHash('sha1').update('a\ud800b\0c').digest('hex'), c.createHash('sha1').update('ff00','hex').update('é','latin1').digest('latin1').length);
const empties = ['', Buffer.alloc(0)]; for (const e of empties) console.log(c.createHash('md5').update(e).update('').update(e).digest('hex'), c.createHash('md5').digest('hex'));
const b = Buffer.from('abc'); const hh = c.createHash('md5').update(b); b[0] = 0; console.log(hh.digest('hex'));
console.log(c.createHash('md5').update(new Uint16Array([1,2,3])).update(new DataView(new ArrayBuffer(3),1)).digest('hex'));
const { Readable, pipeline } = require('stream');
Readable.from(['a', 'b', Buffer.from('c')]).pipe(c.createHash('sha256')).setEncoding('hex').on('data', (d) => console.log('piped', d)).on('end', () => console.log('end'));
const w = c.createHash('md5'); w.write('abc'); w.end(); w.on('readable', () => { const d = w.read(); if (d) console.log('read', d.toString('hex')); });
c.scrypt('a', 'b', 8, { N: 16 }, (e, k) => console.log('scrypt', e, k)); c.pbkdf2('a', 'b', 3, 8, 'sha1', (e, k) => console.log('pbkdf2', e, k)); c.hkdf('sha256', 'a', 'b', 'c', 4, (e, k) => console.log('hkdf', e, k));

{ const c = require('crypto'); const h = c.createHash('md5'); h.update('a\ud83d').update('\ude00b').update('x'.repeat(5000)).update('y'); const k = h.copy(); console.log(h.digest('hex'), k.update('\ude00').digest('hex')); }
