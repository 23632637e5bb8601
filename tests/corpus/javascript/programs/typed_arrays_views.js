const buffer = new ArrayBuffer(16);
const view = new DataView(buffer);
view.setUint8(0, 255); view.setInt16(1, -2, true); view.setFloat32(4, Math.PI); view.setBigUint64(8, 0x1122334455667788n);
console.log(buffer);
console.log(new Uint8Array(buffer), view.getInt16(1, true), view.getInt16(1), view.getFloat32(4).toFixed(5), view.getBigUint64(8, true).toString(16));
console.log(view);
const f = Float64Array.of(1.5, 2.5, NaN), u8 = Uint8ClampedArray.from([300, -5, 1.5, 2.5]);
console.log(f, u8, new Int8Array([200]), new Uint16Array(3), new Float32Array([0.1]));
const a = new Int32Array([5, 3, 9, 1]);
console.log(a.sort(), a.map((x) => x * 2), a.subarray(1, 3), a.slice(-2), a.indexOf(9), a.join("-"), a.reduce((s, x) => s + x));
console.log(a.buffer.byteLength, a.BYTES_PER_ELEMENT, a.byteOffset, Int32Array.BYTES_PER_ELEMENT, a.length, Array.isArray(a), a instanceof Int32Array);
const shared = new Uint8Array(a.buffer, 4, 4);
shared[0] = 42;
console.log(a, Object.prototype.toString.call(a), ArrayBuffer.isView(view), [...a.entries()]);
a.set([7, 8], 2); a.copyWithin(0, 2); a.fill(1, 3);
console.log(a, a.at(-1), a.includes(7), Array.from(a).reverse(), a.toString(), a.findLast((x) => x > 1));
console.log(new Uint8Array(200), { bytes: new Uint8Array([1, 2]) }, [new Uint8Array(0)]);
for (const bad of [() => new Uint8Array(-1), () => view.getInt8(16), () => new Uint32Array(buffer, 1), () => new Uint16Array(new ArrayBuffer(3))]) {
  try { bad(); } catch (e) { console.log(e.name + ": " + e.message); }
}
a[10] = 5; a.foo = "bar";
console.log(a, a[10], 10 in a, Object.keys(a));
const rgba = new Uint32Array(new Uint8Array([0x11, 0x22, 0x33, 0x44]).buffer)[0];
console.log(rgba.toString(16), (rgba >>> 8).toString(16).padStart(8, "0"));
