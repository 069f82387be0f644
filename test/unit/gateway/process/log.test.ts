import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Log } from '#gateway/process/log.ts';

function collectLog(format: 'json' | 'text', write: (log: Log) => void): string {
	let text = '';
	const log = new Log(format, chunk => {
		text += chunk;
	});
	write(log);
	log.flushLines();
	return text;
}

describe('Log', () => {
	it('writes one line per entry', () => {
		const line = collectLog('json', log => log.warn('runs\nended', { runs: 2, error: new Error('why') }));
		assert.equal(line.split('\n').length, 2);
		const entry = JSON.parse(line);
		assert.deepEqual([entry.level, entry.message, entry.runs], ['warn', 'runs\nended', 2]);
		assert.match(entry.error, /why/);
		const fields = { quoted: 'a "b" \\ \u0001 é', plain: '/v1/messages: x', ms: 1.5, none: Number.NaN, list: [1] };
		const { time: _time, ...rest } = JSON.parse(collectLog('json', log => log.info('request', fields)));
		assert.deepEqual(rest, { level: 'info', message: 'request', ...fields, none: null });
		assert.match(
			collectLog('text', log => log.info('listening', { base_url: 'http://x' })),
			/^\S+Z info {2}listening base_url=http:\/\/x\n$/,
		);
	});

	it('redacts known keys in every form', () => {
		const key = '-----BEGIN KEY-----\nab"c/d+e==\n\u0001\\-----END KEY-----';
		for (const format of ['json', 'text'] as const) {
			for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]) {
				const text = collectLog(format, log => {
					log.addSecret(key);
					log.error(`failed: ${form}`, { error: new Error(form), url: form, nested: { value: form } });
				});
				assert.doesNotMatch(text, /KEY|LS0t/);
				assert.match(text, /failed: \[redacted\]/);
			}
		}
	});

	it('redacts known keys in JSON that a field quotes, with characters outside ASCII in any form', () => {
		const reply = '{"message":"no key gehe\\u00edm-\\u00e9-1 or gehe\\u00EDm-\\u00E9-1 or geheím-é-1"}';
		for (const format of ['json', 'text'] as const) {
			const text = collectLog(format, log => {
				log.addSecret('geheím-é-1');
				log.error(reply, { reply, nested: { reply } });
			});
			assert.doesNotMatch(text, /gehe/);
		}
	});

	it('redacts a key that starts with another key completely', () => {
		const text = collectLog('json', log => {
			log.addSecret('sk-first-1');
			log.addSecret('sk-first-1-and-more');
			log.error('sk-first-1-and-more and sk-first-1');
		});
		assert.equal(JSON.parse(text).message, '[redacted] and [redacted]');
	});

	it('redacts known keys and anything that looks like one', () => {
		const text = collectLog('text', log => {
			log.addSecret('registered-secret');
			log.error('failed', { error: new Error('sent registered-secret upstream') });
			log.info('request', { url: '/v1beta/models?alt=sse&key=AIzaSy123&x=1' });
			log.info('x', { header: 'Authorization: Bearer abc.def', other: '"x-api-key": "sk-ant-1"', google: 'x-goog-api-key=AQ.xyz' });
		});
		for (const secret of ['registered-secret', 'AIzaSy123', 'abc.def', 'sk-ant-1', 'AQ.xyz']) {
			assert.ok(!text.includes(secret), secret);
		}
		assert.match(text, /alt=sse&key=\[redacted\]&x=1/);
	});

	it('redacts wrong keys in addresses too, whatever they contain and however the parameter is encoded', () => {
		const response = { statusCode: 400, writableFinished: true } as ServerResponse;
		for (const format of ['json', 'text'] as const) {
			const text = collectLog(format, log => {
				for (const query of [
					"key=wrong,wrong'wrong}wrong",
					'%6Bey=wrong',
					'a=1;key=wrong',
					'access_token=wrong&x=1',
					'KEY=wrong',
					'%zz=1&user_key=wrong',
				]) {
					log.logRequest('GET', `/v1beta/models?${query}`, response, 1);
				}
				log.logRequest('GET', '/v1/agent/workflows/logs?model=a&keyword=shown', response, 1);
				log.info('x', { authorization: 'Basic wrong' });
			});
			assert.ok(!text.includes('wrong'), text);
			assert.match(text, /keyword=shown/);
		}
	});

	it('cuts a long address and redacts the keys in the rest', () => {
		const response = { statusCode: 404, writableFinished: true } as ServerResponse;
		const text = collectLog('text', log => {
			log.logRequest('GET', `/${'a'.repeat(15_000)}`, response, 1);
			log.logRequest('GET', `/?${'&'.repeat(1_900)}key=${'wrong'.repeat(1_000)}`, response, 1);
			log.logRequest('GET', '/?=key=wrong&==&=', response, 1);
		});
		assert.ok(text.length < 5_000);
		assert.ok(!text.includes('wrong'), text);
	});

	it('keeps values with line breaks on one line in text format', () => {
		const forged = 'x\n2026-01-01T00:00:00.000Z info  forged\r\u2028\u0085\u001b[2J\ty';
		const text = collectLog('text', log => {
			log.info(forged, { value: forged });
			log.error('failed', { error: new Error(forged) });
		});
		assert.equal(text.split(/[\n\r\u0085\u2028\u2029]/).length, 3);
		assert.ok(!text.includes('\u001b'));
		assert.match(text, /value=x\\n2026/);
	});
});
