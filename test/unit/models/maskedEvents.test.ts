import assert from 'node:assert/strict';
import { KeyMask } from '#models/keyMask.ts';
import { MaskedEvents } from '#models/maskedEvents.ts';
import { MaskedReply } from '#models/maskedReply.ts';

const key = 'sk-up/stream+key-0123456789==';

describe('an upstream key in what its service sends', () => {
	it('takes a chunk of thousands of events in time proportional to its length', () => {
		const chunk = Buffer.from(`${'\n\n'.repeat(8000)}: ${key}\n\n${'\n\n'.repeat(24_000)}`);
		const started = performance.now();
		const sent = new MaskedEvents(new KeyMask(key)).add(chunk).toString();
		assert.ok(performance.now() - started < 1000, `${Math.round(performance.now() - started)} ms`);
		assert.equal(sent, chunk.toString().replace(key, '[key]'));
	});

	it('is masked where it is repeated, with its patterns compiled once', () => {
		const text = `"${key}" `;
		const countPatterns = (times: number): number => {
			const compile = RegExp;
			let count = 0;
			globalThis.RegExp = new Proxy(compile, {
				construct: (target, args) => {
					count++;
					return Reflect.construct(target, args);
				},
			});
			try {
				assert.equal(new KeyMask(key).maskText(text.repeat(times)), '"[key]" '.repeat(times));
			} finally {
				globalThis.RegExp = compile;
			}
			return count;
		};
		assert.equal(countPatterns(500), countPatterns(2));
	});

	it('is masked in error events only, whatever ends them', () => {
		for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
			const reply = `data: {"text":"${key}"}${end}`;
			const sent = new MaskedEvents(new KeyMask(key)).add(Buffer.from(`${reply}data: {"error":"${key} é"}${end}${reply}`));
			assert.equal(sent.toString(), `${reply}data: {"error":"[key] é"}${end}${reply}`);
		}
	});

	/** Returns the masked output for an event that arrives in chunks of a size, followed by another event. */
	function getSent(event: string, size: number, given = key): string {
		const bytes = Buffer.from(`${event}\n\n${next}`);
		const events = new MaskedEvents(new KeyMask(given));
		let [received, sent] = [0, ''];
		for (let at = 0; at < bytes.length; at += size) {
			const part = bytes.subarray(at, at + size);
			received += part.length;
			sent += events.add(part).toString('latin1');
			assert.ok(sent.length > received - 80_000, `${received - sent.length} bytes are held`);
		}
		return Buffer.from(sent + events.endReply().toString('latin1'), 'latin1').toString();
	}
	const longKey = Buffer.alloc(500, 'sk-0123456789/abcdefghijk').toString();
	const next = `data: {"text":"${key} é"}\n\n`;
	const long = 'é'.repeat(40_000);

	it('is masked in errors in a form of the service, which are in no protocol', () => {
		const errors: readonly unknown[] = [
			{ detail: `bad ${key}` },
			{ code: 401, message: `bad ${key}`, data: null },
			{ success: false, msg: `bad ${key}`, data: {} },
			{ base_resp: { status_msg: `bad ${key}` }, choices: null },
			`bad ${key}`,
		];
		for (const error of errors) {
			const text = JSON.stringify(error);
			const reply = new MaskedReply(new KeyMask(key), 'application/json');
			assert.equal(Buffer.concat([reply.add(Buffer.from(text)), reply.endReply()]).toString(), text.replace(key, '[key]'));
			const events = new MaskedEvents(new KeyMask(key));
			assert.equal(events.add(Buffer.from(`data: ${text}\n\n`)).toString(), `data: ${text.replace(key, '[key]')}\n\n`);
		}
		const xml = new MaskedReply(new KeyMask(key), 'application/xml');
		assert.equal(Buffer.concat([xml.add(Buffer.from(`<e>${key}</e>`)), xml.endReply()]).toString(), '<e>[key]</e>');
		const said = JSON.stringify({ choices: [{ message: { content: key } }] });
		const reply = new MaskedReply(new KeyMask(key), 'application/json');
		assert.equal(Buffer.concat([reply.add(Buffer.from(said)), reply.endReply()]).toString(), said);
	});

	it('is masked in an error event that is too long to hold, wherever the key is and however it is split', () => {
		for (const event of [
			`event: error\ndata: {"message":"${long}KEY${long}KEY"}`,
			`data: {"error":{"message":"KEY${long}KEY${long}"}}`,
			`data: {"type" : "error", "message":"${long}KEY"}`,
			`data: {"type":"response.failed","response":{"error":{"message":"${long}KEY${long}"}}}`,
			`data: {"text":"${long}","error":"KEY"}`,
			`data: ${long}KEY`,
			`: ${long}KEY`,
		]) {
			for (const size of [7, 997, 1000, 16_384]) {
				assert.equal(getSent(event.replaceAll('KEY', key), size), `${event.replaceAll('KEY', '[key]')}\n\n${next}`, event.slice(0, 40));
				const masked = getSent(event.replaceAll('KEY', longKey), size, longKey);
				assert.equal(masked, `${event.replaceAll('KEY', '[key]')}\n\n${next}`, event.slice(0, 40));
			}
			const escaped = key.replaceAll('+', '\\u002B').replaceAll('/', '\\/');
			assert.equal(getSent(event.replaceAll('KEY', escaped), 1000), `${event.replaceAll('KEY', '[key]')}\n\n${next}`);
			const longEscaped = [...longKey].map(c => `\\u00${c.charCodeAt(0).toString(16)}`).join('');
			assert.equal(getSent(event.replaceAll('KEY', longEscaped), 997, longKey), `${event.replaceAll('KEY', '[key]')}\n\n${next}`);
		}
	});

	it('stays in a part of a reply that is too long to hold', () => {
		for (const event of [
			`data: {"text":"${long}${key}${long}"}`,
			`data: {"type":"response.completed","response":{"error":null,"text":"${long}\\"error\\":{}${key}${long}"}}`,
		]) {
			assert.equal(getSent(event, 1000), `${event}\n\n${next}`);
		}
	});

	it('is masked at any length, also if only its first part is quoted', () => {
		for (const length of [65, 1000, 16_000, 100_000]) {
			const long = Buffer.alloc(length, 'sk-0123456789/+abcdefghijk').toString();
			const started = performance.now();
			const masking = new KeyMask(long);
			for (const quoted of [
				long,
				encodeURIComponent(long),
				Buffer.from(long).toString('base64'),
				long.replaceAll('+', '\\u002b').replaceAll('/', '\\/'),
				long.slice(0, -1),
			]) {
				assert.equal(masking.maskText(`{"error":"no key ${quoted}!"}`), '{"error":"no key [key]!"}');
			}
			assert.ok(performance.now() - started < 5000, `${Math.round(performance.now() - started)} ms`);
		}
	});

	it('is masked if it has characters outside ASCII, whether the JSON escapes them or not', () => {
		const given = 'sk-клюé-日本😀/0123';
		const toEscapes = (text: string, pattern = /[^ -~]/g) =>
			text.replace(pattern, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
		const lower = toEscapes(given);
		for (const quoted of [
			given,
			lower,
			lower.replace(/u[0-9a-f]{4}/g, hex => `u${hex.slice(1).toUpperCase()}`),
			lower.replace('/', '\\/'),
			toEscapes(given, /./gs),
			given.replace('/', '\\u002F'),
			// a server that reads bytes as Latin-1
			toEscapes(Buffer.from(given).toString('latin1')),
		]) {
			assert.equal(new KeyMask(given).maskText(`{"error":"é no key ${quoted}é"}`), '{"error":"é no key [key]é"}', quoted);
			for (const [text, sizes] of [
				['é', [1, 2, 3]],
				[long, [997, 1000]],
			] as const) {
				for (const size of sizes) {
					const masked = getSent(`data: {"error":"${text}${quoted}é"}`, size, given);
					assert.equal(masked.slice(-90), `data: {"error":"${text}[key]é"}\n\n${next}`.slice(-90), quoted);
				}
			}
		}
	});

	it('is masked if the JSON escapes characters that it need not escape', () => {
		const escaped = [...key].map(c => `\\u00${c.charCodeAt(0).toString(16)}`).join('');
		for (const quoted of [
			key.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d'),
			key.replaceAll('+', '\\u002b').replaceAll('/', '\\/'),
			escaped,
		]) {
			assert.equal(new KeyMask(key).maskText(`{"error":"no key ${quoted}"}`), '{"error":"no key [key]"}');
		}
	});
});
