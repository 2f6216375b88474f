// The page's handling of a server's responses, which are the platform's own objects.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createServerAnswers } from "../../nonosat/studio/page/answers/server.js";

const BASE = "http://127.0.0.1:8000/secret/";

function answers(reply) {
  const asked = [];
  const request = async (address, options) => {
    asked.push({ address: String(address), ...options });
    return reply(options);
  };
  return { asked, ...createServerAnswers({ base: BASE, request, Socket: class {} }) };
}

test("the field answer is returned; the query is sent as JSON", async () => {
  const one = answers(() => Response.json({ answer: { verdict: "unique" } }));
  assert.deepEqual(await one.query("explain", { puzzle: { n: 4 } }), { verdict: "unique" });
  assert.equal(one.asked[0].address, `${BASE}api/explain`);
  assert.equal(one.asked[0].method, "POST");
  assert.equal(one.asked[0].body, '{"puzzle":{"n":4}}');
  assert.equal(one.can("explain"), true);
});

test("without a body it is a GET", async () => {
  const one = answers(() => Response.json({ answer: [] }));
  await one.query("gallery");
  assert.equal(one.asked[0].method, "GET");
});

test("a mistake and a limit become errors with kind and message", async () => {
  for (const status of [422, 503]) {
    const error = { kind: "FormatError", message: "Line 3: a letter, expected a number." };
    const one = answers(() => Response.json({ error }, { status }));
    await assert.rejects(one.query("read?name=a.non", new Blob(["x"])), {
      ...error,
      name: "AnswerError",
    });
    assert.equal(one.asked[0].headers["Content-Type"], "application/octet-stream");
  }
});

test("a reply that is not JSON is an error, too", async () => {
  const one = answers(() => new Response("<h1>Gateway</h1>", { status: 502 }));
  await assert.rejects(one.query("solve", {}), { kind: "ServerError", message: /502/ });
});

test("a file comes with its name and its command", async () => {
  const headers = {
    "Content-Type": "application/zip",
    "Content-Disposition": "attachment; filename=\"x.zip\"; filename*=UTF-8''herz%20%E2%99%A5.zip",
    "X-Nonosat-Command": "nonosat verify herz",
  };
  const blob = await answers(() => new Response("bytes", { headers })).query("certificate", {});
  assert.equal(blob.name, "herz ♥.zip");
  assert.equal(blob.command, "nonosat verify herz");
  assert.equal(await blob.text(), "bytes");
});

test("a JSON response with a name is a file", async () => {
  const headers = {
    "Content-Type": "application/json",
    "Content-Disposition": 'attachment; filename="x.json"',
  };
  const blob = await answers(() => new Response("{}", { headers })).query("export", {
    format: "json",
  });
  assert.equal(blob.name, "x.json");
});

test("a missing server and a cancelled query are distinguished", async () => {
  const gone = answers(() => {
    throw new TypeError("Failed to fetch");
  });
  await assert.rejects(gone.query("solve", {}), {
    kind: "ConnectionError",
    message: /nonosat studio/,
  });
  const control = new AbortController();
  control.abort();
  await assert.rejects(gone.query("solve", {}, { signal: control.signal }), { kind: "AbortError" });
});

test("progress is fetched by the name of the query until its answer arrives", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const seen = [];
  let finish;
  const answered = new Promise((resolve) => (finish = resolve));
  const asked = [];
  const request = async (address, options) => {
    asked.push({ address: String(address), ...options });
    if (options.method === "POST") return answered;
    return Response.json({ answer: asked.length > 2 ? { least: 4 } : null });
  };
  const { query } = createServerAnswers({ base: BASE, request, Socket: class {} });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const repair = query("repair", { most: 5 }, { onProgress: (known) => seen.push(known) });
  const { most, progress } = JSON.parse(asked[0].body);
  assert.equal(most, 5);
  for (let look = 1; look <= 2; look += 1) {
    t.mock.timers.tick(500);
    await settled();
    assert.equal(asked[look].address, `${BASE}api/progress?of=${progress}`);
  }
  assert.deepEqual(seen, [{ least: 4 }], "null is no progress");
  finish(Response.json({ answer: { least: 5 } }));
  assert.deepEqual(await repair, { least: 5 });
  t.mock.timers.tick(5000);
  await settled();
  assert.equal(asked.length, 3);
});
