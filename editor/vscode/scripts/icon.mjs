// Draws icon.png: a document whose lines lead to a name. `node scripts/icon.mjs`
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const SIZE = 256;
const SAMPLES = 4; // in each direction: smooth edges

const box = (x, y, left, top, right, bottom, round) => {
  const dx = Math.max(left + round - x, 0, x - (right - round));
  const dy = Math.max(top + round - y, 0, y - (bottom - round));
  return x >= left && x <= right && y >= top && y <= bottom && dx * dx + dy * dy <= round * round;
};
const disc = (x, y, cx, cy, radius) => (x - cx) ** 2 + (y - cy) ** 2 <= radius * radius;
const line = (x, y, x1, y1, x2, y2, width) => {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const t = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return disc(x, y, x1 + t * dx, y1 + t * dy, width / 2);
};

function colour(x, y) {
  if (!box(x, y, 0, 0, 256, 256, 48)) return [0, 0, 0, 0];
  if (disc(x, y, 188, 180, 34)) return disc(x, y, 188, 180, 17) ? [31, 36, 48, 255] : [255, 204, 102, 255];
  if (line(x, y, 118, 108, 166, 158, 14)) return [255, 204, 102, 255];
  for (const [top, right] of [[60, 196], [100, 118], [140, 128], [180, 128]]) {
    if (box(x, y, 52, top, right, top + 18, 9)) return top === 100 ? [255, 204, 102, 255] : [149, 163, 191, 255];
  }
  return [31, 36, 48, 255];
}

const rows = [];
for (let y = 0; y < SIZE; y++) {
  const row = Buffer.alloc(1 + SIZE * 4); // filter 0
  for (let x = 0; x < SIZE; x++) {
    const sum = [0, 0, 0, 0];
    for (let i = 0; i < SAMPLES * SAMPLES; i++) {
      const [r, g, b, a] = colour(x + ((i % SAMPLES) + 0.5) / SAMPLES, y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES);
      [r * a, g * a, b * a, a].forEach((value, place) => (sum[place] += value));
    }
    const alpha = sum[3];
    for (let place = 0; place < 3; place++) row[1 + x * 4 + place] = alpha === 0 ? 0 : Math.round(sum[place] / alpha);
    row[1 + x * 4 + 3] = Math.round(alpha / (SAMPLES * SAMPLES));
  }
  rows.push(row);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(8 + body.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 4 + body.length);
  return out;
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header.set([8, 6, 0, 0, 0], 8); // 8 bits, RGBA
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND", Buffer.alloc(0)),
]);
writeFileSync(path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), "icon.png"), png);
