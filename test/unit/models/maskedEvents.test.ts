import assert from 'node:assert/strict';
import { KeyMask } from '#models/keyMask.ts';
import { MaskedEvents } from '#models/maskedEvents.ts';

const key = 'sk-up/stream+key-0123456789==';

describe('an upstream key in what its service sends', () => {
	it('takes a chunk of thousands of events in time proportional to its length', () => {
		const chunk = Buffer.from(`${'\n\n'.repeat(8000)}: ${key}\n\n${'\n\n'.repeat(24_000)}`);
		const started = performance.now();
		const sent = new MaskedEvents(new KeyMask(key)).add(chunk).toString();
		assert.ok(performance.now() - started < 1000, `${Math.round(performance.now() - started)} ms`);
		assert.equal(sent, chunk.toString().replace(key, '[key]'));
	});

	it('is masked in error events only, whatever ends them', () => {
		for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
			const reply = `data: {"text":"${key}"}${end}`;
			const sent = new MaskedEvents(new KeyMask(key)).add(Buffer.from(`${reply}data: {"error":"${key} é"}${end}${reply}`));
			assert.equal(sent.toString(), `${reply}data: {"error":"[key] é"}${end}${reply}`);
		}
	});

	it('is masked if the JSON escapes characters that it need not escape', () => {
		const escaped = [...key].map(c => `\\u00${c.charCodeAt(0).toString(16)}`).join('');
		for (const quoted of [
			key.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d'),
			key.replaceAll('+', '\\u002b').replaceAll('/', '\\/'),
			escaped,
		]) {
			assert.equal(new KeyMask(key).text(`{"error":"no key ${quoted}"}`), '{"error":"no key [key]"}');
		}
	});
});
